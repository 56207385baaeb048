import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { createSha256, sha256Hex, sha256HexSync } from './sha256.ts';

const reference = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('SHA-256', () => {
  test.each([
    '',
    'abc',
    'sk-test-key',
    'ключ 密钥 🔑',
    'x'.repeat(55),
    'x'.repeat(56),
    'x'.repeat(64),
    'x'.repeat(1000),
  ])('both ways agree with the reference for %p', async (text) => {
    expect(sha256HexSync(text)).toBe(reference(text));
    expect(await sha256Hex(text)).toBe(reference(text));
  });

  test.each([1, 7, 63, 64, 65, 1000, 4096])(
    'a running one takes pieces of %i bytes and tells its digest on the way',
    (size) => {
      const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 31 + (index >> 5)) % 256);
      const hash = createSha256();
      for (let at = 0; at < bytes.length; at += size) {
        hash.update(bytes.subarray(at, at + size));
        const expected = createHash('sha256')
          .update(bytes.subarray(0, at + size))
          .digest('hex');
        if (at % 512 < size) expect(hash.hex()).toBe(expected);
      }
      expect(hash.hex()).toBe(createHash('sha256').update(bytes).digest('hex'));
    },
  );

  test('its length counts beyond 2^32 bits', () => {
    const piece = new Uint8Array(2 ** 24);
    const hash = createSha256();
    const expected = createHash('sha256');
    for (let count = 0; count < 34; count += 1) {
      hash.update(piece);
      expected.update(piece);
    }
    expect(hash.hex()).toBe(expected.digest('hex'));
  }, 180_000);
});
