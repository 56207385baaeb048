import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { SUPERSEDED } from '@manager/core/accounts/failures/confirmation';
import { isInconclusive } from '@manager/core/accounts/inspection/result';
import { recordFailures } from '../../features/account-actions/queries/candidates.ts';
import { recordSuccesses } from '../../features/account-actions/queries/confirmations.ts';
import type { BudgetSpent } from '../../features/budgets/queries/budget-spent.ts';
import {
  createQuotaRig,
  DAY,
  HOUR,
  NOW,
  type QuotaRig,
  sentEntry,
  sentFiveHour,
  sentWeekly,
} from '../../features/quotas/testing/rig.ts';
import type { CollectorStatus } from '../../gateway/collector.ts';
import { createQuotaWatch, loginConditions } from './accounts.ts';
import { createBudgetWatch } from './budgets.ts';
import { createCollectorWatch, gapConditions } from './collector.ts';
import { createGatewayUpdateWatch } from './gateway-update.ts';
import { archiveConditions, diskConditions, inspectionConditions } from './storage.ts';

const MINUTE_MS = 60_000;

/** What a provider answered an inspection. */
interface InspectedAnswer {
  readonly status?: number | null;
  readonly errorKind?: string;
  readonly reason?: string;
}

describe('of a database', () => {
  let rig: QuotaRig;
  beforeAll(() => {
    rig = createQuotaRig();
  });
  afterAll(() => rig.close());
  afterEach(() => {
    for (const table of [
      'account_action_candidates',
      'account_successes',
      'inspection_results',
      'inspection_runs',
      'collection_gaps',
      'usage_archive_runs',
    ])
      rig.db.run(`DELETE FROM ${table}`);
  });

  const failure = (file: string, actionType: 'reauth' | 'delete') => ({
    file,
    provider: 'codex',
    authIndex: '1',
    accountId: '',
    accountSnapshot: '',
    authLabel: 'a@example.test',
    actionType,
    reasonCode: 'token_revoked',
    reason: 'The sign-in was revoked; sign in again.',
    autoDisableEligible: true,
    evidence: {},
    seenAtMs: NOW,
  });
  const inspected = (
    run: number,
    file: string,
    action: string,
    atMs: number,
    { status = action === 'reauth' ? 401 : 200, errorKind = '', reason = '' }: InspectedAnswer = {},
  ) => {
    rig.db.run(
      `INSERT OR IGNORE INTO inspection_runs (number, id, trigger_type, trigger_key, status, started_at_ms, settings, created_at_ms, updated_at_ms)
       VALUES (?, ?, 'manual', '', 'completed', ?, '{}', ?, ?)`,
      [run, `run-${run}`, atMs, atMs, atMs],
    );
    rig.db.run(
      `INSERT INTO inspection_results (
         run_number, account_key, file_name, display_account, account_snapshot, auth_index, account_id, provider, disabled, status, state,
         action, action_reason, action_status, executed_action, action_error, status_code, is_quota, auto_recover_eligible,
         quota_inventory_observed, error, error_kind, error_detail, plan_type, created_at_ms
       )
       VALUES (?, ?, ?, 'b@example.test', '', '1', '', 'codex', 0, '', '', ?, ?, 'none', '', '', ?, 0, 0, 0, '', ?, '', '', ?)`,
      [run, file, file, action, reason, status, errorKind, atMs],
    );
  };

  const needed = async () => (await loginConditions(rig.store.reader, NOW)).filter(({ over }) => over !== true);
  const proven = async () => (await loginConditions(rig.store.reader, NOW)).filter(({ over }) => over === true);

  test('an account needs a sign-in once its failure is confirmed', async () => {
    const context = { autoDisable: false, nowMs: NOW };
    recordFailures(rig.db, [failure('a.json', 'reauth'), failure('b.json', 'delete')] as never, context);
    // Its time may have passed without an answer of the gateway.
    rig.db.run("UPDATE account_action_candidates SET confirming_until_ms = 1 WHERE action_type = 'reauth'");
    expect(await loginConditions(rig.store.reader, NOW)).toEqual([]);
    rig.db.run('UPDATE account_action_candidates SET confirming_until_ms = NULL');
    expect(await loginConditions(rig.store.reader, NOW)).toMatchObject([
      { name: 'a@example.test', provider: 'codex', facts: { reason: 'token_revoked' } },
    ]);
  });

  test('or once its newest inspection says so, however long ago', async () => {
    inspected(1, 'a.json', 'reauth', NOW - 80 * DAY);
    inspected(1, 'b.json', 'reauth', NOW - HOUR);
    inspected(2, 'b.json', 'keep', NOW - MINUTE_MS);
    expect(await needed()).toMatchObject([
      { subject: '["a.json","1"]', name: 'b@example.test', sinceMs: NOW - 80 * DAY },
    ]);
  });

  test('an inspection that proves nothing does not end it', async () => {
    const answers: readonly InspectedAnswer[] = [
      { status: 200 },
      { status: 299 },
      { status: null },
      { status: 199 },
      { status: 300 },
      { status: 500 },
      { errorKind: 'not_readable' },
      { errorKind: 'protocol_changed' },
      { errorKind: 'http_status' },
      { reason: 'codex_recovery_unknown' },
      { reason: 'codex_recovery-unknown' },
    ];
    for (const [index, answer] of answers.entries()) {
      inspected(1, `${index}`, 'reauth', NOW - HOUR);
      inspected(2, `${index}`, 'keep', NOW - MINUTE_MS, answer);
    }
    const unproven = answers.flatMap(({ status = 200, errorKind = '', reason = '' }, index) =>
      isInconclusive({ statusCode: status, errorKind, actionReason: reason }) ? [`["${index}","1"]`] : [],
    );
    expect(unproven).toHaveLength(7);
    expect((await needed()).map(({ subject }) => subject).sort()).toEqual(unproven.sort());
  });

  test('it is over where a newer inspection, a success or a withdrawn failure proves it, and else only unknown', async () => {
    inspected(1, 'inspected.json', 'reauth', NOW - DAY);
    inspected(2, 'inspected.json', 'keep', NOW - HOUR);
    inspected(1, 'pruned.json', 'reauth', NOW - DAY);
    inspected(1, 'works.json', 'reauth', NOW - DAY);
    inspected(2, 'closed.json', 'keep', NOW - HOUR);
    inspected(2, 'deleted.json', 'reauth', NOW - HOUR);
    inspected(2, 'deleted-there.json', 'reauth', NOW - HOUR);
    rig.db.run("UPDATE inspection_results SET executed_action = 'delete' WHERE file_name = 'deleted-there.json'");
    const context = { autoDisable: false, nowMs: NOW };
    const seen = ['withdrawn.json', 'closed.json', 'closed-alone.json', 'deleted.json'].map((file) =>
      failure(file, 'reauth'),
    );
    recordFailures(rig.db, seen as never, context);
    rig.db.run("UPDATE account_action_candidates SET status = 'resolved', updated_at_ms = ?", [NOW]);
    rig.db.run("UPDATE account_action_candidates SET reason = ? WHERE auth_file_name = 'withdrawn.json'", [SUPERSEDED]);
    rig.db.run("UPDATE account_action_candidates SET status = 'deleted' WHERE auth_file_name = 'deleted.json'");
    expect((await needed()).map(({ name, subject }) => [name, JSON.parse(subject)[0]])).toEqual([
      ['b@example.test', 'pruned.json'],
      ['b@example.test', 'works.json'],
    ]);

    rig.db.run("UPDATE inspection_results SET auth_index = '2' WHERE file_name = 'works.json'");
    const subject = { file: 'works.json', provider: 'codex', authIndex: '2', accountSnapshot: '' };
    recordSuccesses(rig.db, [{ ...subject, atMs: NOW - MINUTE_MS }], NOW);
    rig.db.run("DELETE FROM inspection_results WHERE file_name = 'pruned.json'");
    expect(await needed()).toEqual([]);
    expect((await proven()).map(({ subject, sinceMs }) => [JSON.parse(subject)[0], sinceMs])).toEqual([
      ['withdrawn.json', NOW],
      ['inspected.json', NOW - HOUR],
      ['works.json', NOW - MINUTE_MS],
    ]);
  });

  test('one account is one condition, however it was found', async () => {
    inspected(1, 'a.json', 'reauth', NOW - HOUR);
    recordFailures(rig.db, [failure('a.json', 'reauth')] as never, { autoDisable: false, nowMs: NOW });
    rig.db.run('UPDATE account_action_candidates SET confirming_until_ms = NULL');
    expect(await loginConditions(rig.store.reader, NOW)).toMatchObject([{ facts: { reason: 'token_revoked' } }]);
  });

  test('quotas are low below the limit, used up at 0, and good after their reset', async () => {
    await rig.send(
      sentEntry(NOW - MINUTE_MS, [sentFiveHour(100, NOW + HOUR), sentWeekly(85, NOW + 3 * DAY)], { file: 'low.json' }),
      sentEntry(NOW - MINUTE_MS, [sentWeekly(60, NOW + 3 * DAY)], { file: 'good.json' }),
    );
    const watch = createQuotaWatch(rig.store.reader);
    const { low, usedUp } = await watch(20, NOW);
    expect(low.map(({ name, facts }) => [name, facts.leftPercent, facts.windowSeconds])).toEqual(
      expect.arrayContaining([
        ['low', 0, 18_000],
        ['low', 15, 604_800],
      ]),
    );
    expect(low).toHaveLength(2);
    expect(usedUp.map(({ facts }) => facts)).toEqual([
      { leftPercent: 0, windowSeconds: 18_000, resetAtMs: NOW + HOUR },
    ]);
    expect((await watch(10, NOW)).low).toHaveLength(1);
    expect((await watch(10, NOW + HOUR)).usedUp).toEqual([]);
  });

  test('quotas are read every two minutes, and a reset counts at once', async () => {
    const file = 'watched.json';
    const left = async (nowMs: number) =>
      (await watch(50, nowMs)).low.filter(({ name }) => name === 'watched').map(({ facts }) => facts.leftPercent);
    const watch = createQuotaWatch(rig.store.reader);
    await rig.send(sentEntry(NOW - 2 * MINUTE_MS, [sentFiveHour(90, NOW + MINUTE_MS)], { file }));
    expect(await left(NOW)).toEqual([10]);
    await rig.send(sentEntry(NOW - MINUTE_MS, [sentFiveHour(95, NOW + MINUTE_MS)], { file }));
    expect(await left(NOW + 1)).toEqual([10]);
    expect(await left(NOW + MINUTE_MS)).toEqual([]);
    // The clock was set back.
    expect(await left(NOW - 1)).toEqual([5]);
  });

  test('gaps count when they are over; starvation has a message of its own', async () => {
    const gap = (kind: string, fromMs: number, toMs: number | null) =>
      rig.db.run('INSERT INTO collection_gaps (from_ms, to_ms, kind, estimated_lost) VALUES (?, ?, ?, NULL)', [
        fromMs,
        toMs,
        kind,
      ]);
    gap('away', NOW - HOUR, NOW - MINUTE_MS);
    gap('dropped', NOW - MINUTE_MS, null);
    gap('starved', NOW - HOUR, NOW - MINUTE_MS);
    gap('away', NOW - 3 * DAY, NOW - 2 * DAY);
    expect(await gapConditions(rig.store.reader, NOW)).toMatchObject([
      { sinceMs: NOW - HOUR, facts: { toMs: NOW - MINUTE_MS } },
    ]);
  });

  test('only the newest ended inspection counts', async () => {
    const run = (number: number, status: string) =>
      rig.db.run(
        `INSERT INTO inspection_runs (number, id, trigger_type, trigger_key, status, started_at_ms, finished_at_ms, settings, created_at_ms, updated_at_ms)
         VALUES (?, ?, 'manual', '', ?, ?, ?, '{}', 0, 0)`,
        [number, `run-${number}`, status, NOW + number, NOW + number + 1],
      );
    run(1, 'failed');
    expect(await inspectionConditions(rig.store.reader)).toMatchObject([{ sinceMs: NOW + 2 }]);
    run(2, 'running');
    expect(await inspectionConditions(rig.store.reader)).toHaveLength(1);
    run(3, 'completed');
    expect(await inspectionConditions(rig.store.reader)).toEqual([]);
  });

  test('archive runs count while they are failed', async () => {
    rig.db.run(
      `INSERT INTO usage_archive_runs (id, mode, schema_version, format, status, cutoff_timestamp_ms, target_event_id, event_count, estimated_bytes, created_at_ms, updated_at_ms)
       VALUES ('0a', 'manual', 1, '', 'failed', 1, 1, 1, 1, 5, 7)`,
    );
    expect(await archiveConditions(rig.store.reader)).toMatchObject([{ subject: '0a', sinceMs: 7 }]);
    rig.db.run("UPDATE usage_archive_runs SET status = 'completed'");
    expect(await archiveConditions(rig.store.reader)).toEqual([]);
  });
});

describe('budgets', () => {
  const spent = (usedUsd: number, members: Partial<BudgetSpent> = {}): BudgetSpent => ({
    ...{ scope: 'client_key', name: 'a'.repeat(64), usd: 100, timeZone: 'Asia/Tokyo', usedUsd, passed: usedUsd >= 100 },
    ...{ fromMs: Date.parse('2026-10-31T15:00:00Z'), toMs: Date.parse('2026-11-30T15:00:00Z') },
    ...members,
  });
  const reader = {
    run: async () => [{ apiKeyHash: 'a'.repeat(64), alias: 'Team A', updatedAtMs: 0 }],
  } as unknown as Parameters<typeof createBudgetWatch>[0]['reader'];

  test('are conditions of their month, and lapse below the amount', async () => {
    const budgets = [spent(100), spent(99, { name: 'b'.repeat(64) }), spent(5, { scope: 'all', name: '' })];
    const conditions = await createBudgetWatch({ spent: async () => budgets, reader })(NOW);
    expect(conditions.map(({ subject, name, lapsed }) => [JSON.parse(subject)[2], name, lapsed ?? false])).toEqual([
      ['2026-11', 'Team A', false],
      ['2026-11', '#bbbbbbbb', true],
      ['2026-11', '', true],
    ]);
    expect(conditions[0]?.facts).toEqual({
      scope: 'client_key',
      usedUsd: 100,
      limitUsd: 100,
      resetAtMs: Date.parse('2026-11-30T15:00:00Z'),
    });
  });

  test('are asked for every five minutes, and at once after a failure', async () => {
    let asked = 0;
    const watch = createBudgetWatch({
      async spent() {
        asked += 1;
        if (asked === 1) throw new Error('busy');
        return [];
      },
      reader,
    });
    await expect(watch(NOW)).rejects.toThrow('busy');
    for (let minute = 1; minute <= 6; minute += 1) await watch(NOW + minute * MINUTE_MS);
    expect(asked).toBe(3);
  });
});

describe('a new version of the gateway', () => {
  const watching = (...answers: readonly (readonly [running: string, newest: string] | null)[]) => {
    let asked = 0;
    const watch = createGatewayUpdateWatch(async () => {
      const answer = answers[asked++];
      if (answer === undefined) throw new Error('no network');
      return answer === null ? null : { running: answer[0], newest: answer[1] };
    });
    return { watch, asked: () => asked };
  };

  test('is asked for once a day', async () => {
    const { watch, asked } = watching(['7.1.39', '7.2.1'], ['7.2.1', '7.2.1']);
    for (let hour = 0; hour < 24; hour += 1) {
      expect(await watch(NOW + hour * HOUR)).toMatchObject([{ subject: '7.2.1', facts: { running: '7.1.39' } }]);
    }
    expect(asked()).toBe(1);
    expect(await watch(NOW + DAY)).toEqual([]);
  });

  test('is unknown without an answer, and asked for again after an hour', async () => {
    const { watch, asked } = watching(null, ['', '7.2.1']);
    for (let minute = 0; minute <= 120; minute += 1) expect(await watch(NOW + minute * MINUTE_MS)).toBeNull();
    expect(asked()).toBe(3);
  });

  test('is none beside a development build', async () => {
    expect(await watching(['7.1.39-dev', '7.2.1']).watch(NOW)).toEqual([]);
  });
});

test('a volume counts once, whatever lies on it', async () => {
  const folders = [
    { name: 'database', path: import.meta.dir },
    { name: 'archives', path: import.meta.dir },
    { name: 'missing', path: `${import.meta.dir}/missing` },
  ];
  const [disk, ...others] = await diskConditions(folders, Number.MAX_SAFE_INTEGER, NOW);
  expect(others).toEqual([]);
  expect(disk?.name).toBe('database');
  expect(disk?.facts.freeBytes).toBeGreaterThan(0);
  expect(await diskConditions(folders, 0, NOW)).toEqual([]);
});

describe('a collector', () => {
  const RUNNING = {
    collector: 'running',
    lastError: '',
    failedStage: null,
    starved: false,
    gaps: { count: 0, open: [] },
  } as unknown as CollectorStatus;
  const FAILING: CollectorStatus = {
    ...RUNNING,
    collector: 'error',
    lastError: 'subscribe: connect ECONNREFUSED 10.0.0.1',
    failedStage: 'subscribe',
  };
  const WAIT = 5;

  let watch: ReturnType<typeof createCollectorWatch>;
  beforeEach(() => {
    watch = createCollectorWatch();
  });

  test('is down after the time that is set; before that it is neither good nor bad', () => {
    expect(watch(RUNNING, WAIT, NOW).down).toEqual([]);
    expect(watch(FAILING, WAIT, NOW + 1).down).toBeNull();
    expect(
      watch({ ...FAILING, collector: 'starting', lastError: '', failedStage: null }, WAIT, NOW + MINUTE_MS).down,
    ).toBeNull();
    expect(watch(FAILING, WAIT, NOW + 5 * MINUTE_MS).down).toBeNull();
    expect(watch(FAILING, WAIT, NOW + 5 * MINUTE_MS + 1).down).toMatchObject([
      { sinceMs: NOW + 1, facts: { reason: 'gateway_unreachable' } },
    ]);
    expect(watch(RUNNING, WAIT, NOW + 6 * MINUTE_MS).down).toEqual([]);
  });

  test('that cannot store events says so', () => {
    const failing: CollectorStatus = { ...FAILING, lastError: 'consume: the disk is full', failedStage: 'consume' };
    watch(failing, WAIT, NOW);
    expect(watch(failing, WAIT, NOW + HOUR).down).toMatchObject([{ facts: { reason: 'events_not_stored' } }]);
  });

  test('that someone switched off is not down', () => {
    watch(FAILING, WAIT, NOW);
    expect(watch({ ...FAILING, collector: 'stopped' }, WAIT, NOW + HOUR)).toEqual({ down: [], starved: [] });
  });

  test('whose key is refused is down, with the reason', () => {
    const refused = {
      ...RUNNING,
      keyRefused: { reason: 'address_banned', tries: 3, lastAtMs: 1, nextTryAtMs: 2 },
    } as CollectorStatus;
    watch(refused, WAIT, NOW);
    expect(watch(refused, WAIT, NOW + HOUR).down).toMatchObject([{ facts: { reason: 'address_banned' } }]);
  });

  test('is starved since the beginning of its gap', () => {
    const last = { fromMs: NOW - HOUR, toMs: null, kind: 'starved', estimatedLost: null } as const;
    const starving: CollectorStatus = { ...RUNNING, starved: true, gaps: { count: 1, open: ['starved'], last } };
    expect(watch(starving, WAIT, NOW)).toMatchObject({ down: [], starved: [{ sinceMs: NOW - HOUR }] });
  });
});
