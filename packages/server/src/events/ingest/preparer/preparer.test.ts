import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { workerEntry } from '../../../sqlite/worker/entry.ts';
import { codeOf } from '../../../sqlite/worker/errors.ts';
import { eventDecoder } from '../../detail/event-decoder.ts';
import { checkInvariants } from '../../invariants/invariants.ts';
import { sampleRecords } from '../../testing/sample-records.ts';
import {
  createTestIngester,
  records,
  recordText,
  TEST_NOW_MS,
  type TestIngester,
} from '../../testing/test-ingester.ts';
import type { IngestRecord } from '../ingest-record.ts';
import { createPreparer, type Preparer, type PreparerOptions } from './preparer.ts';

const ENTRY = workerEntry('workers/preparer.ts');
const STUCK = new URL('./test-preparer.ts', import.meta.url);

let folder: TestFolder;
let preparer: Preparer;
let helped: TestIngester;
/** Chunks that the preparer prepared. */
let prepared: number;

beforeEach(() => {
  folder = createTestFolder();
  prepared = 0;
});
afterEach(() => {
  preparer.close();
  expect(checkInvariants(helped.db)).toEqual([]);
  helped.db.close();
  folder.dispose();
});

/** An ingester whose preparer has started. */
async function withPreparer(options: Partial<PreparerOptions> = {}): Promise<void> {
  const real = createPreparer({ entry: ENTRY, cores: 2, load: { isHigh: () => true }, ...options });
  preparer = {
    ...real,
    begin(batch, snapshots) {
      const shared = real.begin(batch, snapshots);
      if (shared === null) return null;
      return {
        ...shared,
        take(chunk, meanwhile) {
          const events = shared.take(chunk, meanwhile);
          if (events !== null) prepared += 1;
          return events;
        },
      };
    },
  };
  helped = createTestIngester(folder.path('helped.sqlite'), { preparer });
  await started();
}

async function started(): Promise<void> {
  const batch = records(...Array.from({ length: 50 }, () => ''));
  for (;;) {
    preparer.tookMs(0);
    const shared = preparer.begin(batch, null);
    shared?.end();
    if (shared !== null) return;
    await Bun.sleep(2);
  }
}

/** Ingests a batch until the preparer had a part in one: the system may not let its thread run at first. */
async function ingestTogether(next: () => readonly IngestRecord[]): Promise<void> {
  for (prepared = 0; prepared === 0; ) {
    helped.ingest({ records: next() });
    await Bun.sleep(1);
  }
}

function batches(seed: number, count = 300): () => IngestRecord[] {
  const next = sampleRecords({ seed });
  return () => records(...Array.from({ length: count }, next));
}

/** What is stored, with names instead of the numbers of symbols and words, which depend on the thread. */
function contentOf({ db }: TestIngester): unknown {
  const decode = eventDecoder(db);
  const symbols = new Map(
    db
      .query<{ id: number; text: string }, []>('SELECT id, text FROM symbols')
      .all()
      .map(({ id, text }) => [id, text]),
  );
  return {
    events: db
      .query<{ id: number; timestamp_ms: number; detail: Uint8Array }, []>('SELECT * FROM usage_events ORDER BY id')
      .all()
      .map(({ detail, ...row }) => ({ ...row, ...decode(detail) })),
    facts: db.query('SELECT event_id, model, client_ip FROM facts_tail ORDER BY event_id').all().map(named),
    hourly: db.query('SELECT calls, total_tokens, failed FROM hourly_core ORDER BY 1, 2, 3').all(),
    headers: db.query('SELECT * FROM latest_header_snapshots ORDER BY 1').all(),
    letters: db.query('SELECT payload, error FROM dead_letters ORDER BY id').all(),
    counters: db.query('SELECT * FROM counters ORDER BY name').all(),
    collected: db.query('SELECT * FROM collected_batches').all(),
    symbols: [...symbols.values()].sort(),
  };

  function named(row: unknown): unknown {
    const { event_id, model, client_ip } = row as Record<string, number>;
    return [event_id, symbols.get(model ?? 0), symbols.get(client_ip ?? 0)];
  }
}

describe('a preparer', () => {
  test('changes nothing about what is stored and reported, whatever the records are', async () => {
    await withPreparer();
    const alone = createTestIngester(folder.path('alone.sqlite'));
    const next = sampleRecords({ seed: 5 });
    const unusual = [
      'not json',
      '',
      '[1]',
      '{"refresh":true}',
      recordText({ event_hash: 'an opaque hash' }),
      recordText({ request_id: 'lone \ud800 surrogate' }),
      recordText({ request_id: 'b', alias: 'm'.repeat(3_000) }),
      recordText({ timestamp: '1999-01-01T00:00:00Z' }),
      recordText({ tokens: { input_tokens: -7 }, request_id: 'c' }),
      recordText({ request_id: 'd', user_agent: 'Größe 日本 \u{1F600}' }),
    ];
    const snapshots: AccountSnapshotTable = {
      fetchedAtMs: TEST_NOW_MS - 1_000,
      byAuthIndex: {
        '0011223344556677': { account: 'river', label: 'River', file: 'a.json', provider: 'codex', projectId: 'p' },
      },
    };
    for (let round = 0; round < 12 || prepared < 20; round += 1) {
      const texts = Array.from({ length: 150 }, (_, index) =>
        index % 13 === 5 ? (unusual[(round + index) % unusual.length] ?? '') : next(),
      );
      // Also within a batch a second copy is skipped.
      const batch = records(...texts, ...texts.slice(0, 20)).map((record, index) =>
        index % 17 === 0 ? { ...record, repaired: true } : record,
      );
      const args = { records: batch, ...(round === 4 ? { snapshots } : round === 9 ? { snapshots: null } : {}) };
      expect(helped.ingest(args)).toEqual(alone.ingest(args));
      await Bun.sleep(1);
    }
    expect(contentOf(helped)).toEqual(contentOf(alone));
    alone.db.close();
  });

  test('uses words after their commit, so that a rollback never leaves details without them', async () => {
    await withPreparer();
    const next = batches(8);
    const pages = helped.db.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
    for (prepared = 0; prepared < 5; ) {
      helped.db.run(`PRAGMA max_page_count = ${pages}`);
      let code = '';
      try {
        helped.ingest({ records: next() });
      } catch (error) {
        code = codeOf(error);
      }
      expect(code).toBe('SQLITE_FULL');
      await Bun.sleep(1);
    }
    helped.db.run('PRAGMA max_page_count = 1000000');
    expect(helped.db.query('SELECT count(*) AS words FROM detail_words').get()).toEqual({ words: 0 });
    await ingestTogether(next);
    await ingestTogether(next);
  });

  test('leaves a failing record to the writer, which stores its neighbours', async () => {
    await withPreparer();
    const next = batches(9, 200);
    await ingestTogether(next);
    helped.db.run(`
      CREATE TRIGGER refuse BEFORE INSERT ON usage_events WHEN NEW.timestamp_ms = ${Date.UTC(2026, 0, 1)}
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    const bad = recordText({ timestamp: '2026-01-01T00:00:00Z' });
    const batch = next();
    batch.splice(120, 0, ...records(bad));
    expect(helped.ingest({ records: batch })).toMatchObject({ inserted: 200, deadLettered: 1 });
    expect(helped.db.query('SELECT payload FROM dead_letters').all()).toEqual([{ payload: bad }]);
    helped.db.run('DROP TRIGGER refuse');
    await ingestTogether(next);
  });

  test.each([
    ['hangs', 'hang'],
    ['ends its thread', 'end'],
    ['fails', 'fail'],
  ])('that %s in the middle of a batch costs nothing but time, and is replaced', async (_what, order) => {
    await withPreparer({ entry: STUCK, patienceMs: 20 });
    const next = batches(10);
    for (let round = 0; round < 3; round += 1) {
      await started();
      const batch = [...records(order), ...next()];
      expect(helped.ingest({ records: batch })).toMatchObject({ inserted: 300, deadLettered: 1 });
    }
    expect(prepared).toBe(0);
  });

  test('starts only under a high load, and on a machine with a second processor', async () => {
    const idle = [{ load: { isHigh: () => false } }, { cores: 1 }].map((options) =>
      createPreparer({ entry: ENTRY, cores: 2, load: { isHigh: () => true }, ...options }),
    );
    for (const one of idle) one.tookMs(1_000);
    await withPreparer();
    for (const one of idle) {
      expect(one.begin(batches(12)(), null)).toBeNull();
      one.close();
    }
  });

  test('that cannot start leaves everything to the writer, and fails no batch', async () => {
    const nowhere = undefined as unknown as string;
    preparer = createPreparer({ entry: nowhere, cores: 2, load: { isHigh: () => true } });
    helped = createTestIngester(folder.path('helped.sqlite'), { preparer });
    const next = batches(14);
    for (let batch = 0; batch < 3; batch += 1) {
      expect(helped.ingest({ records: next() })).toMatchObject({ inserted: 300, skipped: 0 });
    }
  });

  test('ends after a while without such a load', async () => {
    await withPreparer({ restMs: 50 });
    for (let ended = false; !ended; await Bun.sleep(5)) {
      const shared = preparer.begin(batches(12)(), null);
      shared?.end();
      ended = shared === null;
    }
    expect(helped.ingest({ records: batches(12)() })).toMatchObject({ inserted: 300 });
  });

  test('gets no small batch, and none of many megabytes', async () => {
    await withPreparer();
    expect(preparer.begin(batches(13, 10)(), null)).toBeNull();
    const large = recordText({ request_id: 'x'.repeat(100_000) });
    expect(preparer.begin(records(...Array.from({ length: 60 }, () => large)), null)).toBeNull();
    const shared = preparer.begin(batches(13, 60)(), null);
    expect(shared?.chunks.map(({ length }) => length)).toEqual([25, 25, 10]);
    shared?.end();
  });
});
