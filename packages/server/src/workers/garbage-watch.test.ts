import { expect, test } from 'bun:test';
import { createGarbageWatch } from './garbage-watch.ts';

test('garbage is collected when memory has grown since its minimum', () => {
  let resident = 100;
  let collected = 0;
  const watch = createGarbageWatch({
    residentBytes: () => resident,
    collect: () => {
      collected++;
      resident -= 15;
    },
    growthBytes: 20,
  });
  const after = (bytes: number) => {
    resident = bytes;
    watch.check();
    return collected;
  };
  expect(after(119)).toBe(0);
  expect(after(90)).toBe(0);
  expect(after(109)).toBe(0);
  expect(after(110)).toBe(1);
  // 95 stays: live data may have grown permanently.
  expect(after(114)).toBe(1);
  expect(after(115)).toBe(2);
});
