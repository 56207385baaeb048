import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import type { UsageEvent } from '@manager/core/usage/event';
import { createFactReader } from '../../facts/reader.ts';
import { sealTail } from '../../facts/seal.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { fillHeaderSnapshots } from '../ingest/header-snapshots-fill.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import { RESPONSE_METADATA, readState } from './state.ts';
import { stepDataMigration } from './step.ts';
import { openContext, storedEvents, withoutMetadata, writeOlderDatabase } from './testing/older-database.ts';

// Invariants are recounted after every step.
setDefaultTimeout(180_000);

let folder: TestFolder;
let path: string;
let context: IngestContext | null = null;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
});
afterEach(() => {
  context?.db.close();
  context = null;
  folder.dispose();
});

function older(events: number, segments: readonly number[], form = withoutMetadata) {
  const right = writeOlderDatabase(path, { events, segments, older: form });
  context = openContext(path);
  return { context, right };
}

function runToEnd(opened: IngestContext, afterEachStep: () => void = () => {}): void {
  for (let steps = 0; readState(opened.db, RESPONSE_METADATA).status !== 'completed'; steps += 1) {
    if (steps > 50) throw new Error('no end');
    const outcome = stepDataMigration(opened, RESPONSE_METADATA);
    if (outcome.kind === 'failed') throw new Error(outcome.error);
    if (outcome.kind === 'seal') sealTail(opened, outcome.rows);
    afterEachStep();
  }
}

function fillSnapshots(opened: IngestContext): void {
  while (fillHeaderSnapshots(opened, null).behind) {
    // The next thousand.
  }
}

/** The expected event: with headers of which none is kept, that is noted. */
function looked(event: UsageEvent): UsageEvent {
  const hasHeaders = event.raw_json.includes('"response_headers"');
  return event.response_metadata_json === '' && hasHeaders ? { ...event, response_metadata_json: '{}' } : event;
}

test('a new database is never scanned', () => {
  context = openContext(path);
  expect(stepDataMigration(context, RESPONSE_METADATA)).toEqual({ kind: 'done' });
});

test('metadata, header columns, facts and newest headers of older events match the current format', () => {
  const { context: opened, right } = older(2_100, [700, 700]);
  fillSnapshots(opened);
  runToEnd(opened, () => expect(checkInvariants(opened.db)).toEqual([]));
  const stored = storedEvents(opened.db);
  for (const [id, event] of right) expect(stored.get(id)).toEqual(looked(event));
  const traces = createFactReader(opened.db).read(({ chunks }) =>
    chunks.map((chunk) => Buffer.from(chunk.texts('header_trace_id').bytes).toString('latin1')),
  );
  expect(traces.join('').replaceAll('\xff', '')).toBe(
    [...right.values()].map((event) => event.header_trace_id).join(''),
  );
  const { processedRows, changedRows, appliedRows } = readState(opened.db, RESPONSE_METADATA);
  expect([processedRows, appliedRows]).toEqual([2_100, changedRows]);
  expect(changedRows).toBeGreaterThan(1_000);
});

test('newest headers that are filled in later find the restored events', () => {
  const { context: opened } = older(600, [300]);
  runToEnd(opened, () => expect(checkInvariants(opened.db)).toEqual([]));
  fillSnapshots(opened);
  expect(checkInvariants(opened.db)).toEqual([]);
});

test('a second run changes nothing', () => {
  const { context: opened } = older(300, []);
  runToEnd(opened);
  const before = storedEvents(opened.db);
  opened.db.run(
    "UPDATE usage_data_migrations SET status = 'pending', last_event_id = 0, target_event_id = 0, changed_rows = 0",
  );
  runToEnd(opened);
  expect(readState(opened.db, RESPONSE_METADATA).changedRows).toBe(0);
  expect(storedEvents(opened.db)).toEqual(before);
});

test('a failed step changes nothing and is retried', () => {
  const { context: opened, right } = older(1_200, [1_200]);
  const first = stepDataMigration(opened, RESPONSE_METADATA);
  expect(first).toMatchObject({ kind: 'step', isFirst: true, state: { lastEventId: 1_000 } });
  opened.db.run("CREATE TEMP TRIGGER failing BEFORE DELETE ON fact_segments BEGIN SELECT RAISE(ABORT, 'no'); END");
  for (let times = 0; times < 2; times += 1) {
    expect(stepDataMigration(opened, RESPONSE_METADATA)).toEqual({ kind: 'failed', error: 'no' });
    expect(readState(opened.db, RESPONSE_METADATA)).toMatchObject({ status: 'failed', lastEventId: 1_000 });
    expect(checkInvariants(opened.db)).toEqual([]);
  }
  opened.db.run('DROP TRIGGER failing');
  runToEnd(opened);
  const stored = storedEvents(opened.db);
  for (const [id, event] of right) expect(stored.get(id)).toEqual(looked(event));
});

test('correct events of an earlier version are only marked, and their facts are not rewritten', () => {
  const { context: opened, right } = older(500, [500], (event) => event);
  const segments = () => opened.db.query('SELECT id FROM fact_segments').all();
  const before = segments();
  runToEnd(opened);
  expect(segments()).toEqual(before);
  const stored = storedEvents(opened.db);
  for (const [id, event] of right) expect(stored.get(id)).toEqual(looked(event));
});
