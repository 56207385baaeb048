import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../api/errors.ts';
import { explainRefusal } from './sign-in.ts';

const refused = (status: number, retryAfterSeconds: number | null = null): ApiError =>
  new ApiError('status', '', { path: 'usage-service/config', atMs: 0, status, retryAfterSeconds });

describe('a refused sign-in says what to do', () => {
  test.each([
    [refused(401), 'mgr_wrong', 'signIn.wrongKey'],
    [refused(401), 'upstream-key', 'signIn.wrongKind'],
    [refused(403), 'mgr_x', 'signIn.remoteOff'],
    [refused(404), 'mgr_x', 'signIn.notFound'],
    [refused(412), 'mgr_x', 'signIn.notSetUp'],
    [refused(429), 'mgr_x', 'signIn.tooMany'],
    [refused(429, 30), 'mgr_x', 'signIn.tooManyWait'],
    [refused(502), 'mgr_x', 'signIn.server'],
    [new ApiError('timeout', '', { path: '', atMs: 0 }), 'mgr_x', 'signIn.timeout'],
    [new ApiError('network', '', { path: '', atMs: 0 }), 'mgr_x', 'signIn.network'],
    [new Error('bug'), 'mgr_x', 'failure.unexpected'],
  ] as const)('%#', (error, key, text) => {
    expect(explainRefusal(error, key).key).toBe(text);
  });
});
