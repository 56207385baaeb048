import { describe, expect, test } from 'bun:test';
import { ERRORS } from '@manager/core/contract/errors';
import { ApiError } from '../../platform/api/errors.ts';
import { mayHaveStarted, refusalOf } from './refusal.ts';

const failed = (code: string, status: number) =>
  new ApiError('status', 'no', { path: 'v0/management/usage/archives', atMs: 0, status, code });
const codes = Object.entries(ERRORS).filter(([code]) => code.startsWith('usage_archive_'));

describe('refusals', () => {
  test('every one the server knows has an explanation and a solution', () => {
    expect(codes.length).toBeGreaterThan(10);
    const silent = codes.filter(([code, { status }]) => refusalOf(failed(code, status)) === null);
    expect(silent).toEqual([]);
  });

  test('other codes are not refusals', () => {
    for (const code of ['usage_archive_of_later', 'usage_archive_toString', 'request_failed', ''])
      expect(refusalOf(failed(code, 409))).toBeNull();
    expect(refusalOf(new Error('x'))).toBeNull();
  });

  test.each([
    ['usage_archive_maintenance_locked', 'watch'],
    ['usage_archive_invalid_state', 'reread'],
    ['usage_archive_coverage_incomplete', 'coverage'],
    ['usage_archive_cancel_published', 'reread'],
    ['usage_archive_no_events', 'none'],
  ])('%s is followed by %s', (code, reaction) => {
    expect(refusalOf(failed(code, 409))?.reaction).toBe(reaction as never);
  });
});

describe('an answer that did not arrive', () => {
  const broken = (kind: 'network' | 'timeout') => new ApiError(kind, '', { path: '', atMs: 0 });
  test('leaves the work going on', () => {
    for (const error of [broken('network'), broken('timeout'), failed('', 504), failed('', 502)])
      expect(mayHaveStarted(error)).toBe(true);
  });

  test('is not one that says no', () => {
    for (const error of [
      failed('request_failed', 500),
      failed('usage_archive_unavailable', 503),
      failed('usage_archive_invalid_state', 409),
      new ApiError('aborted', '', { path: '', atMs: 0 }),
    ])
      expect(mayHaveStarted(error)).toBe(false);
  });
});
