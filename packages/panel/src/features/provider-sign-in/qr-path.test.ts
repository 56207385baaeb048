import { expect, test } from 'bun:test';
import { generate } from 'lean-qr/nano';
import { qrPath } from './qr-path.ts';

test('every dark module is drawn once, and no other', () => {
  const code = generate('https://auth.example.test/device?user_code=SIM-1234');
  const drawn = [...qrPath(code).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)].flatMap(([, x, y, length]) =>
    Array.from({ length: Number(length) }, (_, index) => `${Number(x) + index} ${y}`),
  );
  const dark: string[] = [];
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) dark.push(`${x} ${y}`);
  expect(drawn).toEqual(dark);
  // The three finder patterns.
  const finder = qrPath(code).match(/M\d+ 0h7v1h-7z/g);
  expect(finder).toEqual(['M0 0h7v1h-7z', `M${code.size - 7} 0h7v1h-7z`]);
});
