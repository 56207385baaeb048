import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import {
  act,
  archiveServers,
  checkFiles,
  createRun,
  fillEvents,
  onlyRun,
  requireFreeLock,
  runRow,
  settledRun,
  stopWith,
} from '../support/archive-server.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { pauseExport } from '../support/paused-export.ts';

setDefaultTimeout(180_000);

/** Far more than the buffers of a connection hold. */
const EVENTS = 25_000;
const EVENTS_MS = Date.UTC(2026, 7, 1);

const servers = archiveServers();
/** A data directory with a verified run. */
let verified = '';

beforeAll(async () => {
  verified = servers.folder();
  fillEvents(verified, EVENTS_MS, 0, EVENTS);
  const manager = await servers.start(verified);
  const id = await createRun(manager, EVENTS_MS + 86_400_000);
  for (const action of ['resume', 'verify']) expect((await act(manager, id, action)).status).toBe(200);
  expect(await manager.stop()).toBe(0);
});
afterAll(servers.remove);

/** A deletion has read its files and waits for the export, longer than its batches would take. */
async function waits(manager: ManagerProcess): Promise<void> {
  await until(async () => {
    const { status, progress } = await onlyRun(manager);
    return status === 'deleting' && progress?.phase === 'deleting_records';
  }, 'a deletion that has read its files');
  await Bun.sleep(1_500);
  expect(await onlyRun(manager)).toMatchObject({ status: 'deleting', deleted_event_count: 0 });
}

/** No file of an export remains. */
const names = (dataDir: string) => readdirSync(dataDir).toSorted();

test('F-21: a client that is killed in the middle of an export lets the deletion that waits for it go on', async () => {
  const dataDir = servers.copyOf(verified);
  const manager = await servers.start(dataDir);
  const before = names(dataDir);
  const script = join(import.meta.dir, '../support/paused-export.ts');
  const client = Bun.spawn([process.execPath, script, manager.url, manager.adminKey], { stdout: 'pipe' });
  for await (const line of client.stdout) if (Buffer.from(line).includes('begun')) break;
  const { id } = await onlyRun(manager);
  let isAnswered = false;
  const deletion = act(manager, id, 'delete').finally(() => {
    isAnswered = true;
  });
  await waits(manager);
  expect(isAnswered).toBe(false);
  client.kill('SIGKILL');
  await client.exited;
  expect((await deletion).status).toBe(200);
  expect(await onlyRun(manager)).toMatchObject({ status: 'completed', deleted_event_count: EVENTS });
  await requireFreeLock(manager);
  expect(names(dataDir)).toEqual(before);
  await stopWith(manager, 0);
  checkFiles(dataDir);
});

test('F-21: a server that is killed in the middle of an export cuts the answer; the deletion that waited goes on by itself', async () => {
  const dataDir = servers.copyOf(verified);
  const killed = await servers.start(dataDir);
  const before = names(dataDir);
  const download = await pauseExport(killed.url, killed.adminKey);
  const deletion = act(killed, (await onlyRun(killed)).id, 'delete').catch(() => null);
  await waits(killed);
  await killed.kill();
  expect(await deletion).toBeNull();
  const answer = await download.rest();
  expect(answer).toStartWith('HTTP/1.1 200 OK\r\n');
  expect(answer).toMatch(/^transfer-encoding: chunked\r$/im);
  // The end of a chunked body.
  expect(answer).not.toEndWith('0\r\n\r\n');
  expect(answer.match(/"event_hash"/g)?.length).toBeLessThan(EVENTS);
  expect(runRow(dataDir)).toMatchObject({ status: 'deleting', deleted: 0, lockedBy: 'deleting' });
  const manager = await servers.start(dataDir);
  expect(await settledRun(manager, 'completed')).toMatchObject({ deleted_event_count: EVENTS, has_error: false });
  await requireFreeLock(manager);
  expect(names(dataDir)).toEqual(before);
  await stopWith(manager, 0);
  checkFiles(dataDir);
});
