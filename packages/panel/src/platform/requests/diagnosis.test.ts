import { describe, expect, test } from 'bun:test';
import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { diagnose, quotaWindows } from './diagnosis.ts';
import { testEvent } from './testing/events.ts';

const failure = (change: Partial<EventRow>): EventRow => testEvent(1, { failed: true, ...change });

describe('why a request failed', () => {
  test.each([
    [failure({ fail_status_code: 499 }), 'cause.cancelled'],
    [failure({ fail_status_code: 500, fail_summary: 'client cancelled the request' }), 'cause.cancelled'],
    [
      failure({ fail_status_code: 429, response_metadata: { quota: { rate_limit_reached_type: 'primary' } } }),
      'cause.limit',
    ],
    [failure({ fail_status_code: 402, response_metadata: { provider_usage: { state: 'exhausted' } } }), 'cause.limit'],
    [failure({ fail_status_code: 429, header_quota_recover_at_ms: 5 }), 'cause.limit'],
    [failure({ fail_status_code: 429 }), 'cause.rate'],
    [failure({ fail_status_code: 401 }), 'cause.signIn'],
    [failure({ fail_status_code: 403 }), 'cause.refused'],
    [failure({ fail_status_code: 402, fail_summary: 'detail.code: deactivated_workspace' }), 'cause.deactivated'],
    [failure({ fail_status_code: 401, header_error_code: 'account_deactivated' }), 'cause.deactivated'],
    [failure({ fail_status_code: 401, header_error_code: 'token_expired' }), 'cause.signIn'],
    [failure({ fail_status_code: 404 }), 'cause.model'],
    [failure({ fail_status_code: 413 }), 'cause.request'],
    [failure({ fail_status_code: 504 }), 'cause.timeout'],
    [failure({ fail_status_code: 503 }), 'cause.provider'],
    [failure({ fail_status_code: 200 }), 'cause.brokenOff'],
    [failure({ fail_status_code: 200, fail_summary: 'context canceled' }), 'cause.cancelled'],
    [failure({}), 'cause.transport'],
    [failure({ fail_status_code: 418 }), 'cause.other'],
  ] as const)('%# is %p', (event, cause) => {
    expect(diagnose(event)?.cause).toBe(cause);
  });

  test('a limit shows when it ends', () => {
    const event = failure({ fail_status_code: 429, response_metadata: { errors: { retry_after_recover_at_ms: 77 } } });
    expect(diagnose(event)).toMatchObject({ cause: 'cause.limit', untilMs: 77 });
  });

  test('of two windows the one that was reached ends a limit, as in a cooldown; its fullest only where none is named', () => {
    const quota = {
      primary: { used_percent: 100, reset_at_ms: 20 },
      secondary: { used_percent: 100, reset_at_ms: 90 },
      recover_at_ms: 90,
    };
    const untilOf = (metadata: object) =>
      diagnose(failure({ fail_status_code: 429, response_metadata: { quota: metadata } }))?.untilMs;
    expect(untilOf({ ...quota, rate_limit_reached_type: 'primary' })).toBe(20);
    expect(untilOf(quota)).toBe(90);
    expect(untilOf({ recover_at_ms: 5 })).toBe(5);
  });

  test('a success has none', () => {
    expect(diagnose(testEvent(1))).toBeNull();
  });

  test('quota windows come from the headers; 0 % is a value', () => {
    const event = testEvent(1, {
      response_metadata: {
        quota: { primary: { used_percent: 0, window_minutes: 300, reset_at_ms: 9 }, secondary: { window_minutes: 1 } },
      },
    });
    expect(quotaWindows(event)).toEqual([{ name: 'primary', usedPercent: 0, windowMinutes: 300, resetAtMs: 9 }]);
  });
});
