import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FACT_COLUMNS, type FactColumn, FactFlag } from './columns.ts';
import { createFactReader, type FactReader } from './reader.ts';
import { type FactChange, type RewrittenSegment, rewriteSegment, segmentOf } from './rewrite.ts';
import { sealTail } from './seal.ts';
import { textAt } from './segment/texts.ts';
import { createTestDatabase, type TestDatabase, testEvent } from './testing/test-database.ts';

const ROWS = 300;
const NUMBERS = Object.keys(FACT_COLUMNS).filter((name) => !['text', 'bytes'].includes(kindOf(name)));
const TEXTS = Object.keys(FACT_COLUMNS).filter((name) => kindOf(name) === 'text');

let database: TestDatabase;

beforeEach(() => {
  database = createTestDatabase();
  const events = Array.from({ length: ROWS }, (_, index) =>
    testEvent(index + 1, {
      model: `model-${index % 7}`,
      resolved_model: `resolved-${index % 7}`,
      source: `account-${index % 40}`,
      account_snapshot: `account-${index % 40}`,
      auth_label_snapshot: `label-${index % 20}`,
      header_quota_plan_type: index % 7 === 0 ? 'plus' : '',
      input_tokens: index * 3,
      output_tokens: index,
      total_tokens: index * 4,
      cache_read_tokens: index % 9,
      failed: index % 11 === 0,
      request_id: `request ${index}`,
      header_trace_id: index % 2 === 0 ? `Trace-${index}` : '',
    }),
  );
  database.insert(events);
  // A second segment, to detect a mix-up of ids.
  sealTail({ db: database.db, now: Date.now }, 200);
  sealTail({ db: database.db, now: Date.now }, 100);
});
afterEach(() => database.dispose());

function kindOf(name: string): string {
  return FACT_COLUMNS[name as FactColumn];
}

type Dump = Record<string, number | string>[];

/** Every number, symbol and text of every fact, in the order of the event ids. */
function dump(reader: FactReader): Dump {
  return reader.read(({ chunks }) =>
    chunks.flatMap((chunk) =>
      Array.from({ length: chunk.rowCount }, (_, row) => {
        const fact: Record<string, number | string> = { event_id: valueAt(chunk.eventIds(), row) };
        for (const name of NUMBERS as FactColumn[]) {
          if (kindOf(name) !== 'symbol') fact[name] = valueAt(chunk.numbers(name), row);
          else {
            const { set, codes } = chunk.symbols(name);
            const symbol = set[codes?.[row] ?? 0] ?? -1;
            fact[name] = symbol;
            if (!chunk.symbolSet(name).includes(symbol)) throw new Error(`${name}: the set lacks ${symbol}`);
          }
        }
        for (const name of TEXTS as FactColumn[]) fact[name] = textAt(chunk.texts(name), row);
        return fact;
      }),
    ),
  );
}

function valueAt({ base, values }: { base: number; values: ArrayLike<number> | null }, row: number): number {
  return base + (values?.[row] ?? 0);
}

function rewrite(segmentId: number, changes: readonly FactChange[]): RewrittenSegment | null {
  const looked: RewrittenSegment[] = [];
  database.db
    .transaction(() => rewriteSegment(database.db, segmentId, changes, (seen) => looked.push(seen)))
    .immediate();
  return looked[0] ?? null;
}

function segmentIds(): number[] {
  return database.db
    .query<{ id: number }, []>('SELECT id FROM fact_segments ORDER BY first_event_id')
    .all()
    .map(({ id }) => id);
}

/** Small values, so that some do not change, and large ones that need wider columns. */
const anyNumber = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 2 ** 40 }));
const anySymbol = fc.integer({ min: 0, max: 70 });
const anyValue = fc.oneof(
  fc.tuple(fc.constantFrom(...NUMBERS.filter((name) => kindOf(name) === 'symbol')), anySymbol),
  fc.tuple(fc.constantFrom(...NUMBERS.filter((name) => !['symbol', 'time'].includes(kindOf(name)))), anyNumber),
  fc.tuple(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme' })),
);
const anyChanges = fc.uniqueArray(
  fc.record({ eventId: fc.integer({ min: 1, max: 200 }), values: fc.array(anyValue, { maxLength: 5 }) }),
  { selector: ({ eventId }) => eventId, maxLength: 20 },
);

describe('a segment with other values', () => {
  test('holds exactly those, also for readers that cached the columns of the old one', () => {
    const reader = createFactReader(database.db);
    fc.assert(
      fc.property(anyChanges, (list) => {
        const before = dump(reader);
        const changes = list.map(({ eventId, values }) => ({ eventId, values: Object.fromEntries(values) }));
        const [first = 0] = segmentIds();
        rewrite(first, changes);
        const expected = before.map((fact) => ({
          ...fact,
          ...changes.find(({ eventId }) => eventId === fact.event_id)?.values,
        }));
        expect(dump(reader)).toEqual(expected);
        expect(dump(createFactReader(database.db))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  }, 180_000);

  test('has a new id each time, and ids are never reused', () => {
    const used = new Set(segmentIds());
    for (let time = 0; time < 3; time += 1) {
      for (const [id, eventId] of segmentIds().map((segment, index) => [segment, index * 200 + 5] as const)) {
        rewrite(id, [{ eventId, values: { total_tokens: 1_000_000 + time } }]);
      }
      for (const id of segmentIds()) {
        expect(used.has(id)).toBe(false);
        used.add(id);
      }
    }
    const columns = database.db.query('SELECT DISTINCT segment_id AS id FROM fact_segment_columns ORDER BY id').all();
    expect(columns).toEqual(
      segmentIds()
        .toSorted((a, b) => a - b)
        .map((id) => ({ id })),
    );
  });

  test('keeps the stored form of columns that do not change', () => {
    const columns = () =>
      new Map(
        database.db
          .query<{ name: string; rowid: number }, []>(
            `SELECT c.rowid, c.name
             FROM fact_segment_columns AS c
             JOIN fact_segments AS s ON s.id = c.segment_id
             WHERE s.first_event_id = 1`,
          )
          .all()
          .map(({ name, rowid }) => [name, rowid]),
      );
    const before = columns();
    rewrite(segmentIds()[0] ?? 0, [{ eventId: 7, values: { uncached_input_tokens: 1, output_tokens: 6 } }]);
    const after = columns();
    const encoded = [...after].filter(([name, rowid]) => before.get(name) !== rowid).map(([name]) => name);
    // A column that is stored as a difference is encoded together with its summands.
    expect(encoded.toSorted()).toEqual(['input_tokens', 'uncached_input_tokens']);
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
  });

  test('is not written when every value is there already', () => {
    const before = segmentIds();
    const [fact] = dump(createFactReader(database.db));
    const changes = [{ eventId: 1, values: { total_tokens: Number(fact?.total_tokens), request_id: 'request 0' } }];
    expect(rewrite(before[0] ?? 0, changes)).toBeNull();
    expect(segmentIds()).toEqual(before);
  });

  test('changes only the masked bits of the flags', () => {
    const flags = { mask: FactFlag.inconsistent | FactFlag.unclassified, bits: FactFlag.unclassified };
    const rewritten = rewrite(segmentIds()[0] ?? 0, [{ eventId: 1, values: {}, flags }]);
    expect([...(rewritten?.changed ?? [])]).toEqual(['flags']);
    const [fact] = dump(createFactReader(database.db));
    expect(fact?.flags).toBe(FactFlag.failed | FactFlag.unclassified);
  });

  test('shows old and new values before it is written', () => {
    const changes = [{ eventId: 3, values: { total_tokens: 5_000, model: 1 } }];
    const seen = rewrite(segmentIds()[0] ?? 0, changes);
    if (seen === null) throw new Error('nothing was changed');
    expect(seen.rows).toEqual([2]);
    expect(valueAt(seen.after.numbers('total_tokens'), 2)).toBe(5_000);
    const { set, codes } = seen.after.symbols('model');
    expect(set[codes?.[2] ?? -1]).toBe(1);
    expect(valueAt(seen.after.numbers('output_tokens'), 2)).toBe(2);
  });
});

test('the segment of an event is found; an event in the tail has none', () => {
  const [first = 0, second = 0] = segmentIds();
  const { db } = database;
  expect(segmentOf(db, 1)).toEqual({ id: first, lastEventId: 200 });
  expect(segmentOf(db, 201)).toEqual({ id: second, lastEventId: 300 });
  expect(segmentOf(db, 301)).toBeNull();
});

test('an event without a fact is an error, and nothing is written', () => {
  const before = segmentIds();
  expect(() => rewrite(before[0] ?? 0, [{ eventId: 250, values: { total_tokens: 1 } }])).toThrow('has no fact');
  expect(segmentIds()).toEqual(before);
});
