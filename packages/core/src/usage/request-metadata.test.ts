import { expect, test } from 'bun:test';
import { cleanClientIp, cleanForwardedFor, cleanUserAgent } from './request-metadata.ts';

test('white space and invisible characters become single spaces', () => {
  expect(cleanUserAgent('  a\t\nb\u0000\u202e\u200b c\u00a0d  ')).toBe('a b c d');
  expect(cleanUserAgent('agent/1.0 (Linux)')).toBe('agent/1.0 (Linux)');
  expect(cleanUserAgent('\u0007\u200d')).toBe('');
});

test('a cut keeps whole characters within the limit, dots included', () => {
  expect(cleanClientIp('x'.repeat(64))).toBe('x'.repeat(64));
  expect(cleanClientIp('x'.repeat(65))).toBe(`${'x'.repeat(61)}...`);
  expect(Buffer.byteLength(cleanUserAgent('é'.repeat(1000)))).toBe(1023);
  expect(Buffer.byteLength(cleanForwardedFor('😀'.repeat(1000)))).toBe(2047);
});

test('is idempotent', () => {
  for (const text of ['a  b', 'x'.repeat(3000), 'é'.repeat(3000), `${'x'.repeat(1020)}  é`]) {
    expect(cleanUserAgent(cleanUserAgent(text))).toBe(cleanUserAgent(text));
  }
});
