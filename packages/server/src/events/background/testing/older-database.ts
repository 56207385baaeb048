import type { Database } from 'bun:sqlite';
import { inferInputBuckets, totalTokens } from '@manager/core/usage/cache-accounting';
import type { CacheInputMode, UsageEvent } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { headerColumns } from '@manager/core/usage/response-metadata';
import { sealTail } from '../../../facts/seal.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { cacheWritesOfOneHour } from '../../../schema/0013-cache-writes-of-one-hour.ts';
import { storedSums } from '../../../schema/0018-stored-sums.ts';
import { MIGRATIONS } from '../../../schema/migrations.ts';
import { openMigrated } from '../../../sqlite/migrate.ts';
import { eventDecoder } from '../../detail/event-decoder.ts';
import { createEventWriter } from '../../ingest/event-writer.ts';
import { createImportInserter } from '../../ingest/import-events.ts';
import { createIngester } from '../../ingest/ingest.ts';
import type { IngestContext } from '../../ingest/operations.ts';
import { sampleRecords } from '../../testing/sample-records.ts';
import { TEST_NOW_MS } from '../../testing/test-ingester.ts';

export interface OlderOptions {
  readonly events: number;
  /** Sizes of the sealed segments, oldest first; all other rows stay in the tail. */
  readonly segments?: readonly number[];
  readonly hourlyRollup?: boolean;
  /** Changes an event to an older format. Default: every kind of wrong accounting in turn. */
  readonly older?: (event: UsageEvent, index: number) => UsageEvent;
}

/**
 * Writes a database as a version without data migrations would. Returns the events in the current format by id: the
 * expected result of the migrations.
 */
export function writeOlderDatabase(path: string, options: OlderOptions): ReadonlyMap<number, UsageEvent> {
  const before = MIGRATIONS.findIndex(({ name }) => name === '0003-data-migrations');
  const db = openMigrated(path, { now: () => TEST_NOW_MS, migrations: MIGRATIONS.slice(0, before) });
  // Only the writer of this version is there, and it needs the columns and tables of this version.
  for (const { sql } of [cacheWritesOfOneHour, storedSums]) db.run(sql);
  try {
    const { events: writer } = contextOf(db, { hourlyRollup: options.hourlyRollup ?? true });
    const right = new Map<number, UsageEvent>();
    const next = currentEvents();
    const older = options.older ?? wronglyAccounted;
    db.transaction(() => {
      const batch = writer.begin();
      while (right.size < options.events) {
        const event = next();
        const stored = older(event, right.size);
        batch.claim(stored);
        right.set(batch.write(stored, TEST_NOW_MS), event);
      }
      batch.finish();
    }).immediate();
    for (const rows of options.segments ?? []) sealTail({ db, now: () => TEST_NOW_MS }, rows);
    db.run('ALTER TABLE facts_tail DROP COLUMN cache_write_1h_tokens');
    db.run('ALTER TABLE hourly_core DROP COLUMN cache_write_1h_tokens');
    db.run('ALTER TABLE hourly_core DROP COLUMN long_cache_write_1h_tokens');
    db.run('DROP TABLE fact_segment_sums');
    return right;
  } finally {
    db.close();
  }
}

/** Opens a database with this version, as the writer worker does. */
export function openContext(path: string, options: { readonly hourlyRollup?: boolean } = {}): IngestContext {
  const db = openMigrated(path, { now: () => TEST_NOW_MS, migrations: MIGRATIONS });
  return contextOf(db, { hourlyRollup: options.hourlyRollup ?? true });
}

function contextOf(db: Database, options: { readonly hourlyRollup: boolean }): IngestContext {
  const events = createEventWriter(db, options);
  const now = () => TEST_NOW_MS;
  return {
    db,
    now,
    events,
    ingester: createIngester(db, events, now),
    imports: createImportInserter(db, events, now),
  };
}

export function storedEvents(db: Database): ReadonlyMap<number, UsageEvent> {
  const decode = eventDecoder(db);
  const rows = db
    .query<{ id: number; detail: Uint8Array }, []>('SELECT id, detail FROM usage_events ORDER BY id')
    .all();
  return new Map(rows.map(({ id, detail }) => [id, decode(detail)]));
}

/** Some with a breakdown, some without, some without their own total. */
function currentEvents(): () => UsageEvent {
  const record = sampleRecords({ seed: 11, accounts: 20, models: 4, keys: 5 });
  let index = 0;
  return () => {
    const item = JSON.parse(record());
    if (index % 3 !== 0) delete item.token_breakdown;
    if (index % 3 === 2) delete item.tokens.total_tokens;
    if (index % 7 === 3) item.tokens.cache_input_mode = 'separate_from_input';
    index += 1;
    const outcome = readRecord(JSON.stringify(item), { nowMs: TEST_NOW_MS, sha256Hex });
    if (outcome.kind !== 'event') throw new Error('a sample is an event');
    return prepareForInsert(outcome.event).event;
  };
}

/** Every kind of wrong accounting in turn, and correct rows. Without cached tokens only a missing member is wrong. */
export function wronglyAccounted(event: UsageEvent, index: number): UsageEvent {
  const isCached = event.cached_tokens + event.cache_read_tokens + event.cache_creation_tokens > 0;
  switch (isCached ? index % 5 : 3) {
    case 0:
      return event;
    case 1:
      return inMode(
        event,
        event.cache_input_mode === 'included_in_input' ? 'separate_from_input' : 'included_in_input',
      );
    case 2:
      return { ...inMode(event, 'included_in_input'), cache_input_mode: 'legacy' as CacheInputMode };
    case 3: {
      const unknown = null as unknown as number;
      return {
        ...event,
        cache_input_mode: '' as CacheInputMode,
        normalized_uncached_input_tokens: unknown,
        normalized_total_input_tokens: unknown,
        normalized_cache_read_tokens: unknown,
        normalized_cache_creation_tokens: unknown,
        total_tokens: derivedTotal(event, Math.max(event.input_tokens, 0)),
      };
    }
    default:
      // Events from before breakdowns existed.
      return { ...inMode(event, event.cache_input_mode), token_quality: '' };
  }
}

/** Metadata of an older format: none, or without the groups that came later. */
export function withoutMetadata(event: UsageEvent, index: number): UsageEvent {
  return index % 3 === 0 ? event : { ...event, response_metadata_json: '', ...headerColumns(null) };
}

function inMode(event: UsageEvent, mode: CacheInputMode): UsageEvent {
  const buckets = inferInputBuckets(mode, event);
  return {
    ...event,
    ...buckets,
    cache_input_mode: mode,
    billable_output_tokens: event.output_tokens,
    total_tokens: derivedTotal(event, buckets.normalized_total_input_tokens),
  };
}

/** A reported total stays. */
function derivedTotal(event: UsageEvent, totalInput: number): number {
  const reports = event.raw_json.includes('"total_tokens":') && JSON.parse(event.raw_json).tokens.total_tokens > 0;
  return reports ? event.total_tokens : totalTokens(0, totalInput, event);
}
