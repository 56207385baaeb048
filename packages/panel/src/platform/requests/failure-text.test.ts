import { expect, test } from 'bun:test';
import { failureParts } from './failure-text.ts';

const AT = 1_800_000_000_000;

test.each([
  [
    { error: { message: 'The usage limit has been reached', type: 'usage_limit_reached', resets_at: 1_800_000_600 } },
    { message: 'The usage limit has been reached', type: 'usage_limit_reached', code: '', resetMs: AT + 600_000 },
  ],
  [
    { error: { message: 'Slow down', type: 'rate_limit_error', code: 'too_many', resets_in_seconds: 90 } },
    { message: 'Slow down', type: 'rate_limit_error', code: 'too_many', resetMs: AT + 90_000 },
  ],
  [
    [
      {
        error: {
          code: 429,
          message: 'Quota exceeded',
          status: 'RESOURCE_EXHAUSTED',
          details: [{}, { retryDelay: '1.5s' }],
        },
      },
    ],
    { message: 'Quota exceeded', type: 'RESOURCE_EXHAUSTED', code: '429', resetMs: AT + 1_500 },
  ],
  [{ error: 'invalid_grant' }, { message: 'invalid_grant', type: '', code: '', resetMs: null }],
  [
    { message: 'No body', code: 'empty' },
    { message: 'No body', type: '', code: 'empty', resetMs: null },
  ],
  [{ detail: 'Not found' }, { message: 'Not found', type: '', code: '', resetMs: null }],
  [
    { error: { message: 'm', resets_at: 1_800_000_000_500 } },
    { message: 'm', type: '', code: '', resetMs: 1_800_000_000_500 },
  ],
])('%j is read', (json, parts) => {
  expect(failureParts(JSON.stringify(json), AT)).toEqual(parts);
});

test.each([
  '',
  'stream closed',
  '{"error":{"message":"The usage lim…',
  '{"status":1}',
  '{"error":{"message":{}}}',
  '[]',
  '[1]',
  'null',
])('%j is shown as it is', (text) => {
  expect(failureParts(text, AT)).toBeNull();
});

test('the headers of the answer may follow', () => {
  const body = '{"error":{"message":"at capacity {1} \\"now\\"","type":"rate_limit_error"}}';
  const parts = { message: 'at capacity {1} "now"', type: 'rate_limit_error', code: '', resetMs: null };
  expect(failureParts(`${body} {"Retry-After":["5"]}`, AT)).toEqual({ ...parts, resetMs: AT + 5_000 });
  expect(failureParts(`${body}\n{"X-Other":["5"]}`, AT)).toEqual(parts);
  expect(failureParts(`${body} and words`, AT)).toEqual(parts);
});
