import { expect, test } from 'bun:test';
import { readApiCallAnswer, storedText } from './api-call.ts';

test('reads a provider answer in both spellings and both forms of the body', () => {
  expect(readApiCallAnswer(200, '{"status_code":200,"body":"{\\"a\\":1}"}')).toEqual({
    kind: 'answered',
    statusCode: 200,
    body: '{"a":1}',
    json: { a: 1 },
  });
  expect(readApiCallAnswer(200, '{"statusCode":503,"body":{"a":1}}')).toMatchObject({
    statusCode: 503,
    json: { a: 1 },
  });
  expect(readApiCallAnswer(200, '{"status_code":429,"body":"slow down"}')).toMatchObject({ json: null });
});

test('an answer without a status is inconclusive', () => {
  for (const text of ['{"body":"x"}', '{"status_code":0}', '{"status_code":null}', '{"status_code":true}', '[]']) {
    expect(readApiCallAnswer(200, text).kind).toBe('missing_status');
  }
});

test('an error of the gateway and an unreadable answer are transport errors', () => {
  expect(readApiCallAnswer(400, '{"error":"auth token not found"}')).toEqual({
    kind: 'transport_error',
    error: 'the gateway returned 400: auth token not found',
  });
  for (const text of ['', 'x', '{"status_code":200}{"status_code":200}']) {
    expect(readApiCallAnswer(200, text).kind).toBe('transport_error');
  }
});

test('stored texts hold no secret and at most 2048 bytes of whole characters', () => {
  expect(storedText('token "refresh_token":"abcdefghij" of person@example.test')).toBe(
    'token "refresh_token":"[redacted]" of p***@example.test',
  );
  expect(storedText('{"code":"token_revoked","csrf_token":"abc"}')).toBe(
    '{"code":"token_revoked","csrf_token":"[redacted]"}',
  );
  const cut = storedText('ü'.repeat(2000));
  expect(cut).toBe(`${'ü'.repeat(1024)}...(truncated)`);
  expect(storedText('x'.repeat(2048))).toBe('x'.repeat(2048));
  expect(storedText(`Bearer ${'x'.repeat(17_000)}`)).toBe('...(truncated)');
});
