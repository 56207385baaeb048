import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { accountHistoryResponseSchema } from '@manager/core/contract/accounts/history';
import { ACCOUNT_HISTORY_PATH } from '@manager/core/contract/constants';
import type { UsageEvent } from '@manager/core/usage/event';
import { sealTail } from '../../facts/seal.ts';
import { testEvent } from '../../facts/testing/test-database.ts';
import { ADMIN, startTestServer } from '../../http/testing.ts';
import { post, type Site } from '../monitoring/testing/site.ts';
import { differences, LAYOUTS, storeVectorPrices, VECTOR_CASES, vectorEvents } from '../monitoring/testing/vectors.ts';
import { historyOf, openAccounts, PATHS, usageOf } from './testing.ts';

const ofOp = (op: string) => VECTOR_CASES.filter((vector) => vector.op === op);

for (const [layout, seals] of LAYOUTS) {
  describe(`account vectors, ${layout}`, () => {
    let site: Site;
    beforeAll(() => {
      site = openAccounts(({ db, ...database }) => {
        const events = vectorEvents('main');
        storeVectorPrices(db);
        database.insert(events);
        for (const rows of seals) sealTail({ db, now: Date.now }, rows === 'all' ? events.length : rows);
      });
    });
    afterAll(() => site.dispose());

    for (const vector of ofOp('account_history')) {
      test(vector.id, async () => {
        const answer = await historyOf(site, vector.request);
        expect(differences(answer, vector.expect)).toEqual([]);
        expect(answer.checkpoint).toEqual({ last_event_id: 15, latest_id: 15, pending: false, processed: 0 });
        // Repeated, cached results must give the same answer.
        expect((await historyOf(site, vector.request)).items).toEqual(answer.items);
      });
    }
    for (const vector of ofOp('account_window_usage')) {
      test(vector.id, async () => {
        const answer = await usageOf(site, vector.request);
        expect(differences(answer, vector.expect)).toEqual([]);
        expect((await usageOf(site, vector.request)).items).toEqual(answer.items);
      });
    }
  });
}

describe('when raw events are deleted', () => {
  test('totals stay, recent requests shrink', async () => {
    const site = openAccounts((database) => {
      storeVectorPrices(database.db);
      database.insert(vectorEvents('main'));
      sealTail({ db: database.db, now: Date.now }, 4);
    });
    for (const vector of [...ofOp('account_history'), ...ofOp('account_window_usage')]) {
      await post(site, PATHS[vector.op] ?? '', vector.request);
    }
    site.database.db.run('DELETE FROM usage_events WHERE id < 12');
    for (const vector of ofOp('account_window_usage')) {
      expect(differences(await usageOf(site, vector.request), vector.expect)).toEqual([]);
    }
    for (const vector of ofOp('account_history')) {
      const { items } = await historyOf(site, vector.request);
      expect(items.map(({ total_requests }) => total_requests)).toEqual([7, 1, 4, 1, 0]);
      expect(items.map(({ recent_requests }) => recent_requests?.length ?? 0)).toEqual([3, 0, 0, 0, 0]);
    }
    site.database.db.run('DELETE FROM usage_events');
    const [vector] = ofOp('account_history');
    const { items, checkpoint } = await historyOf(site, vector?.request);
    expect(checkpoint.latest_id).toBe(15);
    expect(items[0]).toMatchObject({ total_requests: 7, total_tokens: 4263, first_seen_ms: 1_773_057_600_000 });
    expect(items[0]).not.toHaveProperty('latest_request');
    await site.dispose();
  });
});

test('a price that was just changed counts', async () => {
  const site = openAccounts((database) => {
    storeVectorPrices(database.db);
    database.insert(vectorEvents('main'));
    sealTail({ db: database.db, now: Date.now }, 10);
  });
  const [vector] = ofOp('account_history');
  const before = await historyOf(site, vector?.request);
  site.database.db.run(
    `UPDATE model_prices SET price = '{"prompt":4,"completion":16,"cache":1}' WHERE model = 'alpha-1'`,
  );
  site.database.db.run(
    `INSERT INTO counters VALUES ('price_revision', 9) ON CONFLICT (name) DO UPDATE SET value = value + 1`,
  );
  const after = await historyOf(site, vector?.request);
  expect(after.items[0]?.total_cost).toBeCloseTo(2 * (before.items[0]?.total_cost ?? 0), 12);
  await site.dispose();
});

describe('recent requests', () => {
  test('ignore case, use the source of events without file, and are at most ten with plausible times', async () => {
    const at = (id: number, members: Partial<UsageEvent>) =>
      testEvent(id, { timestamp_ms: 1_773_100_800_000 + id, auth_provider_snapshot: 'codex', ...members });
    const person = { source: 'me@example.test', auth_provider_snapshot: 'codex' };
    const site = openAccounts((database) => {
      database.insert([
        ...Array.from({ length: 12 }, (_, index) =>
          at(index + 1, { auth_file_snapshot: 'ÉCOLE.json', auth_index: 'A1' }),
        ),
        at(13, { source: 'école.JSON', auth_index: 'a1', failed: true, fail_status_code: 503, fail_summary: 'busy' }),
        at(14, { auth_file_snapshot: 'école.json', auth_index: '' }),
        at(15, { auth_file_snapshot: 'other.json', source: 'école.json', auth_index: 'a1' }),
        at(17, { ...person, account_snapshot: 'me@example.test' }),
        at(16, {
          auth_file_snapshot: 'école.json',
          auth_index: 'a1',
          timestamp_ms: 4_000_000_000_000,
          created_at_ms: 1,
        }),
      ]);
      sealTail({ db: database.db, now: Date.now }, 5);
      database.db.run('UPDATE facts_tail SET flags = flags | 16 WHERE event_id = 16');
    });
    const identity = { auth_file_snapshot: 'École.json', auth_provider_snapshot: 'codex' };
    const { items } = await historyOf(site, {
      accounts: [
        { row_key: 'with index', ...identity, auth_index: 'a1' },
        { row_key: 'without', ...identity },
        { row_key: 'as source', source: 'éCOLE.json', auth_provider_snapshot: 'codex', auth_index: 'A1' },
        { row_key: 'source without a file', ...person },
      ],
    });
    const seconds = items.map(({ recent_requests }) =>
      recent_requests?.map(({ timestamp_ms }) => timestamp_ms - 1_773_100_800_000),
    );
    const newest = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4];
    expect(seconds).toEqual([newest, [14], newest, undefined]);
    expect(items[2]?.recent_requests).toEqual(items[0]?.recent_requests);
    const server = startTestServer({ handlers: { monitoring: site.app } });
    const asSource = { row_key: 'a', source: 'école.json', auth_provider_snapshot: 'codex', auth_index: 'a1' };
    const answer = await fetch(server.url + ACCOUNT_HISTORY_PATH, {
      method: 'POST',
      headers: ADMIN,
      body: JSON.stringify({ accounts: [asSource] }),
    });
    const [only] = accountHistoryResponseSchema.parse(await answer.json()).items;
    expect(only?.recent_requests).toEqual(items[0]?.recent_requests);
    await server.stop(0);
    expect(items[0]?.latest_request).toEqual({
      timestamp_ms: 1_773_100_800_013,
      failed: true,
      fail_status_code: 503,
      fail_summary: 'busy',
    });
    await site.dispose();
  });
});

describe('model scopes', () => {
  const START_MS = 1_773_100_800_000;
  const MODELS = ['gpt-5.3-codex-spark', 'gpt-5.4', 'Claude-X(high)', 'gemini-2', 'llama', '-'];
  let site: Site;
  beforeAll(() => {
    site = openAccounts((database) =>
      database.insert(
        MODELS.map((model, index) => testEvent(index + 1, { model, auth_index: 'i', auth_provider_snapshot: 'codex' })),
      ),
    );
  });
  afterAll(() => site.dispose());

  const SCOPES = [
    [null, 6, 0, 'complete'],
    [{ kind: 'all', complete: false }, 0, 0, 'unmatched'],
    [{ kind: 'family', key: 'codex_main' }, 4, 1, 'partial'],
    [{ kind: 'family', key: 'claude_gpt' }, 3, 2, 'partial'],
    [{ kind: 'family', key: 'GEMINI' }, 1, 2, 'partial'],
    [{ kind: 'family', key: 'other' }, 0, 2, 'partial'],
    [{ kind: 'models', models: ['LLAMA(low)', 'claude-x'] }, 2, 1, 'partial'],
    [{ kind: 'product', key: 'p' }, 0, 0, 'unmatched'],
    [{ kind: 'product', key: 'p', complete: true }, 0, 0, 'complete'],
    [{ kind: 'feature', key: 'p', models: ['llama'], complete: true }, 1, 1, 'partial'],
  ] as const;
  for (const [model_scope, requests, unmatched, status] of SCOPES) {
    test(JSON.stringify(model_scope), async () => {
      const window = { row_key: 'a', provider_window_id: 'w', from_ms: START_MS, to_ms: START_MS + 1000 };
      const { items } = await usageOf(site, {
        windows: [{ ...window, auth_index: 'i', auth_provider_snapshot: 'codex', model_scope }],
      });
      expect(items).toMatchObject([
        { total_requests: requests, unmatched_requests: unmatched, scope_match_status: status },
      ]);
    });
  }
});
