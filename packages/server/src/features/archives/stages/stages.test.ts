import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { UsageEvent } from '@manager/core/usage/event';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import { checkInvariants } from '../../../events/invariants/invariants.ts';
import { recordText } from '../../../events/testing/test-ingester.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { openStore, prepareStore } from '../../../workers/store.ts';
import { createImporter } from '../../transfer/import/create-importer.ts';
import type { ImportCounts } from '../../transfer/import/importer.ts';
import { startImportWorker } from '../../transfer/import/reader/import-worker.ts';
import { analyticsAnswers } from './testing/analytics-answers.ts';
import { type ArchiveSite, createArchiveSite, NOW_MS, RUN_ID, START_MS } from './testing/site.ts';

// Each test has its own database and workers.
setDefaultTimeout(180_000);

const sites: ArchiveSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function open(...args: Parameters<typeof createArchiveSite>): Promise<ArchiveSite> {
  const site = await createArchiveSite(...args);
  sites.push(site);
  return site;
}

const rows = (site: ArchiveSite, sql: string) => site.db.query<Record<string, unknown>, []>(sql).all();
const count = (site: ArchiveSite, table: string) => Number(rows(site, `SELECT count(*) AS n FROM ${table}`)[0]?.n);

function stored(site: ArchiveSite): Map<number, UsageEvent> {
  const decode = eventDecoder(site.db);
  const events = site.db.query<{ id: number; detail: Uint8Array }, []>('SELECT id, detail FROM usage_events').all();
  return new Map(events.map(({ id, detail }) => [id, decode(detail)]));
}

/** The rejection of a promise. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}

/** The files of a run, in order. */
function segmentFiles(site: ArchiveSite, id = RUN_ID): string[] {
  const folder = site.folder.path(`usage-archives/${id}`);
  return readdirSync(folder)
    .filter((name) => name.startsWith('segment-'))
    .map((name) => `${folder}/${name}`);
}

function contentOf(file: string): string {
  return Buffer.from(Bun.gunzipSync(new Uint8Array(readFileSync(file)))).toString();
}

/** Unpacks the segments and imports them into a database. */
async function importSegments(site: ArchiveSite, path: string, files: readonly string[]): Promise<ImportCounts[]> {
  const store = openStore({ path, hourlyRollup: true, now: Date.now, log: { info: () => {}, error: () => {} } });
  const importer = createImporter({
    startWorker: startImportWorker,
    insert: (batch) => store.writer.run('importEvents', batch, { priority: 'background' }),
    spoolDirectory: site.folder.path('temp'),
    log: { warn: () => {} },
  });
  const counts: ImportCounts[] = [];
  for (const file of files) {
    const unpacked = site.folder.path('unpacked.jsonl');
    writeFileSync(unpacked, contentOf(file));
    counts.push(await importer.run({ kind: 'file', path: unpacked }));
  }
  await store.close();
  return counts;
}

test('a run is archived, verified and deleted; every sum stays, and the archive restores every event', async () => {
  const site = await open({ events: 2_600, stepMs: 60_000, segmentRows: 900 });
  const { db, folder } = site;
  const path = folder.path('usage.sqlite');
  const range = { fromMs: START_MS, toMs: START_MS + 2 * 86_400_000 };
  const before = await analyticsAnswers(path, range);
  const events = stored(site);
  const headers = rows(site, 'SELECT snapshot_key, event_id FROM latest_header_snapshots ORDER BY snapshot_key');
  const cutoffMs = START_MS + 1_500 * 60_000;
  const archived = new Map([...events].filter(([, event]) => event.timestamp_ms < cutoffMs));
  site.createRun({ cutoffMs });

  await site.run('archiving');
  expect(checkInvariants(db)).toEqual([]);
  expect(site.runRow()).toMatchObject({
    status: 'archived',
    event_count: archived.size,
    archived_event_count: archived.size,
    last_archived_event_id: Math.max(...archived.keys()),
    archived_at_ms: NOW_MS,
    manifest_file: `${RUN_ID}/manifest.json`,
    progress_phase: null,
    archive_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const [segment] = rows(site, 'SELECT * FROM usage_archive_segments');
  const [file = ''] = segmentFiles(site);
  expect(segment).toMatchObject({
    sequence: 1,
    status: 'published',
    event_count: archived.size,
    compressed_bytes: statSync(file).size,
    verified_at_ms: null,
  });
  expect(file).toEndWith(String(segment?.file_name));
  const manifest = readFileSync(site.file('manifest.json'));
  expect(site.runRow().manifest_sha256).toBe(new Bun.CryptoHasher('sha256').update(manifest).digest('hex'));
  expect(JSON.parse(manifest.toString())).toMatchObject({ run_id: RUN_ID, event_count: archived.size });
  expect(readdirSync(folder.path(`usage-archives/${RUN_ID}`))).toHaveLength(2);

  await site.run('verifying');
  expect(checkInvariants(db)).toEqual([]);
  expect(site.runRow()).toMatchObject({ status: 'verified', verified_at_ms: expect.any(Number) });
  expect(rows(site, 'SELECT status, verified_at_ms FROM usage_archive_segments')).toEqual([
    { status: 'verified', verified_at_ms: Number(site.runRow().verified_at_ms) },
  ]);
  expect(await analyticsAnswers(path, range)).toEqual(before);

  await site.run('deleting');
  expect(checkInvariants(db)).toEqual([]);
  expect(site.runRow()).toMatchObject({
    status: 'completed',
    deleted_event_count: archived.size,
    last_deleted_event_id: Math.max(...archived.keys()),
    completed_at_ms: expect.any(Number),
    progress_phase: null,
  });
  expect([...stored(site).keys()]).toEqual([...events.keys()].filter((id) => !archived.has(id)));
  expect(count(site, 'usage_event_identity_ledger')).toBe(events.size);
  expect(rows(site, 'SELECT snapshot_key, event_id FROM latest_header_snapshots ORDER BY snapshot_key')).toEqual(
    headers,
  );

  const after = await analyticsAnswers(path, range);
  expect(after.sums).toEqual(before.sums);
  expect(after.coverage).toMatchObject({
    mode: 'mixed',
    raw_complete: false,
    raw_event_count: events.size - archived.size,
    raw_deleted_event_count: archived.size,
  });
  expect(before.coverage).toBeUndefined();
  const shownIds = new Set(after.events.map(({ event_hash }) => event_hash));
  for (const [id, { event_hash }] of events) if (archived.has(id)) expect(shownIds).not.toContain(event_hash);
  const deletedOnly = await analyticsAnswers(path, { fromMs: START_MS, toMs: START_MS + 3_600_000 });
  expect(deletedOnly.coverage).toMatchObject({ mode: 'aggregate_only', raw_deleted_event_count: 60 });
  expect(deletedOnly.events).toEqual([]);

  expect(site.progress.map(({ phase }) => phase)).toEqual([
    'archiving_records',
    'archive_finalizing',
    'archive_publishing',
    'verifying_archive',
    'cleanup_revalidating',
    'deleting_records',
  ]);

  const again = await importSegments(site, path, segmentFiles(site));
  expect(again).toMatchObject([{ added: 0, skipped: archived.size, failed: 0 }]);
  expect(checkInvariants(db)).toEqual([]);

  const copy = folder.path('copy.sqlite');
  prepareStore(copy, { now: Date.now, tempDirectory: folder.path('temp') });
  expect(await importSegments(site, copy, segmentFiles(site))).toMatchObject([{ added: archived.size, failed: 0 }]);
  const restored = openDatabase(copy, { readonly: true });
  const decode = eventDecoder(restored);
  const details = restored.query<{ detail: Uint8Array }, []>('SELECT detail FROM usage_events ORDER BY id').all();
  expect(details.map(({ detail }) => decode(detail))).toEqual([...archived.values()]);
  expect(checkInvariants(restored)).toEqual([]);
  restored.close();
});

test('runs with different cutoffs hold non-consecutive ids', async () => {
  const site = await open();
  const minute = (at: number, index: number) =>
    recordText({ timestamp: new Date(START_MS + at * 60_000).toISOString(), request_id: `r${index}` });
  // Every third event arrives late.
  await site.ingest(Array.from({ length: 90 }, (_, index) => minute(index % 3 === 0 ? 1_000 + index : index, index)));
  site.createRun({ cutoffMs: START_MS + 500 * 60_000 });
  for (const stage of ['archiving', 'verifying'] as const) await site.run(stage);
  const second = RUN_ID.replace(/1$/, '2');
  site.createRun({ id: second });
  for (const stage of ['archiving', 'verifying', 'deleting'] as const) await site.run(stage, { id: second });
  expect(checkInvariants(site.db)).toEqual([]);
  expect(site.runRow(second)).toMatchObject({ status: 'completed', event_count: 30, target_event_id: 88 });
  await site.run('deleting');
  expect(site.runRow()).toMatchObject({ status: 'completed', event_count: 60, target_event_id: 90 });
  expect(count(site, 'usage_events')).toBe(0);
  expect(checkInvariants(site.db)).toEqual([]);
  const ids = (file: string) =>
    contentOf(file)
      .trim()
      .split('\n')
      .map((line) => Number(JSON.parse(line)._archive_event_id));
  expect(
    segmentFiles(site)
      .flatMap(ids)
      .every((id) => id % 3 !== 1),
  ).toBe(true);
  expect(
    segmentFiles(site, second)
      .flatMap(ids)
      .every((id) => id % 3 === 1),
  ).toBe(true);
  expect(rows(site, 'SELECT sum(deleted_event_count) AS n FROM usage_archive_deleted_coverage_daily')).toEqual([
    { n: 90 },
  ]);
});

test('an event that arrives later with an older time is not part of the run', async () => {
  const site = await open({ events: 50 });
  site.createRun();
  await site.ingest([recordText({ timestamp: new Date(START_MS).toISOString(), request_id: 'late' })]);
  for (const stage of ['archiving', 'verifying', 'deleting'] as const) await site.run(stage);
  expect([...stored(site).values()].map(({ request_id }) => request_id)).toEqual(['late']);
  expect(checkInvariants(site.db)).toEqual([]);
});

test('ids are never used again, also when the newest events were deleted', async () => {
  const site = await open({ events: 20 });
  site.createRun();
  for (const stage of ['archiving', 'verifying', 'deleting'] as const) await site.run(stage);
  await site.ingest([recordText()]);
  expect([...stored(site).keys()]).toEqual([21]);
  expect(checkInvariants(site.db)).toEqual([]);
});

test('a verified run can be read again', async () => {
  const site = await open({ events: 20 });
  site.createRun();
  for (const stage of ['archiving', 'verifying'] as const) await site.run(stage);
  const first = Number(site.runRow().verified_at_ms);
  site.db.run('UPDATE usage_archive_runs SET verified_at_ms = 1');
  await site.run('verifying');
  expect(site.runRow().status).toBe('verified');
  expect(Number(site.runRow().verified_at_ms)).toBeGreaterThanOrEqual(first);
});

describe('archiving', () => {
  test('starts only with the events that the run was created for', async () => {
    const site = await open({ events: 20 });
    site.createRun();
    site.db.run('UPDATE usage_archive_runs SET event_count = 19');
    expect(await failureOf(site.run('archiving'))).toMatchObject({ code: 'usage_archive_coverage_incomplete' });
    site.db.run('UPDATE usage_archive_runs SET event_count = 20, target_event_id = 21');
    expect(await failureOf(site.run('archiving'))).toMatchObject({ code: 'usage_archive_coverage_incomplete' });
    expect(site.runRow().status).toBe('previewed');
    expect(readdirSync(site.directory.path())).toEqual([]);
  });

  test('waits for the accounting of stored events, and finishes the other jobs itself', async () => {
    const site = await open({ events: 20 });
    site.createRun();
    const set = (name: string, status: string) =>
      site.db.query('UPDATE usage_data_migrations SET status = ? WHERE name = ?').run(status, name);
    set('usage_cache_accounting_v2', 'running');
    expect(await failureOf(site.run('archiving'))).toMatchObject({ code: 'usage_archive_coverage_incomplete' });
    set('usage_cache_accounting_v2', 'completed');
    set('response_metadata_backfill', 'pending');
    set('stored_event_rules', 'pending');
    await site.run('archiving');
    expect(rows(site, "SELECT status FROM usage_data_migrations WHERE status <> 'completed'")).toEqual([]);
  });

  test('removes the leftovers of a killed process only', async () => {
    const site = await open({ events: 20 });
    site.createRun();
    const run = await site.directory.subdirectory(RUN_ID);
    const unknown = 'segment-000007-00000000000000000001-00000000000000000002.jsonl.gz';
    for (const name of ['.archive-tmp-0011', unknown, 'note.txt']) writeFileSync(run.path(name), 'x');
    await site.run('archiving');
    expect(readdirSync(run.path()).toSorted()).toEqual([
      'manifest.json',
      'note.txt',
      expect.stringContaining('segment-000001'),
    ]);
  });

  test('stops after a segment when it is aborted, and continues from there', async () => {
    const site = await open({ events: 1_250, segmentEvents: 500 });
    site.createRun();
    const controller = new AbortController();
    const stopped = site.run('archiving', {
      signal: controller.signal,
      onProgress: ({ current }) => current === 500 && controller.abort(new Error('stop')),
    });
    expect(await failureOf(stopped)).toMatchObject({ message: 'stop' });
    expect(checkInvariants(site.db)).toEqual([]);
    expect(site.runRow()).toMatchObject({ status: 'archiving', archived_event_count: 500 });
    const [first = ''] = segmentFiles(site);
    const before = readFileSync(first);
    await site.run('archiving');
    expect(readFileSync(first).equals(before)).toBe(true);
    expect(rows(site, 'SELECT sequence, event_count FROM usage_archive_segments')).toEqual([
      { sequence: 1, event_count: 500 },
      { sequence: 2, event_count: 500 },
      { sequence: 3, event_count: 250 },
    ]);
    for (const stage of ['verifying', 'deleting'] as const) await site.run(stage);
    expect(checkInvariants(site.db)).toEqual([]);
    expect(count(site, 'usage_events')).toBe(0);
    const daily = rows(site, 'SELECT sum(deleted_event_count) AS n FROM usage_archive_deleted_coverage_daily');
    expect(daily).toEqual([{ n: 1_250 }]);
  });

  test('keeps identities of imported records', async () => {
    const site = await open({ events: 5 });
    const path = site.folder.path('import.jsonl');
    const hashes = ['opaque', 'Ä ö', 'ab'.repeat(32).toUpperCase(), '0'.repeat(64)];
    const lines = hashes.map((event_hash, index) =>
      JSON.stringify({ event_hash, timestamp_ms: START_MS + index, model: 'm', input_tokens: index }),
    );
    writeFileSync(path, lines.join('\n'));
    const importer = createImporter({
      startWorker: startImportWorker,
      insert: (batch) => site.store.writer.run('importEvents', batch),
      spoolDirectory: site.folder.path('temp'),
      log: { warn: () => {} },
    });
    expect(await importer.run({ kind: 'file', path })).toMatchObject({ added: 4 });
    site.createRun();
    for (const stage of ['archiving', 'verifying', 'deleting'] as const) await site.run(stage);
    expect(checkInvariants(site.db)).toEqual([]);
    expect(await importer.run({ kind: 'file', path })).toMatchObject({ added: 0, skipped: 4 });
    const [file = ''] = segmentFiles(site);
    const found = contentOf(file)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event_hash);
    expect(found.slice(-4)).toEqual(hashes);
  });

  test('a file that was written for other events gets no row', async () => {
    const site = await open({ events: 30 });
    site.createRun();
    site.db.run("UPDATE usage_archive_runs SET status = 'archiving'");
    const facts = {
      sequence: 1,
      firstEventId: 1,
      lastEventId: 2,
      minTimestampMs: 1,
      maxTimestampMs: 2,
      eventCount: 2,
      uncompressedBytes: 1,
      compressedBytes: 1,
      contentSha256: '',
      eventHashDigest: '',
    };
    const [first, second, third] = [...stored(site).values()];
    const written = (ids: number[], events: (UsageEvent | undefined)[]) => ({
      runId: RUN_ID,
      fileName: 'f',
      facts: {
        ...facts,
        minTimestampMs: Math.min(...events.map((event) => event?.timestamp_ms ?? 0)),
        maxTimestampMs: Math.max(...events.map((event) => event?.timestamp_ms ?? 0)),
        eventCount: ids.length,
      },
      events: {
        ids: Float64Array.from(ids),
        timestampsMs: Float64Array.from(events.map((event) => event?.timestamp_ms ?? 0)),
        hashes: events.map((event) => event?.event_hash ?? ''),
      },
    });
    const record = (segment: ReturnType<typeof written>) => site.store.writer.run('recordArchiveSegment', segment);
    const incomplete = { code: 'usage_archive_coverage_incomplete' };
    expect(await failureOf(record(written([1, 3], [first, third])))).toMatchObject(incomplete);
    expect(await failureOf(record(written([1, 2], [second, first])))).toMatchObject(incomplete);
    const swapped = written([1, 2], [first, second]);
    expect(
      await failureOf(
        record({ ...swapped, events: { ...swapped.events, hashes: swapped.events.hashes.toReversed() } }),
      ),
    ).toMatchObject(incomplete);
    expect(await failureOf(record({ ...swapped, facts: { ...swapped.facts, sequence: 2 } }))).toMatchObject({
      code: 'usage_archive_invalid_state',
    });
    expect(count(site, 'usage_archive_event_refs') + count(site, 'usage_archive_segments')).toBe(0);
    await record(swapped);
    expect(count(site, 'usage_archive_event_refs')).toBe(2);
    site.db.run("UPDATE usage_archive_runs SET format = 'another'");
    expect(await failureOf(record(swapped))).toMatchObject({ code: 'usage_archive_invalid_state' });
  });
});

test('a run that may be canceled loses only its temporary files', async () => {
  const site = await open({ events: 5 });
  site.createRun();
  await site.stages.removeTemporary(RUN_ID);
  const run = await site.directory.subdirectory(RUN_ID);
  for (const name of ['.archive-tmp-0011', 'note.txt']) writeFileSync(run.path(name), 'x');
  await site.stages.removeTemporary(RUN_ID);
  expect(readdirSync(run.path())).toEqual(['note.txt']);
  rmSync(run.path(), { recursive: true });
});
