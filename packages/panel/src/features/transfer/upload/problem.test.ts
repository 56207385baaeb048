import { expect, test } from 'bun:test';
import { ApiError, readHop } from '../../../platform/api/errors.ts';
import { hopName, toProblem, UploadError } from './problem.ts';

const failed = (status: number, code = '', hop: ApiError['hop'] = null) =>
  new ApiError('status', 'text', { path: '', atMs: 0, status, code, hop });

test.each([
  ['refused', failed(400, 'usage_import_session_invalid_request')],
  ['refused', failed(400, 'request_failed')],
  ['session_gone', failed(404, 'usage_import_session_not_found')],
  ['prefix_mismatch', failed(409, 'usage_import_session_file_mismatch')],
  ['too_large', failed(413, 'usage_import_session_too_large')],
  ['too_large', failed(413, 'request_failed')],
  ['too_many_sessions', failed(429, 'usage_import_session_limit_exceeded')],
  ['quota_used_up', failed(507, 'usage_import_session_quota_exceeded')],
  ['unavailable', failed(500, 'usage_import_session_unavailable')],
  ['unavailable', failed(503)],
  ['unauthorized', failed(401, 'invalid_admin_key')],
  ['proxy', failed(413, '', { server: 'nginx', title: '' })],
  ['network', new ApiError('network', 'refused', { path: '', atMs: 0 })],
  ['timeout', new ApiError('timeout', 'timeout', { path: '', atMs: 0 })],
  ['protocol', new ApiError('shape', 'no session', { path: '', atMs: 0 })],
  ['file_changed', new UploadError('file_changed', { cause: new Error('secret') })],
  ['protocol', new Error('a fault of ours')],
] as const)('an error is a problem of kind %s', (kind, error) => {
  const problem = toProblem(error);
  expect(problem.kind).toBe(kind);
  expect(problem.message).not.toContain('secret');
});

test('what answered in between is called by its software, else by its page', () => {
  expect(hopName({ server: 'nginx/1.22.1', title: '413' })).toBe('nginx/1.22.1');
  expect(hopName({ server: '', title: '502 Bad Gateway' })).toBe('502 Bad Gateway');
  expect(hopName({ server: '', title: '' })).toBe('');
});

test.each([
  ['{"error":"x","code":"request_failed"}', null],
  ['{"error":{"message":"x"}}', null],
  ['{"message":"Payload Too Large"}', { server: 'cloud', title: '' }],
  ['<html><title> 413 Too Large </title>', { server: 'cloud', title: '413 Too Large' }],
  ['', { server: 'cloud', title: '' }],
  ['null', { server: 'cloud', title: '' }],
])('an answer %p comes from the manager or from something in between', (text, hop) => {
  expect(readHop(new Headers({ server: 'cloud' }), text)).toEqual(hop);
});
