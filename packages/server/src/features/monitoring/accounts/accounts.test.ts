import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ACCOUNT_HISTORY_PATH, accountHistoryResponseSchema } from '@manager/core/contract/account-history';
import {
  ACCOUNT_WINDOW_USAGE_PATH,
  accountWindowUsageResponseSchema,
} from '@manager/core/contract/account-window-usage';
import { costOfEvent } from '@manager/core/pricing/cost';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { accountKey } from '@manager/core/usage/account-key';
import type { UsageEvent } from '@manager/core/usage/event';
import { analyticsModel, billingModel, effectiveRequestedModel } from '@manager/core/usage/models';
import { sealTail } from '../../../facts/seal.ts';
import { type StoredEvent, type TestDatabase, testEvent } from '../../../facts/testing/test-database.ts';
import { monitoringRoutes } from '../routes.ts';
import { openSite, post, type Site } from '../testing/site.ts';
import {
  differences,
  LAYOUTS,
  storeVectorPrices,
  VECTOR_CASES,
  VECTOR_ERRORS,
  vectorEvents,
} from '../testing/vectors.ts';

const PATHS: Readonly<Record<string, string>> = {
  account_history: ACCOUNT_HISTORY_PATH,
  account_window_usage: ACCOUNT_WINDOW_USAGE_PATH,
};

function openAccounts(prepare: (database: TestDatabase) => void): Site {
  return openSite((analytics) => monitoringRoutes({ analytics, now: Date.now }), prepare);
}

async function historyOf(site: Site, body: unknown) {
  const answer = await post(site, ACCOUNT_HISTORY_PATH, body);
  expect(answer).toMatchObject({ status: 200 });
  return accountHistoryResponseSchema.parse(answer.body);
}

async function usageOf(site: Site, body: unknown) {
  const answer = await post(site, ACCOUNT_WINDOW_USAGE_PATH, body);
  expect(answer).toMatchObject({ status: 200 });
  return accountWindowUsageResponseSchema.parse(answer.body);
}

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
        // Asked again, what is kept must give the same.
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

test('a price that changed a moment ago counts', async () => {
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

describe('requests', () => {
  let site: Site;
  beforeAll(() => {
    site = openAccounts((database) => database.insert(vectorEvents('main')));
  });
  afterAll(() => site.dispose());

  for (const wrong of VECTOR_ERRORS.filter(({ op }) => op in PATHS)) {
    test(`${JSON.stringify(wrong.request)} is ${wrong.status}`, async () => {
      const answer = await post(site, PATHS[wrong.op] ?? '', wrong.request);
      expect(answer).toMatchObject({ status: wrong.status, body: { code: wrong.code } });
      if (wrong.error !== undefined) expect(answer.body).toMatchObject({ error: wrong.error });
    });
  }

  const target = { row_key: 'a', auth_index: 'a1' };
  const gemini = { auth_index: 'g1', source: 'k:gem***1', auth_provider_snapshot: 'gemini' };
  const REFUSED_HISTORY = [
    ['no JSON', '{', 'not valid JSON'],
    ['a list', [], 'request body'],
    ['nothing', {}, 'accounts: missing'],
    [
      'too many',
      { accounts: Array.from({ length: 201 }, (_, i) => ({ ...target, row_key: `${i}` })) },
      'accounts: at most 200',
    ],
    ['a blank row key', { accounts: [{ ...target, row_key: ' ' }] }, 'row_key: missing'],
    ['a number for a text', { accounts: [{ ...target, auth_index: 1 }] }, 'string expected'],
    ['an unknown member', { accounts: [target], surprise: 1 }, 'surprise'],
    ['a source that is a file without provider', { accounts: [{ row_key: 'a', source: 'k:1' }] }, 'needed with a file'],
    ['blank identity', { accounts: [{ row_key: 'a', auth_index: ' ', account_key: '' }] }, 'target: no identity field'],
  ] as const;
  for (const [title, body, text] of REFUSED_HISTORY) {
    test(`account history: ${title} is refused`, async () => {
      const answer = await post(site, ACCOUNT_HISTORY_PATH, body);
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(text) } });
    });
  }

  const window = {
    row_key: 'a',
    provider_window_id: 'w',
    from_ms: 1,
    to_ms: 2,
    auth_index: '1',
    auth_provider_snapshot: 'codex',
  };
  // Each breaks the rule that is named and all that come later.
  const bad = { model_scope: {} };
  const badPeriod = { ...bad, period: 'next' };
  const noIdentity = { ...badPeriod, auth_index: '', source: '' };
  const noProvider = { ...noIdentity, auth_file_snapshot: 'f', auth_provider_snapshot: ' ' };
  const noRange = { ...noProvider, to_ms: 1 };
  const noWindow = { ...noRange, provider_window_id: '', window_key: ' ' };
  const REFUSED_WINDOWS = [
    [{ ...noWindow, row_key: '' }, 'row_key: missing'],
    [noWindow, 'provider_window_id: missing'],
    [noRange, 'from_ms, to_ms: both needed, from_ms < to_ms'],
    [{ ...noRange, to_ms: 8_640_000_000_000_001 }, 'to_ms: at most 8640000000000000'],
    [noProvider, 'auth_provider_snapshot: needed with a file'],
    [noIdentity, 'target: no credential identity'],
    [badPeriod, 'period: unknown value'],
    [bad, 'model_scope: invalid'],
    [{ model_scope: { kind: 'everything' } }, 'model_scope: invalid'],
    [{ model_scope: { kind: 'models', models: [' '] } }, 'model_scope: invalid'],
    [{ model_scope: { kind: 'family', models: [] } }, 'model_scope: invalid'],
    [{ from_ms: 1.5 }, 'windows.0.from_ms: integer expected'],
    [{ surprise: 1 }, 'windows.0: Unrecognized key: "surprise"'],
  ] as const;
  for (const [change, text] of REFUSED_WINDOWS) {
    test(`account window usage: ${text} (${Object.keys(change).join()})`, async () => {
      const answer = await post(site, ACCOUNT_WINDOW_USAGE_PATH, { windows: [{ ...window, ...change }] });
      expect(answer).toEqual({ status: 400, body: { error: text, code: 'request_failed' } });
    });
  }

  test('more than 400 windows are refused', async () => {
    const answer = await post(site, ACCOUNT_WINDOW_USAGE_PATH, { windows: new Array(401).fill(window) });
    expect(answer).toMatchObject({ status: 400, body: { error: 'windows: at most 400' } });
  });

  test('names match in any case, and a scope may hold more members', async () => {
    const { items } = await historyOf(site, {
      Accounts: [{ ROW_KEY: ' a ', Auth_Index: 'g1', SOURCE: 'k:gem***1', auth_provider_snapshot: 'gemini' }],
    });
    expect(items).toMatchObject([{ row_key: ' a ', matched: true, total_requests: 2 }]);
    const usage = await usageOf(site, {
      WINDOWS: [{ ...window, MODEL_SCOPE: { Kind: 'ALL', label: 'x' }, request_key: ' q ', PERIOD: ' Previous ' }],
    });
    expect(usage.items).toMatchObject([{ request_key: 'q', period: 'previous' }]);
  });

  test('GET with a request parameter answers like POST', async () => {
    const body = { accounts: [{ row_key: 'a', ...gemini }] };
    const url = `${site.url}${ACCOUNT_HISTORY_PATH}?request=${encodeURIComponent(JSON.stringify(body))}`;
    const got = accountHistoryResponseSchema.parse(await (await fetch(url)).json());
    expect(got.items).toEqual((await historyOf(site, body)).items);
    expect((await fetch(site.url + ACCOUNT_WINDOW_USAGE_PATH)).status).toBe(405);
  });

  test('a body too long for the main thread is answered by the worker, its faults too', async () => {
    const padding = 'x'.repeat(300_000);
    const body = { accounts: [{ row_key: padding, ...gemini }] };
    expect((await historyOf(site, body)).items).toMatchObject([{ total_requests: 2 }]);
    const answer = await post(site, ACCOUNT_HISTORY_PATH, { accounts: [{ row_key: padding }] });
    expect(answer).toMatchObject({ status: 400, body: { error: 'target: no identity field' } });
  });

  test('a key of an earlier answer counts only without identity', async () => {
    const [first] = (
      await historyOf(site, {
        accounts: [{ ...target, auth_file_snapshot: 'codex-a.json', auth_provider_snapshot: 'codex' }],
      })
    ).items;
    const account_key = first?.account_key;
    const { items } = await historyOf(site, {
      accounts: [
        { row_key: 'by key', account_key },
        { row_key: 'by identity', account_key, ...gemini },
        { row_key: 'unknown', account_key: 'usage-account-history:2:file:00' },
      ],
    });
    expect(items.map(({ total_requests }) => total_requests)).toEqual([7, 2, 0]);
    expect(items[0]).not.toHaveProperty('latest_request');
  });
});

describe('recent requests', () => {
  test('ignore case, take the source of events without file, and are at most ten of plausible times', async () => {
    const at = (id: number, members: Partial<UsageEvent>) =>
      testEvent(id, { timestamp_ms: 1_773_100_800_000 + id, auth_provider_snapshot: 'codex', ...members });
    const site = openAccounts((database) => {
      database.insert([
        ...Array.from({ length: 12 }, (_, index) =>
          at(index + 1, { auth_file_snapshot: 'ÉCOLE.json', auth_index: 'A1' }),
        ),
        at(13, { source: 'école.JSON', auth_index: 'a1', failed: true, fail_status_code: 503, fail_summary: 'busy' }),
        at(14, { auth_file_snapshot: 'école.json', auth_index: '' }),
        at(15, { auth_file_snapshot: 'other.json', source: 'école.json', auth_index: 'a1' }),
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
      ],
    });
    const seconds = items.map(({ recent_requests }) =>
      recent_requests?.map(({ timestamp_ms }) => timestamp_ms - 1_773_100_800_000),
    );
    expect(seconds).toEqual([[13, 12, 11, 10, 9, 8, 7, 6, 5, 4], [14]]);
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

describe('against a recount of random events', () => {
  const START_MS = 1_773_100_800_000;
  const SPAN_MS = 5_000;
  const events = randomEvents(20_000, 7);
  const byKey = Map.groupBy(events, accountKey);
  const book = createPriceBook({ 'model-1': { prompt: 2, completion: 8, cache: 0.5 } });
  let site: Site;
  beforeAll(() => {
    site = openAccounts((database) => {
      database.db
        .query(`INSERT INTO model_prices (model, source, price, updated_at_ms) VALUES ('model-1', 'manual', ?, 0)`)
        .run(JSON.stringify({ prompt: 2, completion: 8, cache: 0.5 }));
      database.insert(events);
      for (const rows of [6_000, 7_000]) sealTail({ db: database.db, now: Date.now }, rows);
    });
  });
  afterAll(() => site.dispose());

  function recount(key: string, fromMs: number, toMs: number) {
    const all = byKey.get(key) ?? [];
    const mine = all.filter((event) => event.timestamp_ms >= fromMs && event.timestamp_ms < toMs);
    const times = mine.map(({ timestamp_ms }) => timestamp_ms);
    const cost = mine.reduce((sum, event) => sum + costOf(event), 0);
    return {
      total_requests: mine.length,
      failure_calls: mine.filter(({ failed }) => failed).length,
      total_tokens: mine.reduce((sum, event) => sum + event.total_tokens, 0),
      total_cost: expect.closeTo(cost, 9),
      last_seen_ms: times.length === 0 ? null : Math.max(...times),
    };
  }

  function costOf(event: StoredEvent): number {
    const identity = {
      analyticsModel: analyticsModel(event),
      billingModel: billingModel(event),
      requestedModel: effectiveRequestedModel(event),
      serviceTier: '',
    };
    return costOfEvent(book, identity, {
      totalInput: event.input_tokens,
      uncachedInput: event.input_tokens,
      cached: 0,
      cacheRead: 0,
      cacheCreation: 0,
      billableOutput: event.output_tokens,
    });
  }

  test('200 accounts have the totals of their events', async () => {
    const accounts = Array.from({ length: 200 }, (_, index) => ({ row_key: `${index}`, ...identityOf(index) }));
    const { items } = await historyOf(site, { accounts });
    expect(items.map(({ row_key }) => row_key)).toEqual(accounts.map(({ row_key }) => row_key));
    for (const item of items) {
      expect(item).toMatchObject(recount(item.account_key, 0, 8e15));
      const times = (byKey.get(item.account_key) ?? []).map((event) => event.timestamp_ms);
      expect(item.first_seen_ms).toBe(times.length === 0 ? null : Math.min(...times));
    }
    expect(items.filter(({ matched }) => matched).length).toBeGreaterThan(100);
  });

  test('400 overlapping windows are each complete', async () => {
    const windows = Array.from({ length: 400 }, (_, index) => {
      const from_ms = START_MS + ((index * 37) % SPAN_MS);
      return {
        row_key: `${index}`,
        provider_window_id: 'w',
        from_ms,
        to_ms: from_ms + 1 + ((index * 911) % SPAN_MS),
        ...identityOf(index % 5),
      };
    });
    const { items } = await usageOf(site, { windows });
    for (const [index, item] of items.entries()) {
      const { from_ms, to_ms, ...identity } = windows[index] ?? { from_ms: 0, to_ms: 0 };
      const key = accountKey(testEvent(1, identity));
      expect(item).toMatchObject(recount(key, from_ms, to_ms));
    }
  });

  function identityOf(index: number) {
    return index % 3 === 0
      ? {
          auth_file_snapshot: `file-${index}.json`,
          auth_provider_snapshot: 'codex',
          account_snapshot: 'one@example.test',
        }
      : { auth_index: `index-${index}`, auth_provider_snapshot: index % 2 === 0 ? 'x_ai' : 'Grok' };
  }

  function randomEvents(count: number, seed: number): StoredEvent[] {
    let state = seed;
    const below = (limit: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (state >> 8) % limit;
    };
    return Array.from({ length: count }, (_, index) => {
      // Half of the events belong to the first five accounts.
      const identity = identityOf(below(2) === 0 ? below(5) : below(150));
      return testEvent(index + 1, {
        ...identity,
        timestamp_ms: START_MS + below(SPAN_MS * 2),
        model: `model-${below(3)}`,
        input_tokens: below(5_000),
        output_tokens: below(500),
        total_tokens: below(5_500),
        failed: below(10) === 0,
      });
    });
  }
});
