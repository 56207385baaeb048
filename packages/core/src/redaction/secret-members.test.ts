import { expect, test } from 'bun:test';
import { withoutSecretMembers } from './secret-members.ts';

test.each([
  ['{"session_token":"abc","code":"token_revoked"}', '{"session_token":"[redacted]","code":"token_revoked"}'],
  ['{"token" : "a\\"b" , "n":1}', '{"token" : "[redacted]" , "n":1}'],
  ['{"X-Api-Key":["a","b"],"n":[1]}', '{"X-Api-Key":"[redacted]","n":[1]}'],
  ['{"Set-Cookie":["a=b; c", "d"]', '{"Set-Cookie":"[redacted]"'],
  ['cut off: {"client_secret":"ab', 'cut off: {"client_secret":"[redacted]"'],
  ['{"m":"{\\"token\\":\\"abc\\",\\"n\\":1}"}', '{"m":"{\\"token\\":\\"[redacted]\\",\\"n\\":1}"}'],
  ['{"m":"{\\"keys\\":[\\"abc\\"]}"}', '{"m":"{\\"keys\\":[\\"[redacted]\\"]}"}'],
])('%s', (text, expected) => {
  expect(withoutSecretMembers(text)).toBe(expected);
  expect(withoutSecretMembers(expected)).toBe(expected);
});

test('everything else stays', () => {
  const text =
    'token is expired {"max_tokens":12,"key":{"a":null},"message":"the key: \\"x\\"","code":"invalid_token"}';
  expect(withoutSecretMembers(text)).toBe(text);
});

test('hostile texts are processed fast', () => {
  // Processor time, because it does not depend on other load.
  const started = process.cpuUsage();
  for (const pattern of ['"token', '"key":[', '"key":["', '"token":"\\', 'key', '"', '\\"key\\":', '"key":[,']) {
    withoutSecretMembers(pattern.repeat(100_000 / pattern.length));
  }
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
});
