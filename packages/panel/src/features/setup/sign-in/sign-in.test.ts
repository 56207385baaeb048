import { describe, expect, test } from 'bun:test';
import { ApiError } from '../../../platform/api/errors.ts';
import { explainRefusal } from './sign-in.ts';

const refused = (status: number, retryAfterSeconds: number | null = null): ApiError =>
  new ApiError('status', '', { path: 'usage-service/config', atMs: 0, status, retryAfterSeconds });

describe('a refused sign-in has a solution', () => {
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
    expect(explainRefusal(error, key, 'manager').key).toBe(text);
  });
});

describe('a sign-in that a gateway refuses has a solution', () => {
  const banned = new ApiError('status', 'IP banned due to too many failed attempts', {
    path: '',
    atMs: 0,
    status: 403,
  });
  test.each([
    [refused(401), 'some-key', 'signIn.gatewayWrongKey'],
    [refused(401), 'mgr_wrong', 'signIn.gatewayWrongKind'],
    [refused(403), 'some-key', 'signIn.remoteOff'],
    [banned, 'some-key', 'signIn.banned'],
    [refused(404), 'some-key', 'signIn.gatewayNotFound'],
    [new ApiError('shape', '', { path: '', atMs: 0 }), 'some-key', 'signIn.gatewayNotFound'],
    [refused(500), 'some-key', 'signIn.server'],
    [new ApiError('timeout', '', { path: '', atMs: 0 }), 'some-key', 'signIn.timeout'],
    [new ApiError('network', '', { path: '', atMs: 0 }), 'some-key', 'signIn.gatewayUnreachable'],
    [new Error('bug'), 'some-key', 'failure.unexpected'],
  ] as const)('%#', (error, key, text) => {
    expect(explainRefusal(error, key, 'gateway').key).toBe(text);
  });
});
