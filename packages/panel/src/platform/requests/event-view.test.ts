import { describe, expect, test } from 'bun:test';
import { failureStatus, failureWord } from './event-view.ts';

describe('a failure with a good status', () => {
  const t = (key: string) => key;

  test('is an answer that was broken off, never its status alone', () => {
    for (const fail_status_code of [200, 206]) {
      expect(failureStatus({ fail_status_code })).toBe('');
      expect(failureWord({ fail_status_code }, t)).toBe('cause.brokenOff');
      expect(failureWord({ fail_status_code, fail_summary: 'context canceled' }, t)).toBe('cause.cancelled');
    }
  });

  test('is told apart from other failures', () => {
    expect([failureStatus({ fail_status_code: 503 }), failureWord({ fail_status_code: 503 }, t)]).toEqual([
      '503',
      '503',
    ]);
    expect([failureStatus({}), failureWord({}, t)]).toEqual(['', 'filter.failed']);
  });
});
