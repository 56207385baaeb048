import { describe, expect, test } from 'bun:test';
import { inspectionResultSchema, inspectionRunLimit } from '../../contract/inspection/runs.ts';
import { accountIdentity } from '../identity.ts';
import { readAccounts } from '../testing/listed-accounts.ts';
import { probeTimeoutMs, retryWaitMs } from './attempts.ts';
import { compareResults, countResults } from './counts.ts';
import { inspectionLogKey, redactedLogDetail } from './log.ts';
import { inspectionOutcome, resultAfterAction } from './outcome.ts';
import { matchOwnership } from './ownership.ts';
import { type Finding, inspectionAccountKey, inspectionResult } from './result.ts';
import { sampleAccounts } from './sample.ts';
import { listedOf } from './testing.ts';

const finding: Finding = {
  action: 'disable',
  actionReason: 'monitoring.x',
  statusCode: null,
  usedPercent: 0,
  isQuota: true,
  autoRecoverEligible: false,
  quotaInventoryObserved: true,
  quotaWindows: [],
  error: '',
  errorKind: '',
  errorDetail: '',
  planType: '',
};

describe('a result', () => {
  test('leaves out unknown members and keeps a percent of 0', () => {
    const account = listedOf({ auth_index: 'ix-1', provider: 'codex', label: 'Team', status: 'active' });
    const result = { id: 1, ...inspectionResult(3, { listed: account, owned: false }, finding, 7) };
    expect(inspectionResultSchema.parse(result)).toEqual({
      id: 1,
      runId: 3,
      accountKey: 'a.json::ix-1',
      fileName: 'a.json',
      displayAccount: 'Team',
      authIndex: 'ix-1',
      provider: 'codex',
      disabled: false,
      status: 'active',
      action: 'disable',
      actionReason: 'monitoring.x',
      actionStatus: 'pending',
      usedPercent: 0,
      isQuota: true,
      autoRecoverEligible: false,
      quotaInventoryObserved: true,
      createdAtMs: 7,
    });
  });

  test('has a unique key also without an index', () => {
    const keys = [
      { auth_index: 'x' },
      { account: 'a@example.test' },
      { account: 'a@example.test', id: 'r2' },
      { account_id: 'acc' },
      { id: 'r3' },
    ].map((entry) => inspectionAccountKey(listedOf(entry)));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys[4]).toBe('a.json::-::runtime:{"provider":"","runtimeId":"r3"}');
  });

  test('holds the executed action', () => {
    const before = { disabled: false, actionStatus: 'failed', actionError: 'x' } as const;
    expect<object>(resultAfterAction(before, { action: 'disable', status: 'success', error: '' })).toEqual({
      disabled: true,
      actionStatus: 'success',
      executedAction: 'disable',
    });
    expect<object>(resultAfterAction(before, { action: 'disable', status: 'failed', error: 'y' })).toEqual({
      disabled: false,
      actionStatus: 'failed',
      actionError: 'y',
    });
    const done = { disabled: true, actionStatus: 'success', executedAction: 'disable' } as const;
    expect<object>(resultAfterAction(done, { action: 'disable', status: 'skipped', error: 'z' })).toEqual(done);
    expect(resultAfterAction(done, { action: 'delete', status: 'success', error: '' }).disabled).toBe(true);
  });

  test('is answered as successful unless it failed', () => {
    const known = { id: 31, accountKey: 'a.json::x1', fileName: 'a.json', displayAccount: 'a@example.test' };
    expect(inspectionOutcome(known, 'disable', 'success')).toEqual({
      resultId: 31,
      accountKey: 'a.json::x1',
      fileName: 'a.json',
      displayAccount: 'a@example.test',
      action: 'disable',
      status: 'success',
      success: true,
    });
    expect(inspectionOutcome(known, 'keep', 'skipped', 'why')).toMatchObject({ success: true, error: 'why' });
    expect(inspectionOutcome(known, 'delete', 'failed', 'why').success).toBe(false);
  });

  test('is counted by suggestion and state, and sorted by file and account', () => {
    expect(
      countResults([
        { action: 'keep', disabled: true },
        { action: 'delete', disabled: false },
        { action: 'keep', disabled: false },
      ]),
    ).toEqual({
      disabledCount: 1,
      enabledCount: 2,
      deleteCount: 1,
      disableCount: 0,
      enableCount: 0,
      reauthCount: 0,
      keepCount: 2,
    });
    const names = [
      ['b', 'x'],
      ['a', 'y'],
      ['a', 'x'],
    ].map(([fileName = '', displayAccount = '']) => ({ fileName, displayAccount }));
    expect(names.sort(compareResults).map(({ fileName, displayAccount }) => fileName + displayAccount)).toEqual([
      'ax',
      'ay',
      'bx',
    ]);
  });
});

test('an inspection owns what it disabled as long as exactly that is still disabled', () => {
  const live = readAccounts([
    { id: '1', name: 'a.json', auth_index: '1', provider: 'codex', disabled: true },
    { id: '2', name: 'b.json', auth_index: '2', provider: 'codex' },
    { id: '3', name: 'c.json', auth_index: '3', provider: 'xai', account: 'c@example.test', disabled: true },
    { id: '4', name: 'c.json', auth_index: '4', provider: 'xai', account: 'c@example.test', disabled: true },
  ]);
  const row = (authFileName: string, provider: string, authIndex: string, accountSnapshot = '') =>
    accountIdentity({ authFileName, provider, authIndex, accountSnapshot });
  const kept = row('a.json', 'codex', '1');
  const stale = [row('b.json', 'codex', '2'), row('c.json', 'grok', '', 'c@example.test'), row('d.json', 'codex', '5')];
  const match = matchOwnership([kept, ...stale], live);
  expect([...match.owned].map(({ runtimeId }) => runtimeId)).toEqual(['1']);
  expect(match.stale).toEqual(stale);
});

test('an account that was just enabled is no longer owned, although its status word is old', () => {
  const late = listedOf({
    name: 'a.json',
    auth_index: '1',
    provider: 'codex',
    disabled: false,
    status: 'disabled',
  });
  const row = accountIdentity({ authFileName: 'a.json', provider: 'codex', authIndex: '1', accountSnapshot: '' });
  expect(matchOwnership([row], [late])).toMatchObject({ stale: [row] });
});

test('a sample takes the least recently inspected accounts per provider, in random order among equals', () => {
  const candidate = (name: string, provider: string, lastInspectedAtMs: number | null) => ({
    name,
    provider,
    lastInspectedAtMs,
  });
  const all = [
    candidate('a', 'codex', 30),
    candidate('b', 'codex', null),
    candidate('c', 'codex', 10),
    candidate('d', 'xai', 5),
    candidate('e', 'xai', 5),
  ];
  const lots = [0, 0, 0, 0.9, 0.1];
  expect(sampleAccounts(all, 0, Math.random)).toEqual(all);
  expect(sampleAccounts(all, 2, Math.random).map(({ name }) => name)).toEqual(['b', 'c', 'd', 'e']);
  expect(sampleAccounts(all, 1, () => lots.shift() ?? 0).map(({ name }) => name)).toEqual(['b', 'e']);
});

test('retries wait longer each time, with jitter', () => {
  expect([1, 2, 3].map((tries) => retryWaitMs(tries, 1))).toEqual([250, 500, 1000]);
  expect([retryWaitMs(1, 0), retryWaitMs(30, 1)]).toEqual([125, 8000]);
  expect([probeTimeoutMs(15_000), probeTimeoutMs(90_000)]).toEqual([15_000, 30_000]);
});

test('details of the log hold no secret at any depth', () => {
  expect(
    redactedLogDetail({
      triggerKey: 'manual',
      a: [{ accessToken: 'x', n: 1 }],
      Authorization: { b: 'x' },
      apiKey: 1,
      clientSecret: null,
    }),
  ).toEqual({
    triggerKey: 'manual',
    a: [{ accessToken: '[redacted]', n: 1 }],
    Authorization: '[redacted]',
    apiKey: '[redacted]',
    clientSecret: '[redacted]',
  });
  expect(inspectionLogKey('set_ready')).toBe('monitoring.server_codex_inspection_log_message_set_ready');
});

test('the limit of a list of runs is bounded', () => {
  expect(['', 'x', '0', '-5', '1.5', '7', '200', '201', null].map((text) => inspectionRunLimit(text))).toEqual([
    20, 20, 20, 20, 20, 7, 200, 50, 20,
  ]);
});
