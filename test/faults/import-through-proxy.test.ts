import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeEvents } from '@manager/simulator';
import { hopName, toProblem } from '../../packages/panel/src/features/transfer/upload/problem.ts';
import { checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { type Nginx, startNginx } from '../support/nginx.ts';
import { type BrowserMemory, sourceOf, UploadClient } from '../support/upload-client.ts';

const MIB = 2 ** 20;
const folder = temporaryFolder();
const SLICE_BYTES = 256 * 1024;
let manager: ManagerProcess;
let nginx: Nginx;

beforeEach(async () => {
  manager = await ManagerProcess.start();
  nginx = await startNginx({ target: manager.url, settings: ['client_max_body_size 1m;'] });
});

afterEach(async () => {
  await nginx.stop();
  await manager.remove();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The contents of the stopped server, which must be consistent. */
async function storedEvents(): Promise<number> {
  await manager.stop();
  return checkStored(manager.dataDir);
}

/** A file of events of at least this size; returns their number. */
function writeEvents(path: string, bytes: number, numberFrom: number): number {
  const lines: string[] = [];
  let size = 0;
  for (const { text } of makeEvents({ seed: 12, numberFrom })) {
    if (size >= bytes) break;
    lines.push(`${text}\n`);
    size += Buffer.byteLength(text) + 1;
  }
  writeFileSync(path, lines.join(''));
  return lines.length;
}

test('a proxy that takes 1 MiB is named when it refuses an import; an upload in a session goes through it in smaller slices', async () => {
  const small = join(folder, 'small.jsonl');
  const large = join(folder, 'large.jsonl');
  writeEvents(small, 3 * MIB, 0);
  const events = writeEvents(large, 6 * MIB, 100_000);
  const client = new UploadClient(nginx.url);

  const source = sourceOf(small);
  const refused = await client.calls.importSimply(source.slice(0, source.size)).catch(toProblem);
  expect(refused).toMatchObject({
    kind: 'proxy',
    status: 413,
    hop: { server: expect.stringMatching(/^nginx/), title: '413 Request Entity Too Large' },
  });

  client.controller.start(sourceOf(large));
  const { phase, problem, smaller, result } = await client.ended();
  expect({ phase, problem }).toEqual({ phase: 'completed', problem: null });
  expect(hopName(smaller?.hop ?? { server: '', title: '' })).toStartWith('nginx');
  expect(smaller?.sliceBytes).toBe(MIB);
  expect(result).toMatchObject({ added: events, skipped: 0, failed: 0 });
  expect(await storedEvents()).toBe(events);
});

test('a manager that is killed behind a proxy and started again gets the rest, in slices as large as before', async () => {
  const { dataDir, url } = manager;
  const port = Number(new URL(url).port);
  const env = { USAGE_IMPORT_CHUNK_BYTES: String(SLICE_BYTES) };
  await manager.stop();
  manager = await ManagerProcess.start({ dataDir, port, env });
  const path = join(folder, 'killed.jsonl');
  const events = writeEvents(path, 6 * MIB, 200_000);
  const client = new UploadClient(nginx.url);

  client.controller.start(sourceOf(path));
  await client.until(({ session }) => (session?.received_bytes ?? 0) >= 2 * MIB);
  await manager.kill();
  // Down for longer than the first retry delay, so that the panel can tell an outage from a chunk that is too large.
  const { retry } = await client.until((state) => state.retry?.attempt === 2);
  expect(retry?.error).toMatchObject({ status: 502, hop: { title: '502 Bad Gateway' } });
  manager = await ManagerProcess.start({ dataDir, port, env });

  const { phase, problem, smaller, result } = await client.ended();
  expect({ phase, problem, smaller }).toEqual({ phase: 'completed', problem: null, smaller: null });
  expect(result).toMatchObject({ added: events, skipped: 0, failed: 0 });
  expect(await storedEvents()).toBe(events);
});

test('a tab that is closed and another one that gets the file again send it once, and nothing that is half', async () => {
  const path = join(folder, 'closed.jsonl');
  const events = writeEvents(path, 6 * MIB, 300_000);
  const memory: BrowserMemory = { entries: null };
  const closed = new UploadClient(nginx.url, memory);
  closed.controller.start(sourceOf(path));
  const { session } = await closed.until((state) => (state.session?.received_bytes ?? 0) >= 2 * MIB);
  closed.controller.stop();

  const next = new UploadClient(nginx.url, memory);
  next.controller.start(sourceOf(path));
  const ended = await next.ended();
  expect(ended.problem).toBeNull();
  expect(ended.session?.id).toBe(session?.id ?? '');
  const received = next.states.map((state) => state.session?.received_bytes ?? 0);
  expect(received.find((bytes) => bytes > 0)).toBeGreaterThanOrEqual(session?.received_bytes ?? 0);
  expect(ended.result).toMatchObject({ added: events, skipped: 0, failed: 0 });
  expect(await storedEvents()).toBe(events);
});
