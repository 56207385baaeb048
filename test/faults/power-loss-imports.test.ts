import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ImportSessions, sha256 } from '../support/import-session.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { mediumDirectory, type PoweredDirectory, strictDirectory } from '../support/power-loss.ts';

setDefaultTimeout(120_000);

const EVENTS = 600;
const CHUNK_BYTES = 256 * 1024;
const FILE: Uint8Array = Buffer.from(
  makeEvents({ seed: 5, numberFrom: 0 })
    .take(EVENTS)
    .map(({ text }) => `${text}\n`)
    .join(''),
);
const CHUNKS = Math.ceil(FILE.length / CHUNK_BYTES);

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(dataDir: string, options: PoweredDirectory['options'] & { readonly stopAt?: string } = {}) {
  const manager = await ManagerProcess.start({
    dataDir,
    ...options,
    env: { USAGE_IMPORT_CHUNK_BYTES: String(CHUNK_BYTES), ...options.env },
  });
  cleanups.push(() => (manager.running ? manager.kill() : undefined));
  return new ImportSessions(manager);
}

async function uploadAndImport(sessions: ImportSessions): Promise<void> {
  const { id } = await sessions.upload(await sessions.create(FILE.length), FILE);
  await sessions.complete(id);
}

const strict = () => strictDirectory('usage-imports');
test.each([
  ['F-02: a session is there when its answer was due', 'import_session_recorded', 0, strict],
  ['F-04: a chunk without metadata was never received', 'import_chunk_synced#2', CHUNK_BYTES, strict],
  ['F-05: nor was one whose metadata has no name yet', 'import_chunk_metadata_written#2', CHUNK_BYTES, strict],
  ['F-06: a chunk is whole when its answer was due', 'import_chunk_recorded#2', 2 * CHUNK_BYTES, strict],
  ['F-06: so it is on a real medium', 'import_chunk_recorded#2', 2 * CHUNK_BYTES, mediumDirectory],
  ['F-07: so is the last one', `import_chunk_recorded#${CHUNKS}`, FILE.length, strict],
  ['F-08: a file that is being imported is whole', 'import_processing_recorded', FILE.length, strict],
] as const)('F-85: after a loss of power, %s', async (_, stopAt, received, where) => {
  const directory = where();
  cleanups.push(directory.remove);
  const killed = await start(directory.dataDir, { ...directory.options, stopAt });
  const lastCall = uploadAndImport(killed).catch(() => null);
  await killed.manager.killed();
  await lastCall;
  const dataDir = directory.lose();
  const sessions = await start(dataDir);
  const [session, ...others] = (await sessions.list()).sessions;
  if (session === undefined) throw new Error('no session');
  expect(others).toEqual([]);
  expect(session).toMatchObject({
    status: received === FILE.length ? 'ready' : 'uploading',
    received_bytes: received,
    received_prefix_sha256: sha256(FILE.subarray(0, received)),
  });
  await sessions.upload(session, FILE);
  expect(await sessions.import(session.id)).toMatchObject({
    status: 'completed',
    has_error: false,
    result: { added: EVENTS },
  });
  expect(await sessions.manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(EVENTS);
  expect(readdirSync(join(dataDir, 'usage-imports'))).toEqual([`${session.id}.json`]);
});
