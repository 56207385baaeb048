import { expect, test } from 'bun:test';
import { ApiError } from '../../platform/api/errors.ts';
import { failureText, technicalLine } from './states.tsx';

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

test('a replaced database is named, not the gateway', () => {
  const details = { path: '/v0/management/api-key-aliases', atMs: 0, status: 503, code: 'database_replaced' };
  expect(failureText(new ApiError('status', 'replaced', details))).toEqual({ key: 'failure.databaseReplaced' });
});

test('a full disk is named', () => {
  const details = { path: '/v0/management/api-key-aliases', atMs: 0, status: 507, code: 'disk_full' };
  expect(failureText(new ApiError('status', 'the disk is full', details))).toEqual({ key: 'failure.diskFull' });
});
