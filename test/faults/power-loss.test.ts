import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  act,
  archiveServers,
  checkFiles,
  createRun,
  fillEvents,
  inDatabase,
  onlyRun,
  requireFreeLock,
  runRow,
  segmentPaths,
  settledRun,
  stopWith,
} from '../support/archive-server.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { mediumDirectory, type PoweredDirectory, strictDirectory } from '../support/power-loss.ts';

setDefaultTimeout(120_000);

/** Three batches of a deletion. */
const EVENTS = 2_300;
const EVENTS_MS = Date.UTC(2026, 7, 1);

const servers = archiveServers();
const directories: PoweredDirectory[] = [];
/** Data directories that tests copy: with events, and with a verified run. */
let filled = '';
let verified = '';

beforeAll(async () => {
  filled = servers.folder();
  fillEvents(filled, EVENTS_MS, 0, EVENTS);
  verified = servers.copyOf(filled);
  const manager = await servers.start(verified);
  const id = await createRun(manager, EVENTS_MS + 86_400_000);
  for (const action of ['resume', 'verify']) expect((await act(manager, id, action)).status).toBe(200);
  expect(await manager.stop()).toBe(0);
});
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove();
});
afterAll(servers.remove);

const archiving = async (manager: ManagerProcess) =>
  act(manager, await createRun(manager, EVENTS_MS + 86_400_000), 'resume');
const deleting = async (manager: ManagerProcess) => act(manager, (await onlyRun(manager)).id, 'delete');

/** Kills the server at the stop point and cuts the power; returns what is left. */
async function powerLostAt(
  directory: PoweredDirectory,
  stopAt: string,
  run: (manager: ManagerProcess) => Promise<unknown>,
): Promise<string> {
  directories.push(directory);
  const manager = await ManagerProcess.start({ dataDir: directory.dataDir, stopAt, ...directory.options });
  const lastCall = run(manager).catch(() => null);
  await manager.killed();
  await lastCall;
  return directory.lose();
}

async function endsBy(dataDir: string, status: string, left: number): Promise<void> {
  const manager = await servers.start(dataDir);
  expect((await settledRun(manager, status)).has_error).toBe(false);
  await requireFreeLock(manager);
  await stopWith(manager, left);
  checkFiles(dataDir);
}

const sha256 = (path: string) => new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex');

describe.each([
  ['what a file system must keep', (source: string) => strictDirectory('usage-archives', source)],
  ['what a real medium keeps', (source: string) => mediumDirectory(source)],
] as const)('F-85: a loss of power that drops every unsynced write, %s', (_, make) => {
  test('F-35 when a segment has its name and no row: it is written again and gets one row', async () => {
    const dataDir = await powerLostAt(make(filled), 'segment_published', archiving);
    expect(runRow(dataDir)).toMatchObject({ status: 'archiving', segments: 0, archived: 0 });
    await endsBy(dataDir, 'archived', EVENTS);
    expect(runRow(dataDir)).toMatchObject({ archived: EVENTS, segments: 1 });
  });

  test('F-36 when it has its row: the file is there, and as the row says', async () => {
    const dataDir = await powerLostAt(make(filled), 'segment_recorded', archiving);
    expect(runRow(dataDir)).toMatchObject({ status: 'archiving', segments: 1, archived: EVENTS });
    expect(inDatabase(dataDir, 'SELECT content_sha256 AS hash FROM usage_archive_segments')).toEqual(
      segmentPaths(dataDir).map((path) => ({ hash: sha256(path) })),
    );
    await endsBy(dataDir, 'archived', EVENTS);
  });

  test('F-40 when the manifest has its name and the run is not marked: it is written again with a new time', async () => {
    const dataDir = await powerLostAt(make(filled), 'manifest_published', archiving);
    expect(runRow(dataDir)).toMatchObject({ status: 'archiving', archived: EVENTS });
    const lostMs = Date.now();
    await endsBy(dataDir, 'archived', EVENTS);
    const [run] = inDatabase<{ file: string; hash: string; at: number }>(
      dataDir,
      'SELECT manifest_file AS file, manifest_sha256 AS hash, archived_at_ms AS at FROM usage_archive_runs',
    );
    const manifest = join(dataDir, 'usage-archives', run?.file ?? '');
    expect(sha256(manifest)).toBe(run?.hash ?? '');
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ generated_at_ms: run?.at ?? 0 });
    expect(run?.at).toBeGreaterThanOrEqual(lostMs);
  });

  test('F-41 when the run is marked: its files are all there', async () => {
    const dataDir = await powerLostAt(make(filled), 'archived_committed', archiving);
    expect(runRow(dataDir)).toMatchObject({ status: 'archived', segments: 1, archived: EVENTS });
    checkFiles(dataDir);
    await endsBy(dataDir, 'archived', EVENTS);
  });

  test('F-47 when a batch is deleted: it goes on with the next one, and no day counts twice', async () => {
    const dataDir = await powerLostAt(make(verified), 'delete_batch_committed', deleting);
    expect(runRow(dataDir)).toMatchObject({ status: 'deleting', deleted: 1_000 });
    await endsBy(dataDir, 'completed', 0);
    expect(runRow(dataDir)).toMatchObject({ deleted: EVENTS });
    expect(
      inDatabase(
        dataDir,
        'SELECT utc_day_ms AS day, deleted_event_count AS n FROM usage_archive_deleted_coverage_daily',
      ),
    ).toEqual([{ day: EVENTS_MS, n: EVENTS }]);
  });
});

describe('the power loss itself', () => {
  const contentIn = (folder: string, name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';

  test('drops unsynced writes on a real medium, and keeps synced ones', () => {
    const source = servers.folder();
    writeFileSync(join(source, 'synced'), 'synced');
    const directory = mediumDirectory(source);
    directories.push(directory);
    writeFileSync(join(directory.dataDir, 'unsynced'), 'unsynced');
    const left = directory.lose();
    expect(contentIn(left, 'synced')).toBe('synced');
    expect(contentIn(left, 'unsynced')).toBe('');
  });
});
