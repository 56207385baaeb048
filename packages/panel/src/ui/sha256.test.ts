import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { sha256Hex, sha256HexSync } from './sha256.ts';

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
});
