import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { QUOTA_SNAPSHOTS_PATH, QUOTA_SNAPSHOTS_QUERY_PATH } from '@manager/core/contract/constants';
import { quotaSnapshotsQueryResponseSchema } from '@manager/core/contract/quotas/snapshots';
import { ADMIN } from '../../http/testing.ts';
import {
  type Body,
  createQuotaRig,
  DAY,
  HOUR,
  NOW,
  type QuotaRig,
  sentEntry,
  sentFiveHour,
  sentWeekly,
} from './testing/rig.ts';

const END = NOW + 3 * DAY;
const ACCOUNT = { auth_file_snapshot: 'a.json', auth_index: '1' };

let rig: QuotaRig;
const rowCount = () => rig.db.query<{ n: number }, []>('SELECT count(*) AS n FROM quota_snapshots').get()?.n;

describe('requests', () => {
  beforeAll(() => {
    rig = createQuotaRig();
  });
  afterAll(() => rig.close());

  test.each<[string, string, string, number]>([
    ['POST', `${QUOTA_SNAPSHOTS_PATH}/`, '{"entries":[]}', 400],
    ['POST', `${QUOTA_SNAPSHOTS_QUERY_PATH}/`, '{"accounts":[]}', 400],
    ['POST', QUOTA_SNAPSHOTS_PATH, 'no json', 400],
    ['POST', QUOTA_SNAPSHOTS_PATH, '', 400],
    ['PUT', QUOTA_SNAPSHOTS_PATH, '{}', 405],
    ['DELETE', QUOTA_SNAPSHOTS_QUERY_PATH, '', 405],
    ['POST', `${QUOTA_SNAPSHOTS_PATH}/other`, '{}', 405],
    ['POST', QUOTA_SNAPSHOTS_PATH, ' '.repeat(4 * 1024 * 1024 + 1), 413],
    ['POST', QUOTA_SNAPSHOTS_QUERY_PATH, ' '.repeat(512 * 1024 + 1), 413],
  ])('%s %s', async (method, path, body, status) => {
    const answer = await fetch(rig.server.url + path, { method, headers: ADMIN, ...(body === '' ? {} : { body }) });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code: status === 405 ? 'method_not_allowed' : 'request_failed' });
  });

  test('need the key', async () => {
    for (const path of [QUOTA_SNAPSHOTS_PATH, QUOTA_SNAPSHOTS_QUERY_PATH]) {
      expect((await fetch(rig.server.url + path, { method: 'POST', body: '{}' })).status).toBe(401);
    }
  });

  const entry = (change: Body) => ({ entries: [{ ...sentEntry(NOW, [sentWeekly(10, END)]), ...change }] });
  test.each<[Body, string]>([
    [{ entries: [sentEntry(NOW, [sentWeekly(1, END)])], payload: 1 }, 'payload'],
    [entry({ raw_body: {} }), 'raw_body'],
    [entry({ account: { ...ACCOUNT, access_token: 'secret-value' } }), 'access_token'],
    [entry({ observation: { inventory_scope_key: 's', inventory_mode: 'partial', extra: 1 } }), 'extra'],
    [entry({ windows: [sentWeekly(1, END, { resets_in: 5 })] }), 'resets_in'],
    [entry({ windows: [sentWeekly(1, END, { reset_credits: [{ id: 'c', status: 'x' }] })] }), 'status'],
    [entry({ removed_windows: [{ provider_window_id: 'w', why: 1 }] }), 'why'],
    [entry({ provider: 'gemini' }), 'unsupported provider'],
    [entry({ account: {} }), 'identifies'],
    [entry({ windows: [sentWeekly(101, END)] }), 'used_percent'],
    [entry({ windows: [sentWeekly(1, END), sentWeekly(2, END)] }), 'twice'],
    [{ entries: [sentEntry(NOW + 6 * 60_000, [sentWeekly(1, END)])] }, 'future'],
    [{ entries: Array.from({ length: 401 }, () => sentEntry(NOW, [sentWeekly(1, END)])) }, 'entries'],
  ])('of a write are refused by name: %#', async (body, text) => {
    const answer = await rig.post(QUOTA_SNAPSHOTS_PATH, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'request_failed' } });
    expect(JSON.stringify(answer.body)).toContain(text);
    expect(JSON.stringify(answer.body)).not.toContain('secret-value');
    expect(rowCount()).toBe(0);
  });

  test.each<[Body, string]>([
    [{ accounts: [{ row_key: 'r', provider: 'codex', account: ACCOUNT }], now: 1 }, 'now'],
    [{ accounts: [{ row_key: 'r', provider: 'codex', account: { ...ACCOUNT, token: 'x' } }] }, 'token'],
    [{ accounts: [{ row_key: ' ', provider: 'codex', account: ACCOUNT }] }, 'row_key'],
    [{ accounts: [{ row_key: 'r', provider: 'vertex', account: ACCOUNT }] }, 'unsupported provider'],
    [
      { accounts: Array.from({ length: 201 }, () => ({ row_key: 'r', provider: 'codex', account: ACCOUNT })) },
      'accounts',
    ],
  ])('of a query are refused by name: %#', async (body, text) => {
    const answer = await rig.post(QUOTA_SNAPSHOTS_QUERY_PATH, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'request_failed' } });
    expect(JSON.stringify(answer.body)).toContain(text);
  });
});

describe('writes', () => {
  beforeEach(() => {
    rig = createQuotaRig();
  });
  afterEach(() => rig.close());

  test('are answered in order and can be sent again', async () => {
    const entries = [
      sentEntry(NOW, [sentFiveHour(3, NOW + HOUR), sentWeekly(10, END)], { id: 'one' }),
      { ...sentEntry(NOW, [sentWeekly(20, END)], { file: 'b.json' }), row_key: null },
    ];
    const first = await rig.send(...entries);
    expect(first.observed_at_ms).toBe(NOW);
    expect(first.items.map(({ row_key, inserted_count }) => [row_key, inserted_count])).toEqual([
      ['row', 2],
      [undefined, 1],
    ]);
    expect(first.items[0]?.account_key).toBe('usage-account-history:2:file-index:612E6A736F6E:31');
    const views = await rig.windows(NOW);
    expect((await rig.send(...entries)).items.map(({ inserted_count }) => inserted_count)).toEqual([0, 0]);
    expect(rowCount()).toBe(3);
    expect(await rig.windows(NOW)).toEqual(views);
    // Members in another order, with inherited ones written out, are the same observation.
    const [entry] = entries;
    const reordered = Object.fromEntries(
      Object.entries({ ...entry, windows: [sentWeekly(10, END), sentFiveHour(3, NOW + HOUR)] }).reverse(),
    );
    expect((await rig.send(reordered)).items[0]?.inserted_count).toBe(0);
  });

  test('return every member that was sent', async () => {
    const window = {
      provider_window_id: 'limit-0',
      window_kind: 'daily',
      window_mode: 'calendar',
      model_scope_kind: 'models',
      model_scope_key: 'k',
      model_ids: ['b', 'a'],
      provider_window_aliases: ['old'],
      boundary_accuracy: 'estimated',
      cycle_start_ms: NOW - 1_500,
      cycle_end_ms: NOW + 86_398_999,
      used_percent: 12.5,
      remaining_percent: 87.5,
      used_value: 0,
      limit_value: 4.5,
      quota_unit: 'credits',
      reset_credits_available: 2,
      reset_credits: [{ id: 'c', expires_at_ms: NOW + DAY }, { id: 'd' }],
      plan_type: 'pro',
      relationship_kind: 'concurrent_subwindow',
      container_provider_window_id: 'limit-1',
    };
    const entry = {
      ...sentEntry(NOW, [window], { source: 'api_query', scope: 'kimi:quota-windows' }),
      provider: 'kimi',
    };
    await rig.send(entry);
    const answer = await rig.post(QUOTA_SNAPSHOTS_QUERY_PATH, {
      accounts: [
        { row_key: 'k', provider: 'KIMI', account: ACCOUNT },
        { row_key: 'none', provider: 'claude', account: ACCOUNT },
      ],
    });
    const { generated_at_ms, items } = quotaSnapshotsQueryResponseSchema.parse(answer.body);
    expect(generated_at_ms).toBe(NOW);
    expect(items.map(({ row_key, windows }) => [row_key, windows.length])).toEqual([
      ['k', 1],
      ['none', 0],
    ]);
    expect(items[0]?.windows[0]).toMatchObject({
      ...window,
      model_ids: ['a', 'b'],
      source: 'api_query',
      observed_at_ms: NOW,
      stale: false,
      availability: 'active',
      activation_generation: 1,
      first_seen_at_ms: NOW,
      last_seen_at_ms: NOW,
      field_sources: { quota: { source: 'api_query', observed_at_ms: NOW } },
      current_cycle: { state: 'active', actual_start_ms: NOW - 1_500, forecast_eligible: false },
    });
  });

  test('store all entries or none, and a failing disk differs from an invalid request', async () => {
    rig.db.run(
      `CREATE TRIGGER full_disk BEFORE INSERT ON quota_snapshots WHEN NEW.used_percent = 66
       BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
    const good = sentEntry(NOW, [sentWeekly(10, END)]);
    const failing = sentEntry(NOW, [sentWeekly(66, END)], { file: 'b.json' });
    const answer = await rig.post(QUOTA_SNAPSHOTS_PATH, { entries: [good, failing] });
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('disk full');
    for (const table of ['accounts', 'states', 'observations', 'snapshots']) {
      expect(rig.db.query(`SELECT * FROM quota_${table}`).all()).toEqual([]);
    }
    rig.db.run('DROP TRIGGER full_disk');
    expect((await rig.send(good, failing)).items.map(({ inserted_count }) => inserted_count)).toEqual([1, 1]);
  });

  test('of the largest number of windows are one write', async () => {
    const windows = Array.from({ length: 400 }, (_, index) =>
      sentWeekly(index / 4, END, {
        provider_window_id: `w-${index}`,
        model_scope_kind: 'product',
        model_scope_key: 'p',
      }),
    );
    const answer = await rig.send(sentEntry(NOW, windows, { source: 'api_query', mode: 'complete' }));
    expect(answer.items[0]?.inserted_count).toBe(400);
    expect(await rig.windows(NOW)).toHaveLength(400);
  });
});
