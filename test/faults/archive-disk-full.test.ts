import { afterAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { makeEvents } from '@manager/simulator';
import {
  act,
  checkFiles,
  createRun,
  onlyRun,
  requireFreeLock,
  runDirectory,
  segmentPaths,
  stopWith,
} from '../support/archive-server.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { fillVolume, mountSmallVolume } from '../support/small-volume.ts';

const EVENTS = 4_000;
const EVENTS_MS = Date.UTC(2026, 7, 1);
const CUTOFF_MS = EVENTS_MS + 86_400_000;
const KIB = 1024;

const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** A server with events in a newly started log, and a run of all of them. */
async function start(): Promise<{ manager: ManagerProcess; dataDir: string; id: string }> {
  const { folder: dataDir, unmount } = mountSmallVolume(100);
  cleanups.push(unmount);
  const first = await ManagerProcess.start({ dataDir });
  cleanups.push(() => first.kill());
  let clock = EVENTS_MS;
  const events = makeEvents({ seed: 4, numberFrom: 0, now: () => (clock += 1_000) }).take(EVENTS);
  const body = events.map(({ text }) => `${text}\n`).join('');
  const imported = await first.fetch('/v0/management/usage/import', { method: 'POST', body });
  expect(await imported.json()).toMatchObject({ added: EVENTS });
  expect(await first.stop()).toBe(0);
  const manager = await ManagerProcess.start({ dataDir });
  cleanups.push(() => manager.kill());
  return { manager, dataDir, id: await createRun(manager, CUTOFF_MS) };
}

test('a disk that runs full while a segment is written leaves no file, and the run is resumed when there is room', async () => {
  const { manager, dataDir, id } = await start();
  const free = fillVolume(dataDir, 400 * KIB);
  const failed = await act(manager, id, 'resume');
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain(dataDir);
  expect(await onlyRun(manager)).toMatchObject({
    status: 'failed',
    resume_status: 'archiving',
    archived_event_count: 0,
    has_error: true,
  });
  expect(readdirSync(runDirectory(dataDir, id))).toEqual([]);
  await requireFreeLock(manager);
  expect((await manager.fetch('/health')).status).toBe(200);
  free();
  for (const action of ['resume', 'verify', 'delete']) expect((await act(manager, id, action)).status).toBe(200);
  await stopWith(manager, 0);
  checkFiles(dataDir);
});

test('a disk that runs full while rows are deleted leaves whole batches, and the run is resumed when there is room', async () => {
  const { manager, dataDir, id } = await start();
  for (const action of ['resume', 'verify']) expect((await act(manager, id, action)).status).toBe(200);
  expect(segmentPaths(dataDir, id)).toHaveLength(1);
  const free = fillVolume(dataDir, 300 * KIB);
  expect((await act(manager, id, 'delete')).status).toBe(500);
  const run = await onlyRun(manager);
  expect(run).toMatchObject({ status: 'failed', resume_status: 'deleting', has_error: true });
  expect(run.deleted_event_count).toBeLessThan(EVENTS);
  expect(run.deleted_event_count % 1_000).toBe(0);
  await requireFreeLock(manager);
  free();
  expect((await act(manager, id, 'resume')).status).toBe(200);
  expect(await onlyRun(manager)).toMatchObject({ status: 'completed', deleted_event_count: EVENTS });
  await stopWith(manager, 0);
  checkFiles(dataDir);
});
