import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import {
  act,
  archiveServers,
  checkFiles,
  createRun,
  fillEvents,
  inDatabase,
  onlyRun,
  requireFreeLock,
  runDirectory,
  runRow,
  segmentPaths,
  settledRun,
  stopWith,
} from '../support/archive-server.ts';
import type { ManagerProcess } from '../support/manager-process.ts';

/** Three batches of a deletion. */
const EVENTS = 2_300;
/** Two segments. */
const MANY_EVENTS = 10_050;
const EVENTS_MS = Date.UTC(2026, 7, 1);
const CUTOFF_MS = EVENTS_MS + 86_400_000;

const servers = archiveServers();
const { start, killed, killedByItself, copyOf } = servers;
/** Data directories that tests copy: with events, and with a verified run. */
let filled = '';
let verified = '';

beforeAll(async () => {
  filled = servers.folder();
  fill(filled, 0, EVENTS);
  verified = copyOf(filled);
  const manager = await start(verified);
  const id = await createRun(manager, CUTOFF_MS);
  for (const action of ['resume', 'verify']) expect((await act(manager, id, action)).status).toBe(200);
  expect(await manager.stop()).toBe(0);
}, 180_000);
afterAll(servers.remove);

function fill(dataDir: string, from: number, to: number): void {
  fillEvents(dataDir, EVENTS_MS, from, to);
}

const temporaryFiles = (dataDir: string) =>
  readdirSync(runDirectory(dataDir)).filter((name) => name.startsWith('.archive-tmp-'));

const archiving = async (manager: ManagerProcess) => act(manager, await createRun(manager, CUTOFF_MS), 'resume');
const action = (name: string) => async (manager: ManagerProcess) => act(manager, (await onlyRun(manager)).id, name);

/** The stage continues automatically after the start, and no further stage starts. */
async function endsBy(dataDir: string, status: string, left: number): Promise<void> {
  const manager = await start(dataDir);
  const run = await settledRun(manager, status);
  expect(run.has_error).toBe(false);
  await requireFreeLock(manager);
  await stopWith(manager, left);
  checkFiles(dataDir);
}

/** Every point goes on where the one before was killed, which needs half as many starts as a directory for each. */
describe('archiving, killed', () => {
  let dataDir = '';
  let segments: readonly string[] = [];
  let manifest = { generated_at_ms: 0 };
  const readManifest = () => JSON.parse(readFileSync(join(runDirectory(dataDir), 'manifest.json'), 'utf8'));

  test('F-33 when it was entered and no file is there', async () => {
    dataDir = copyOf(filled);
    await killed(dataDir, 'archive_archiving_entered', archiving);
    expect(runRow(dataDir)).toMatchObject({ status: 'archiving', segments: 0, lockedBy: 'archiving' });
  });

  test.each(['archive_segment_half', 'archive_segment_written'])(
    'F-34 at %s: only its temporary file is there',
    async (stopAt) => {
      await killedByItself(dataDir, stopAt);
      expect(temporaryFiles(dataDir)).toHaveLength(1);
      expect(segmentPaths(dataDir)).toEqual([]);
      expect(runRow(dataDir)).toMatchObject({ segments: 0, archived: 0 });
    },
  );

  test.each(['segment_published', 'archive_segment_recording'])(
    'F-35 at %s, before the row: the temporary file is gone, and the same file is written again',
    async (stopAt) => {
      await killedByItself(dataDir, stopAt);
      const files = segmentPaths(dataDir);
      expect(files).toHaveLength(1);
      if (segments.length > 0) expect(files).toEqual([...segments]);
      segments = files;
      expect(temporaryFiles(dataDir)).toEqual([]);
      expect(runRow(dataDir)).toMatchObject({ segments: 0, archived: 0 });
      expect(inDatabase(dataDir, 'SELECT * FROM usage_archive_event_refs')).toEqual([]);
    },
  );

  test('F-39 when the manifest has its temporary name: the segment has one row', async () => {
    await killedByItself(dataDir, 'archive_manifest_written');
    expect(segmentPaths(dataDir)).toEqual([...segments]);
    expect(runRow(dataDir)).toMatchObject({ archived: EVENTS, segments: 1 });
    expect(temporaryFiles(dataDir)).toHaveLength(1);
    expect(existsSync(join(runDirectory(dataDir), 'manifest.json'))).toBe(false);
  });

  /** It was written again, with a new time and nothing else new. */
  function expectRewritten(): void {
    const after = readManifest();
    expect(after.generated_at_ms).toBeGreaterThan(manifest.generated_at_ms);
    if (manifest.generated_at_ms > 0) {
      expect({ ...after, generated_at_ms: 0 }).toEqual({ ...manifest, generated_at_ms: 0 });
    }
    manifest = after;
  }

  test.each(['manifest_published', 'archive_archived_marking'])(
    'F-40 at %s: the manifest is written again with a new time',
    async (stopAt) => {
      await killedByItself(dataDir, stopAt);
      expect(temporaryFiles(dataDir)).toEqual([]);
      expectRewritten();
      expect(runRow(dataDir)).toMatchObject({ status: 'archiving', archived: EVENTS });
    },
  );

  test('goes on to its end', async () => {
    await endsBy(dataDir, 'archived', EVENTS);
    expectRewritten();
    expect(segmentPaths(dataDir)).toEqual([...segments]);
    expect(runRow(dataDir)).toMatchObject({ archived: EVENTS, segments: 1 });
    expect(inDatabase(dataDir, 'SELECT archived_at_ms AS at FROM usage_archive_runs')).toEqual([
      { at: manifest.generated_at_ms },
    ]);
  });
});

test('F-36, F-37, F-38 and F-42 two segments, killed between and behind them again and again: none twice, none missing', async () => {
  const dataDir = servers.folder();
  fill(dataDir, 0, MANY_EVENTS);
  await killed(dataDir, 'segment_recorded', archiving);
  expect(runRow(dataDir)).toMatchObject({ status: 'archiving', segments: 1, archived: 10_000 });
  const [first = ''] = segmentPaths(dataDir);
  const bytes = readFileSync(first);
  // It continues automatically after every start.
  const digests: unknown[] = [];
  for (const stopAt of ['archive_finalizing', 'archive_finalizing_segment', 'archive_finalizing_segment#2']) {
    await killedByItself(dataDir, stopAt);
    expect(runRow(dataDir)).toMatchObject({ status: 'archiving', segments: 2, archived: MANY_EVENTS });
    digests.push(inDatabase(dataDir, 'SELECT event_hash_digest FROM usage_archive_segments'));
  }
  expect(readFileSync(first).equals(bytes)).toBe(true);
  const manager = await start(dataDir);
  const { id } = await settledRun(manager, 'archived');
  expect(await manager.stop()).toBe(0);
  digests.push(inDatabase(dataDir, 'SELECT event_hash_digest FROM usage_archive_segments'));
  expect(new Set(digests.map((digest) => JSON.stringify(digest))).size).toBe(1);
  for (const stopAt of ['archive_verifying_entered', 'verifying_archive_segment']) {
    await killed(dataDir, stopAt, (running) => act(running, id, 'verify'));
    expect(runRow(dataDir)).toMatchObject({ status: 'verifying', lockedBy: 'verifying' });
  }
  for (const stopAt of ['verifying_archive_segment#2', 'archive_verified_marking']) {
    await killedByItself(dataDir, stopAt);
    expect(runRow(dataDir)).toMatchObject({ status: 'verifying', lockedBy: 'verifying' });
  }
  await endsBy(dataDir, 'verified', MANY_EVENTS);
  const ids = segmentPaths(dataDir).flatMap((path) =>
    Buffer.from(Bun.gunzipSync(new Uint8Array(readFileSync(path))))
      .toString()
      .trim()
      .split('\n')
      .map((line) => Number(JSON.parse(line)._archive_event_id)),
  );
  expect(ids).toEqual(Array.from({ length: MANY_EVENTS }, (_, index) => index + 1));
}, 180_000);

/** The same for a deletion: its first batch, its second one, its third and its end. */
describe('deleting, killed', () => {
  let dataDir = '';
  const rows = () => inDatabase(dataDir, 'SELECT count(*) AS rows FROM usage_events');

  test('F-44 when it was entered', async () => {
    dataDir = copyOf(verified);
    await killed(dataDir, 'archive_deleting_entered', action('delete'));
    expect(runRow(dataDir)).toMatchObject({ status: 'deleting', deleted: 0, lockedBy: 'deleting' });
  });

  test.each([
    ['F-44', 'archive_revalidating', 'before the files are read', 0],
    ['F-45', 'cleanup_revalidating_segment', 'while the files are read', 0],
    ['F-45', 'archive_revalidated', 'when the files were read', 0],
    ['F-46', 'archive_delete_rows', 'inside of the first batch', 0],
    ['F-46', 'archive_delete_rows#2', 'inside of the second batch', 1_000],
    ['F-46', 'archive_delete_batch', 'inside of the second batch', 1_000],
    ['F-46', 'archive_delete_batch#2', 'inside of the third batch', 2_000],
  ] as const)('%s at %s, %s: %d events are gone', async (_number, stopAt, _when, deleted) => {
    await killedByItself(dataDir, stopAt);
    expect(runRow(dataDir)).toMatchObject({ status: 'deleting', deleted, lockedBy: 'deleting' });
    expect(rows()).toEqual([{ rows: EVENTS - deleted }]);
  });

  test('F-48 and F-58 behind the last batch: it is complete, no day counts twice, and the files bring nothing new', async () => {
    await killedByItself(dataDir, 'archive_completed');
    const manager = await start(dataDir);
    const run = await settledRun(manager, 'completed');
    expect((await act(manager, run.id, 'delete')).status).toBe(200);
    await requireFreeLock(manager);
    for (const path of segmentPaths(dataDir)) {
      const answer = await manager.fetch('/v0/management/usage/import', {
        method: 'POST',
        body: Bun.gunzipSync(new Uint8Array(readFileSync(path))),
      });
      expect(await answer.json()).toMatchObject({ added: 0, skipped: EVENTS, failed: 0 });
    }
    await stopWith(manager, 0);
    checkFiles(dataDir);
    expectDayCountedOnce(dataDir);
  });
});

function expectDayCountedOnce(dataDir: string): void {
  expect(runRow(dataDir)).toMatchObject({ deleted: EVENTS });
  expect(
    inDatabase(dataDir, 'SELECT utc_day_ms AS day, deleted_event_count AS n FROM usage_archive_deleted_coverage_daily'),
  ).toEqual([{ day: EVENTS_MS, n: EVENTS }]);
}

describe('a deletion that was killed behind its first batch', () => {
  /** Data directory that the tests copy. */
  let begun = '';
  beforeAll(async () => {
    begun = copyOf(verified);
    await killed(begun, 'delete_batch_committed', action('delete'));
    expect(runRow(begun)).toMatchObject({ status: 'deleting', deleted: 1_000 });
  });

  test('F-47 goes on with the next one, and no day counts twice', async () => {
    const dataDir = copyOf(begun);
    await endsBy(dataDir, 'completed', 0);
    expectDayCountedOnce(dataDir);
  });

  const damages: readonly (readonly [string, (segment: string) => void])[] = [
    ['F-49 the segment is gone', (segment) => rmSync(segment)],
    [
      'F-50 a byte of the segment is another one',
      (segment) => {
        const file = readFileSync(segment);
        file[file.length >> 1] = (file[file.length >> 1] ?? 0) ^ 1;
        writeFileSync(segment, file);
      },
    ],
    ['F-50 others may read the segment', (segment) => chmodSync(segment, 0o644)],
    [
      'F-50 a link leads to the segment',
      (segment) => {
        const elsewhere = join(servers.folder(), 'segment');
        renameSync(segment, elsewhere);
        symlinkSync(elsewhere, segment);
      },
    ],
  ];
  test.each(damages)('then %s: it fails; with the file put back it goes on', async (_name, damage) => {
    const dataDir = copyOf(begun);
    const [segment = ''] = segmentPaths(dataDir);
    const good = readFileSync(segment);
    damage(segment);
    const manager = await start(dataDir);
    expect(await settledRun(manager, 'failed')).toMatchObject({
      resume_status: 'deleting',
      deleted_event_count: 1_000,
      has_error: true,
    });
    await requireFreeLock(manager);
    rmSync(segment, { force: true });
    writeFileSync(segment, good, { mode: 0o600 });
    expect((await action('resume')(manager)).status).toBe(200);
    expect(await onlyRun(manager)).toMatchObject({ status: 'completed', deleted_event_count: EVENTS });
    await stopWith(manager, 0);
    checkFiles(dataDir);
  });

  test('F-51 then the hourly rollup is behind: it waits, and goes on once that has caught up', async () => {
    const dataDir = copyOf(begun);
    inDatabase(dataDir, 'DELETE FROM hourly_core');
    inDatabase(dataDir, "UPDATE counters SET value = 0 WHERE name = 'hourly_core_event_id'");
    const behind = await start(dataDir, undefined, { USAGE_DASHBOARD_HOURLY_ROLLUP_ENABLED: 'false' });
    await Bun.sleep(1_000);
    expect(await onlyRun(behind)).toMatchObject({ deleted_event_count: 1_000 });
    await stopWith(behind, EVENTS - 1_000);
    await endsBy(dataDir, 'completed', 0);
  });

  test('F-52 then another event arrives: it stays', async () => {
    const dataDir = copyOf(begun);
    fill(dataDir, EVENTS, EVENTS + 1);
    await endsBy(dataDir, 'completed', 1);
    expect(inDatabase(dataDir, 'SELECT id FROM usage_events')).toEqual([{ id: EVENTS + 1 }]);
  });
});

test('F-59 a raw row that was deleted by hand stops it before the first batch', async () => {
  const dataDir = copyOf(verified);
  inDatabase(dataDir, `DELETE FROM usage_events WHERE id = ${EVENTS - 1}`);
  const manager = await start(dataDir);
  const refused = await action('delete')(manager);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ code: 'usage_archive_coverage_incomplete' });
  expect(await onlyRun(manager)).toMatchObject({
    status: 'failed',
    resume_status: 'deleting',
    deleted_event_count: 0,
    has_error: true,
  });
  await requireFreeLock(manager);
  expect(await manager.stop()).toBe(0);
  expect(inDatabase(dataDir, 'SELECT count(*) AS rows FROM usage_events')).toEqual([{ rows: EVENTS - 1 }]);
  expect(basename(segmentPaths(dataDir)[0] ?? '')).toStartWith('segment-000001-');
});
