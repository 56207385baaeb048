import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openDatabase } from '../sqlite/open.ts';
import { createColumnCache } from './cache.ts';
import { FACT_COLUMNS, type FactColumn } from './columns.ts';
import { selectRows } from './kernels/selection.ts';
import { compileQuery, type FactFilters, NO_FILTERS } from './query.ts';
import { createFactReader, type FactSnapshot } from './reader.ts';
import { selectedRows } from './rows.ts';
import { sealTail } from './seal.ts';
import { SegmentDamaged } from './segment/blob.ts';
import { textAt } from './segment/texts.ts';
import { createTestDatabase, type TestDatabase, testEvent } from './testing/test-database.ts';

let database: TestDatabase;
let db: Database;

beforeEach(() => {
  database = createTestDatabase();
  db = openDatabase(database.path, { readonly: true });
});
afterEach(() => {
  db.close();
  database.dispose();
});

/** Every value of every fact, by event id. */
function dump(snapshot: FactSnapshot): Map<number, unknown[]> {
  const facts = new Map<number, unknown[]>();
  for (const chunk of snapshot.chunks) {
    const ids = chunk.eventIds();
    for (let row = 0; row < chunk.rowCount; row++) {
      const values = (Object.keys(FACT_COLUMNS) as FactColumn[]).map((name) => {
        const kind = FACT_COLUMNS[name];
        if (kind === 'text') return textAt(chunk.texts(name), row);
        if (kind === 'bytes') {
          const { rows, opaque } = chunk.hashes(name);
          return opaque.get(row) ?? Buffer.from(rows.subarray(row * 32, row * 32 + 32)).toString('hex');
        }
        if (kind === 'symbol') {
          const { set, codes } = chunk.symbols(name);
          return snapshot.symbols.text(set[codes?.[row] ?? 0] ?? 0);
        }
        const { base, values: offsets } = chunk.numbers(name);
        return base + (offsets?.[row] ?? 0);
      });
      facts.set(ids.base + (ids.values?.[row] ?? 0), values);
    }
  }
  return facts;
}

function events(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => {
    const id = from + index;
    return testEvent(id, {
      event_hash: id % 5 === 0 ? `legacy-${id}` : Bun.SHA256.hash(String(id), 'hex'),
      model: `m-${id % 7}(high)`,
      account_snapshot: `Ann ${id % 3}`,
      auth_index: `i-${id % 3}`,
      fail_summary: id % 4 === 0 ? `Überlast ${id}` : '',
      request_id: `R${id}`,
      input_tokens: id * 1_000,
      output_tokens: id,
      total_tokens: id * 1_001,
      latency_ms: id % 2 === 0 ? null : id,
    });
  });
}

describe('sealing', () => {
  test('moves the oldest rows into a segment and loses nothing', () => {
    const facts = createFactReader(db);
    database.insert(events(1, 101));
    const before = facts.read(dump);
    expect(before.size).toBe(100);
    expect(sealTail({ db: database.db, now: Date.now }, 64)).toBe(true);
    expect(facts.read((snapshot) => snapshot.chunks.map((chunk) => chunk.rowCount))).toEqual([64, 36]);
    expect(facts.read(dump)).toEqual(before);
    database.insert(events(101, 131));
    expect(facts.read(dump).size).toBe(130);
    expect(sealTail({ db: database.db, now: Date.now }, 66)).toBe(true);
    expect(facts.read((snapshot) => snapshot.chunks.map((chunk) => chunk.rowCount))).toEqual([64, 66]);
    expect(createFactReader(db).read(dump)).toEqual(facts.read(dump));
  });

  test('waits until the tail is long enough', () => {
    database.insert(events(1, 10));
    expect(sealTail({ db: database.db, now: Date.now }, 10)).toBe(false);
    expect(sealTail({ db: database.db, now: Date.now })).toBe(false);
    expect(sealTail({ db: database.db, now: Date.now }, 9)).toBe(true);
    expect(database.db.query('SELECT count(*) AS rows FROM facts_tail').get()).toEqual({ rows: 0 });
  });

  test('is seen completely or not at all by a concurrent reader', () => {
    const facts = createFactReader(db);
    database.insert(events(1, 51));
    facts.read((snapshot) => {
      sealTail({ db: database.db, now: Date.now }, 50);
      expect(dump(snapshot).size).toBe(50);
    });
    expect(facts.read(dump).size).toBe(50);
  });
});

test('work arrays are freed between questions', () => {
  const facts = createFactReader(db);
  database.insert(events(1, 51));
  const sum = ({ chunks, workspace }: FactSnapshot) => {
    const [tail] = chunks;
    if (tail === undefined) throw new Error('there is no tail');
    const values = selectedRows(tail, { count: tail.rowCount, rows: null }, workspace).numbers('input_tokens');
    return { values, sum: values.reduce((total, value) => total + value, 0) };
  };
  const first = facts.read(sum);
  expect(facts.read(sum).values).toBe(first.values);
  facts.rest();
  expect(first.values).toBeEmpty();
  expect(facts.read(sum)).toMatchObject({ sum: first.sum });
  expect(first.sum).toBe(1_275_000);
});

test('a damaged column is refused, never misread', () => {
  database.insert(events(1, 51));
  sealTail({ db: database.db, now: Date.now }, 50);
  database.db.run(`UPDATE fact_segment_columns SET data = zeroblob(length(data)) WHERE name = 'latency_ms'`);
  expect(() => createFactReader(db).read(dump)).toThrow(SegmentDamaged);
  database.db.run('UPDATE fact_segments SET format = 99');
  expect(() => createFactReader(db).read(dump)).toThrow(/format 99/);
});

test('an event without an account is found as "-"', () => {
  database.insert([
    testEvent(1, { auth_file_snapshot: ' ', auth_index: '' }),
    testEvent(2, { auth_file_snapshot: '', auth_index: 'i-1', source: 's' }),
    testEvent(3, { source: '-' }),
  ]);
  const found = createFactReader(db).read((snapshot) => {
    const filters = { ...NO_FILTERS, credential_ids: ['-'] };
    const search = { query: '', apiKeyHash: '' };
    const query = compileQuery(snapshot, { fromMs: 1, toMs: 8.64e15, filters, search });
    return snapshot.chunks.map((chunk) => [...(selectRows(chunk, query).rows ?? [])]);
  });
  expect(found).toEqual([[0, 2]]);
});

test('a segment without the requested symbol or time is skipped before its rows are read', () => {
  database.insert(events(1, 51));
  sealTail({ db: database.db, now: Date.now }, 50);
  database.db.run(`DELETE FROM fact_segment_columns WHERE name NOT IN ('symbol_sets')`);
  const facts = createFactReader(db);
  const count = (filters: Partial<FactFilters>, fromMs = 1) =>
    facts.read((snapshot) => {
      const search = { query: '', apiKeyHash: '' };
      const asked = { fromMs, toMs: 8.64e15, filters: { ...NO_FILTERS, ...filters }, search };
      const query = compileQuery(snapshot, asked);
      return snapshot.chunks.reduce((sum, chunk) => sum + selectRows(chunk, query).count, 0);
    });
  expect(count({ models: ['nothing like it'] })).toBe(0);
  expect(count({}, 8e15)).toBe(0);
  expect(count({ header_error_kinds: [] })).toBe(50);
});

describe('the cache of columns', () => {
  const bytes = (length: number) => () => new Uint8Array(length);
  const size = (value: Uint8Array) => value.byteLength;

  test('evicts the least recently used column', () => {
    const cache = createColumnCache(10_000);
    for (const key of ['a', 'b', 'a', 'c', 'd']) {
      cache.beginQuestion();
      cache.get(key, 'column', bytes(3_000), size);
    }
    const { hits, misses, evictions, bytes: held } = cache.statistics();
    expect({ hits, misses, evictions }).toEqual({ hits: 1, misses: 4, evictions: 1 });
    expect(held).toBeLessThanOrEqual(10_000);
    cache.beginQuestion();
    cache.get('a', 'column', bytes(3_000), size);
    expect(cache.statistics().hits).toBe(2);
  });

  test('a query that reads more than fits keeps a part for the next one', () => {
    const cache = createColumnCache(10_000);
    for (let round = 0; round < 3; round++) {
      cache.beginQuestion();
      for (let key = 0; key < 20; key++) cache.get(`column ${key}`, 'column', bytes(1_000), size);
    }
    expect(cache.statistics().hits).toBe(14);
  });

  test('a column that did not fit is still available for columns derived from it', () => {
    const cache = createColumnCache(1_000);
    let loads = 0;
    const load = () => {
      loads++;
      return new Uint8Array(5_000);
    };
    cache.beginQuestion();
    cache.get('large', 'column', load, size);
    cache.get('large', 'column', load, size);
    expect(loads).toBe(1);
    cache.beginQuestion();
    cache.get('large', 'column', load, size);
    expect(loads).toBe(2);
  });

  test('long texts fill no more than their share, and keep a part of it', () => {
    const cache = createColumnCache(10_000);
    for (let round = 0; round < 3; round++) {
      cache.beginQuestion();
      for (let key = 0; key < 20; key++) cache.get(`bulk ${key}`, 'bulk', bytes(1_000), size);
    }
    expect(cache.statistics().hits).toBe(2);
    expect(cache.statistics().bytes).toBeLessThan(2_600);
  });

  test('does not keep a column that is larger than the cache', () => {
    const cache = createColumnCache(1_000);
    cache.get('large', 'column', bytes(5_000), size);
    expect(cache.statistics().bytes).toBe(0);
  });
});
