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

test.each([
  // whose answer, status, code
  ['server', 401, 'invalid_admin_key', 'failure.key'],
  ['gateway', 401, '', 'failure.key'],
  ['forwarded', 401, 'invalid_admin_key', 'failure.managementKey'],
  ['server', 500, 'internal_error', 'failure.server'],
  ['gateway', 500, '', 'failure.gatewayServer'],
  ['forwarded', 500, '', 'failure.gatewayServer'],
  ['forwarded', 500, 'internal_error', 'failure.server'],
] as const)('of %p, %p %p is %p', (origin, status, code, key) => {
  const details = { path: '/v0/management/api-keys', atMs: 0, origin, status, code };
  expect(failureText(new ApiError('status', 'no', details))).toEqual({ key });
});

test('a full disk is named', () => {
  const details = { path: '/v0/management/api-key-aliases', atMs: 0, status: 507, code: 'disk_full' };
  expect(failureText(new ApiError('status', 'the disk is full', details))).toEqual({ key: 'failure.diskFull' });
});
