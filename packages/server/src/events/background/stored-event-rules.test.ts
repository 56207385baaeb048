import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import type { UsageEvent } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { createFactReader } from '../../facts/reader.ts';
import { sealTail } from '../../facts/seal.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import { TEST_NOW_MS } from '../testing/test-ingester.ts';
import { readState, STORED_EVENT_RULES } from './state.ts';
import { stepDataMigration } from './step.ts';
import { openContext, storedEvents } from './testing/older-database.ts';

// Invariants are recounted after every step.
setDefaultTimeout(180_000);

const START_MS = Date.UTC(2026, 8, 1);

let folder: TestFolder;
let context: IngestContext;

beforeEach(() => {
  folder = createTestFolder();
  context = openContext(folder.path('usage.sqlite'));
});
afterEach(() => {
  context.db.close();
  folder.dispose();
});

interface Kind {
  readonly item: (index: number) => object;
  /** The event as an earlier version stored it. */
  readonly older: (event: UsageEvent, index: number) => UsageEvent;
}

const key = (index: number) => `northwind/key-${index % 7}`;

const KINDS: readonly Kind[] = [
  {
    item: () => ({
      provider: 'gemini',
      executor_type: 'GeminiExecutor',
      tokens: { input_tokens: 1000, output_tokens: 50, reasoning_tokens: 300, total_tokens: 1350 },
    }),
    older: (event) => ({ ...event, billable_output_tokens: event.output_tokens }),
  },
  {
    item: (index) => ({
      provider: 'claude',
      auth_type: 'apikey',
      source: key(index),
      response_headers: { via: ['x'] },
    }),
    older: (event, index) => ({
      ...event,
      source: key(index),
      raw_json: event.raw_json.replace(event.source, key(index)),
    }),
  },
  {
    item: () => ({
      provider: 'codex',
      usage: { prompt_tokens: 900, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 600 } },
    }),
    older: (event) => ({
      ...event,
      cached_tokens: 0,
      normalized_uncached_input_tokens: 900,
      normalized_cache_read_tokens: 0,
    }),
  },
  {
    item: () => ({ provider: 'codex', tokens: { input_tokens: 10, cached_tokens: 20, total_tokens: 10 } }),
    older: (event) => ({ ...event, token_quality: '' }),
  },
  {
    item: () => ({
      provider: 'claude',
      tokens: { input_tokens: 10, cache_creation_tokens: 900, total_tokens: 910 },
      usage: { cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 600 } },
    }),
    older: (event) => ({ ...event, cache_write_1h_tokens: 0 }),
  },
  { item: () => ({ provider: 'codex', tokens: { input_tokens: 10, total_tokens: 10 } }), older: (event) => event },
];

function kindOf(index: number): Kind {
  const kind = KINDS[index % KINDS.length];
  if (kind === undefined) throw new Error('no kind');
  return kind;
}

function current(index: number): UsageEvent {
  const item = {
    timestamp: new Date(START_MS + index * 60_000).toISOString(),
    request_id: `r${index}`,
    auth_index: String(index % 7),
    model: 'm',
    ...kindOf(index).item(index),
  };
  const outcome = readRecord(JSON.stringify(item), { nowMs: TEST_NOW_MS, sha256Hex });
  if (outcome.kind !== 'event') throw new Error('an event expected');
  return prepareForInsert(outcome.event).event;
}

/** Stores events as an earlier version would; returns them by the rules of today. */
function store(events: number, sealed: readonly number[]): ReadonlyMap<number, UsageEvent> {
  const right = new Map<number, UsageEvent>();
  context.db
    .transaction(() => {
      const batch = context.events.begin();
      for (let index = 0; index < events; index += 1) {
        const event = current(index);
        const older = kindOf(index).older(event, index);
        batch.claim(older);
        right.set(batch.write(older, TEST_NOW_MS), event);
      }
      batch.finish();
    })
    .immediate();
  for (const rows of sealed) sealTail(context, rows);
  context.db.query("UPDATE usage_data_migrations SET status = 'pending' WHERE name = ?").run(STORED_EVENT_RULES);
  return right;
}

function runToEnd(): void {
  for (let steps = 0; readState(context.db, STORED_EVENT_RULES).status !== 'completed'; steps += 1) {
    if (steps > 50) throw new Error('no end');
    const outcome = stepDataMigration(context, STORED_EVENT_RULES);
    if (outcome.kind === 'failed') throw new Error(outcome.error);
    if (outcome.kind === 'seal') sealTail(context, outcome.rows);
    expect(checkInvariants(context.db)).toEqual([]);
  }
}

function sourcesOfFacts(): ReadonlySet<string> {
  return createFactReader(context.db).read(({ chunks, symbols }) => {
    const found = chunks.flatMap((chunk) => [...chunk.symbols('source').set].map((id) => symbols.text(id)));
    return new Set(found);
  });
}

test('a new database is never scanned', () => {
  expect(stepDataMigration(context, STORED_EVENT_RULES)).toEqual({ kind: 'done' });
});

test('raw rows, facts and the hourly rollup match the rules of today', () => {
  const right = store(2_100, [700, 700]);
  expect(sourcesOfFacts()).toContain(key(1));
  runToEnd();
  const stored = storedEvents(context.db);
  for (const [id, event] of right) expect(stored.get(id)).toEqual(event);
  expect(sourcesOfFacts()).toEqual(new Set(['', ...Array.from({ length: 7 }, (_, index) => `m:nort...ey-${index}`)]));
  const { processedRows, changedRows } = readState(context.db, STORED_EVENT_RULES);
  expect([processedRows, changedRows]).toEqual([2_100, 1_750]);
});

test('the newest headers of an account whose raw row was deleted show no key', () => {
  store(40, [40]);
  context.db.run('DELETE FROM usage_events');
  context.db.run("UPDATE counters SET value = 0 WHERE name = 'events'");
  const sources = () => {
    const decode = eventDecoder(context.db);
    const rows = context.db
      .query<{ detail: Uint8Array }, []>('SELECT detail FROM latest_header_snapshots WHERE detail IS NOT NULL')
      .all();
    return rows.map(({ detail }) => decode(detail).source);
  };
  expect(sources()).toContain(key(1));
  runToEnd();
  expect(sources().length).toBeGreaterThan(0);
  expect(sources().filter((source) => !source.startsWith('m:'))).toEqual([]);
});

test('a failed step changes nothing and is retried; a second run changes nothing', () => {
  const right = store(1_200, [1_200]);
  context.db.run("CREATE TEMP TRIGGER failing BEFORE DELETE ON fact_segments BEGIN SELECT RAISE(ABORT, 'no'); END");
  expect(stepDataMigration(context, STORED_EVENT_RULES)).toEqual({ kind: 'failed', error: 'no' });
  expect(checkInvariants(context.db)).toEqual([]);
  context.db.run('DROP TRIGGER failing');
  runToEnd();
  const stored = storedEvents(context.db);
  for (const [id, event] of right) expect(stored.get(id)).toEqual(event);
  context.db
    .query("UPDATE usage_data_migrations SET status = 'pending', last_event_id = 0, changed_rows = 0 WHERE name = ?")
    .run(STORED_EVENT_RULES);
  runToEnd();
  expect(readState(context.db, STORED_EVENT_RULES).changedRows).toBe(0);
});
