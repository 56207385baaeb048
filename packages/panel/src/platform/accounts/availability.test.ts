import { describe, expect, test } from 'bun:test';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import type { QuotaCooldown } from '@manager/core/contract/cooldowns';
import { result } from '../testing/inspection-results.ts';
import { HOUR, historyOf, NOW, rowOf, windowOf } from './testing/accounts.ts';

const history = (...statuses: readonly number[]) => ({ history: new Map([['index-0', historyOf(...statuses)]]) });
const windows = (...list: readonly Parameters<typeof windowOf>[0][]) => ({
  windows: new Map([['index-0', list.map(windowOf)]]),
});
const stateOf = (...parts: Parameters<typeof rowOf>) => rowOf(...parts).availability.state;

const cooldown = (change: Partial<QuotaCooldown> = {}): QuotaCooldown => ({
  authFileName: 'codex-0.json',
  authIndex: 'index-0',
  provider: 'codex',
  owner: 'manager_usage_429',
  recoverAtMs: NOW + HOUR,
  disabledAtMs: NOW - HOUR,
  createdAtMs: NOW - HOUR,
  ...change,
});

const candidate = (change: Partial<AccountActionCandidate> = {}): AccountActionCandidate => ({
  id: 1,
  actionType: 'reauth',
  status: 'pending',
  provider: 'codex',
  authFileName: 'codex-0.json',
  authIndex: 'index-0',
  reason: 'The token was revoked',
  autoDisableEligible: true,
  firstSeenAtMs: NOW - 2 * HOUR,
  lastSeenAtMs: NOW - 2 * HOUR,
  hitCount: 1,
  createdAtMs: 1,
  updatedAtMs: 1,
  ...change,
});

describe('evidence from requests', () => {
  test.each([
    [[], 'unconfirmed'],
    [[0], 'available'],
    [[401], 'signIn'],
    // A newer success overrides the failure, and the other way round.
    [[0, 401], 'available'],
    [[401, 0], 'signIn'],
    // One failure is chance, two in a row are not; invalid requests do not count.
    [[500, 0], 'available'],
    [[500, 503, 0], 'failing'],
    [[400, 499, 0], 'available'],
    [[500, 400, 500, 0], 'failing'],
    [[422], 'unconfirmed'],
    [[429, 0], 'spent'],
    [[0, 429], 'available'],
  ] as const)('outcomes %p make it %s', (statuses, state) => {
    expect(stateOf(history(...statuses))).toBe(state);
  });

  test.each<readonly [readonly number[], number | null, number]>([
    // The first failure after the last success; an invalid request in between does not interrupt the streak.
    [[401, 400, 401, 0], NOW - 3 * HOUR, NOW - HOUR],
    [[500, 503, 0], NOW - 2 * HOUR, NOW - HOUR],
    // Nothing is known before the last requests.
    [[401, 401], null, NOW - HOUR],
    [[500, 401], null, NOW - 2 * HOUR],
  ])('failures %p began at %p and were last seen at %p', (statuses, sinceMs, lastMs) => {
    expect(rowOf(history(...statuses)).availability).toMatchObject({ sinceMs, lastMs });
  });

  test('a success of long ago shows nothing any more', () => {
    const old = historyOf(0);
    const long = (old.recent_requests ?? []).map((request) => ({ ...request, timestamp_ms: NOW - 48 * HOUR }));
    expect(stateOf({ history: new Map([['index-0', { ...old, recent_requests: long }]]) })).toBe('unconfirmed');
  });
});

describe('evidence from quota', () => {
  test.each([
    [{ used_percent: 40, source: 'response_header' }, 'available'],
    [{ used_percent: 85 }, 'low'],
    [{ used_percent: 100 }, 'spent'],
    // Stale or past evidence is ignored.
    [{ used_percent: 100, stale: true, source: 'response_header' }, 'unconfirmed'],
    [{ used_percent: 100, availability: 'pending_absent', source: 'response_header' }, 'unconfirmed'],
    // An allowance of single models does not count for the account.
    [
      { used_percent: 100, model_scope_kind: 'models', model_ids: ['gpt-5.3-codex-spark'], source: 'response_header' },
      'unconfirmed',
    ],
  ] as const)('window %p makes it %s', (change, state) => {
    expect(stateOf(windows({ ...change } as Parameters<typeof windowOf>[0]))).toBe(state);
  });

  test('an observation after a 429 overrules it', () => {
    expect(stateOf({ ...history(0, 429), ...windows({ used_percent: 30 }) })).toBe('available');
    expect(stateOf({ ...history(429), ...windows({ observed_at_ms: NOW - 60_000, source: 'response_header' }) })).toBe(
      'available',
    );
  });
});

describe('what the manager did', () => {
  test('a disabled account shows who disabled it', () => {
    const entry = { disabled: true, updated_at: '2026-08-30T00:00:00Z' };
    expect(rowOf({}, entry).availability).toMatchObject({ state: 'disabled', by: 'hand' });
    expect(rowOf({ cooldowns: [cooldown()] }, entry).availability).toMatchObject({
      state: 'disabled',
      by: 'manager',
      untilMs: NOW + HOUR,
    });
    expect(rowOf({ candidates: [candidate({ autoDisabledAtMs: NOW - HOUR })] }, entry).availability.by).toBe('manager');
  });

  test('a cooldown holds until a newer success', () => {
    expect(stateOf({ cooldowns: [cooldown()] })).toBe('cooldown');
    expect(stateOf({ cooldowns: [cooldown({ disabledAtMs: NOW - 2 * HOUR })], ...history(0) })).toBe('available');
  });

  test('a candidate counts until something newer shows that the account works', () => {
    expect(stateOf({ candidates: [candidate()] })).toBe('signIn');
    const recovered = rowOf({ candidates: [candidate()], ...history(0) }).availability;
    expect([recovered.state, recovered.recovered]).toEqual(['available', true]);
  });

  test('a queued account shows when failures began, unless a success came between', () => {
    const seen = candidate({ firstSeenAtMs: NOW - 9 * HOUR, lastSeenAtMs: NOW - HOUR / 2 });
    const since = (...statuses: readonly number[]) =>
      rowOf({ candidates: [seen], ...history(...statuses) }).availability.sinceMs;
    expect([since(401, 401), since(401, 0)]).toEqual([NOW - 9 * HOUR, NOW - HOUR]);
  });

  test('only the last inspection is known, so it does not show when failures began', () => {
    const refused = result(1, {
      fileName: 'codex-0.json',
      authIndex: 'index-0',
      provider: 'codex',
      action: 'reauth',
      statusCode: 401,
      createdAtMs: NOW - HOUR / 2,
    });
    expect(rowOf({ inspections: [refused], ...history(0) }).availability).toMatchObject({
      state: 'signIn',
      sinceMs: null,
      lastMs: NOW - HOUR / 2,
    });
  });

  test('an inconclusive inspection does not show that it works', () => {
    const inspected = (change: object) =>
      stateOf({
        inspections: [
          result(1, { fileName: 'codex-0.json', authIndex: 'index-0', createdAtMs: NOW - HOUR / 2, ...change }),
        ],
      });
    expect(inspected({ statusCode: 200 })).toBe('available');
    for (const change of [
      { statusCode: 200, errorKind: 'not_readable', actionReason: 'monitoring.codex_inspection_reason_not_readable' },
      { statusCode: 200, errorKind: 'protocol_changed' },
      { statusCode: 200, actionReason: 'monitoring.codex_inspection_reason_recovery_unknown' },
      { statusCode: 503, errorKind: 'http_status', actionReason: 'monitoring.codex_inspection_reason_http_status' },
      { errorKind: 'request_error' },
    ]) {
      expect(inspected(change)).toBe('unconfirmed');
    }
  });

  test('a deactivated workspace is not a rejected sign-in, whatever shows it', () => {
    const failure = (status: number, change: object) => {
      const item = historyOf(status);
      const requests = item.recent_requests?.map((request) => ({ ...request, ...change }));
      return { history: new Map([['index-0', { ...item, recent_requests: requests ?? [] }]]) };
    };
    const inspected = (change: object) => ({
      inspections: [
        result(1, { fileName: 'codex-0.json', authIndex: 'index-0', createdAtMs: NOW - HOUR / 2, ...change }),
      ],
    });
    const shown: readonly (readonly [Parameters<typeof rowOf>[0], string])[] = [
      [failure(402, { fail_summary: '{"detail":{"code":"deactivated_workspace"}}' }), 'deactivated'],
      [failure(401, { header_error_code: 'account_deactivated' }), 'deactivated'],
      [failure(401, { fail_summary: 'token is expired' }), 'signIn'],
      [failure(402, { fail_summary: 'payment required' }), 'spent'],
      [{ candidates: [candidate({ actionType: 'delete' })] }, 'deactivated'],
      [{ candidates: [candidate({ actionType: 'reauth' })] }, 'signIn'],
      [inspected({ action: 'delete', statusCode: 402 }), 'deactivated'],
      [inspected({ action: 'reauth', statusCode: 401 }), 'signIn'],
    ];
    for (const [sources, state] of shown) expect(rowOf(sources).availability.state).toBe(state as 'signIn');
  });

  test('a quota query that was refused counts like an inspection: newer than health, until something newer', () => {
    const refusal = (atMs: number) => ({
      refusals: new Map([['index-0', { atMs, says: 'signIn' as const, status: 401, text: 'expired' }]]),
    });
    const healthy = {
      inspections: [
        result(1, { fileName: 'codex-0.json', authIndex: 'index-0', statusCode: 200, createdAtMs: NOW - HOUR }),
      ],
    };
    const late = rowOf({ ...healthy, ...refusal(NOW - HOUR / 2) }).availability;
    expect(late).toMatchObject({ state: 'signIn', status: 401, lastMs: NOW - HOUR / 2 });
    expect(late.evidence[0]).toMatchObject({ source: 'quota', says: 'signIn', text: 'expired' });
    expect(stateOf({ ...healthy, ...refusal(NOW - 2 * HOUR) })).toBe('available');
    expect(stateOf({ ...windows({ observed_at_ms: NOW - HOUR }), ...refusal(NOW - HOUR / 2) })).toBe('signIn');
    expect(stateOf({ ...windows({ observed_at_ms: NOW - HOUR / 4 }), ...refusal(NOW - HOUR / 2) })).toBe('available');
  });

  test('a record of another credential of the file is not meant', () => {
    expect(stateOf({ candidates: [candidate({ authIndex: 'other' })] })).toBe('unconfirmed');
    expect(stateOf({ candidates: [candidate({ provider: 'claude' })] })).toBe('unconfirmed');
  });
});

test('the gateway that tries it no more is in cooldown', () => {
  const entry = { unavailable: true, next_retry_after: new Date(NOW + HOUR).toISOString() };
  expect(stateOf({}, entry)).toBe('cooldown');
});
