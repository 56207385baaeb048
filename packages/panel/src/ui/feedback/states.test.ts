import { expect, test } from 'bun:test';
import { ApiError } from '../../platform/api/errors.ts';
import { technicalLine } from './states.tsx';

test('a technical line is copied into reports, so it has no query', () => {
  const details = {
    path: '/v0/management/api-keys?value=client-key',
    atMs: 1_000,
    status: 502,
    code: 'request_failed',
  };
  expect(technicalLine(new ApiError('status', 'refused', details), 'UTC')).toBe(
    'HTTP 502 · request_failed · /v0/management/api-keys · 00:00:01 · refused',
  );
});
