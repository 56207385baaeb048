import { expect, test } from 'bun:test';
import { failureMessage } from './failure-message.ts';

test.each([
  ['{"error":{"message":"Overloaded","type":"overloaded_error"}}', 'Overloaded'],
  ['{"error":{"message":"Slow down"}}\n{"Retry-After":["2"]}', 'Slow down'],
  ['{\n  "error": {\n    "message": "Slow down"\n  }\n}', 'Slow down'],
  ['{"message":"No such model"}', 'No such model'],
  ['{"error":"invalid_grant","error_description":"expired"}', 'invalid_grant'],
  ['{"detail":"Not allowed"}', 'Not allowed'],
  ['{"error":{"message":"{\\"error\\":{\\"message\\":\\"Inner\\"}}"}}', 'Inner'],
  ['{"error":{"message":"It says \\"no\\" to this pro', 'It says "no" to this pro'],
  ['upstream timed out\n{"X-Request-Id":["1"]}', 'upstream timed out'],
  ['upstream timed out', 'upstream timed out'],
  ['{"error":{"code":7}}', '{"error":{"code":7}}'],
  ['{"X-Request-Id":["1"]}', '{"X-Request-Id":["1"]}'],
  ['{not json', '{not json'],
  ['', ''],
])('%p says %p', (text, said) => {
  expect(failureMessage(text)).toBe(said);
});
