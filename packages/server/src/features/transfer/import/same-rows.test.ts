import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { archiveLine } from '@manager/core/usage/archive-record';
import type { UsageEvent } from '@manager/core/usage/event';
import { exportLine } from '@manager/core/usage/export-line';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import { createOfflineImportInserter, IMPORT_BATCH_EVENTS } from '../../../events/ingest/import-events.ts';
import { checkInvariants } from '../../../events/invariants/invariants.ts';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { createTestIngester, records, recordText } from '../../../events/testing/test-ingester.ts';
import { FACT_COLUMNS, type FactColumn } from '../../../facts/columns.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { openMigrated } from '../../../schema/open-migrated.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { createRecordReader } from './reader/record-reader.ts';
import { importRigs } from './testing.ts';

const start = importRigs();

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.dispose());

/** Events as a manager has stored them. */
function storedEvents(seed: number, count: number): UsageEvent[] {
  const ingester = createTestIngester(folder.path(`source-${seed}.sqlite`));
  const next = sampleRecords({ seed });
  ingester.ingest({ records: records(...Array.from({ length: count }, next)) });
  const decode = eventDecoder(ingester.db);
  const rows = ingester.db.query<{ detail: Uint8Array }, []>('SELECT detail FROM usage_events ORDER BY id').all();
  const events = rows.map(({ detail }) => decode(detail));
  ingester.db.close();
  return events;
}

const UNUSUAL = [
  'not json',
  '',
  '{}',
  '{"event_hash":"an opaque hash","timestamp_ms":1788000000000,"model":" m "}',
  '{"event_hash":"of the future","timestamp_ms":1788000000000,"created_at_ms":9000000000000,"model":"m"}',
  '{"event_hash":"too early","timestamp_ms":1000,"model":"m"}',
  recordText({ timestamp: '2026-08-01T00:00:00.123456789Z', request_id: 'lone \ud800 surrogate' }),
  recordText({ request_id: 'b', alias: 'm'.repeat(3_000) }),
  recordText({ request_id: 'c', tokens: { input_tokens: -7 } }),
  recordText({
    request_id: 'd',
    user_agent: 'Größe 日本 \u{1F600}',
    response_headers: { 'X-Codex-Plan-Type': 'team' },
  }),
  recordText({ request_id: 'e', failed: true, fail: { status_code: 500, body: `overloaded ${'x'.repeat(5_000)}` } }),
];

/** Exported, archived and raw lines, some of them twice. */
function fileOf(seed: number): string {
  const events = storedEvents(seed, 700);
  const lines = events.map((event, index) => {
    if (index % 31 === 3) return UNUSUAL[index % UNUSUAL.length] ?? '';
    if (index % 50 === 7) return exportLine(events[index - 7] ?? event);
    return index % 3 === 0 ? archiveLine(event, index + 1) : exportLine(event);
  });
  return lines.join('\n');
}

/** The same in one thread, from events that were never packed. */
function importInOneThread(db: Database, file: string): { added: number; skipped: number } {
  const inserter = createOfflineImportInserter(db, { hourlyRollup: true, now: Date.now });
  const reader = createRecordReader(() => ({ nowMs: Date.now(), sha256Hex }));
  const read = file.split('\n').map((line) => reader.record(Buffer.from(line)));
  const events = read.flatMap((one) => (one.kind === 'event' ? [one.event] : []));
  const counts = { added: 0, skipped: 0 };
  for (let at = 0; at < events.length; at += IMPORT_BATCH_EVENTS) {
    const { added, skipped } = inserter.insert(events.slice(at, at + IMPORT_BATCH_EVENTS));
    counts.added += added;
    counts.skipped += skipped;
  }
  return counts;
}

type Row = Readonly<Record<string, unknown>>;
/** Rows as JSON texts, sorted. */
type Content = Record<string, readonly string[]>;

/** Which texts became words depends on the thread; the others have times of the database itself. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'detail_words',
  'sqlite_sequence',
  'schema_migrations',
  'usage_data_migrations',
]);
const HOURLY_SYMBOLS: ReadonlySet<string> = new Set(['analytics_model', 'billing_model', 'service_tier']);

/** Events without a time of arrival got that of their import. */
function sinceStart({ created_at_ms: arrival, ...event }: UsageEvent, startedMs: number): Row {
  const isNow = arrival >= startedMs && arrival <= Date.now();
  return { ...event, created_at_ms: isNow ? 'now' : arrival };
}

/** Every table, with texts instead of the numbers of symbols and words. */
function contentOf(db: Database, startedMs: number): Content {
  const decode = eventDecoder(db);
  const symbols = new Map<unknown, string>(
    db
      .query<{ id: number; text: string }, []>('SELECT id, text FROM symbols')
      .all()
      .map(({ id, text }) => [id, text]),
  );
  const named = (row: Row, isSymbol: (column: string) => boolean): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isSymbol(name) ? symbols.get(value) : value]));
  const readable: Record<string, (row: Row) => Row> = {
    usage_events: ({ detail, ...row }) => ({ ...row, ...sinceStart(decode(detail as Uint8Array), startedMs) }),
    facts_tail: (row) => named(row, (name) => FACT_COLUMNS[name as FactColumn] === 'symbol'),
    hourly_core: (row) => named(row, (name) => HOURLY_SYMBOLS.has(name)),
    symbols: ({ text }) => ({ text }),
  };
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)
    .filter((name) => !NOT_COMPARED.has(name));
  return Object.fromEntries(
    tables.map((table) => {
      const rows = db.query<Row, []>(`SELECT * FROM ${table}`).all();
      const texts = rows.map((row) => JSON.stringify((readable[table] ?? ((same) => same))(row)));
      return [table, texts.sort()];
    }),
  );
}

test('an import stores what one thread would have stored, table by table', async () => {
  const startedMs = Date.now();
  const rig = start();
  const alone = openMigrated(folder.path('alone.sqlite'), { now: Date.now });
  const first = fileOf(11);
  // The second file repeats a part of the first one.
  const second = `${fileOf(12)}\n${first.split('\n').slice(300, 600).join('\n')}`;
  for (const file of [first, second, first]) {
    const { added, skipped } = await rig.import(file);
    expect({ added, skipped }).toEqual(importInOneThread(alone, file));
  }
  expect(rig.count('usage_events')).toBeGreaterThan(1_300);
  const imported = openDatabase(rig.folder.path('usage.sqlite'), { readonly: true });
  const [found, expected] = [imported, alone].map((db) => contentOf(db, startedMs)) as [Content, Content];
  for (const table of Object.keys(expected)) expect({ [table]: found[table] }).toEqual({ [table]: expected[table] });
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  // Words are in use, not only written out.
  expect(rig.count('detail_words')).toBeGreaterThan(50);
  imported.close();
  expect(rig.faults()).toEqual([]);
  expect(checkInvariants(alone)).toEqual([]);
  alone.close();
});
