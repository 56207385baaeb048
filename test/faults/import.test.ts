import { afterAll, describe, expect, test } from 'bun:test';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';

const IMPORT = '/v0/management/usage/import';
/** Three full batches and part of one. */
const EVENTS = 800;
const BATCH = 256;
const FILE = makeEvents({ seed: 8, numberFrom: 0 })
  .take(EVENTS)
  .map(({ text }) => `${text}\n`)
  .join('');

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

async function start(dataDir: string, stopAt?: string): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({ dataDir, ...(stopAt === undefined ? {} : { stopAt }) });
  managers.push(manager);
  return manager;
}

/** Imports the file with a server that kills itself at the stop point. Returns its data directory. */
async function killedAt(stopAt: string): Promise<string> {
  const dataDir = temporaryFolder();
  const manager = await start(dataDir, stopAt);
  const answer = manager.fetch(IMPORT, { method: 'POST', body: FILE }).catch(() => null);
  await manager.killed();
  expect(await answer).toBeNull();
  return dataDir;
}

async function importAgain(dataDir: string) {
  const manager = await start(dataDir);
  const result = await manager.json(IMPORT, { method: 'POST', body: FILE });
  expect(await manager.stop()).toBe(0);
  return result;
}

describe('F-19: killed in the middle of a simple import', () => {
  test.each([
    ['inside the third transaction', 'import_batch_written#3', 2 * BATCH],
    ['behind the third commit', 'import_batch_stored#3', 3 * BATCH],
  ])(
    '%s: whole batches are there, and the same file again adds the rest',
    async (_name, stopAt, stored) => {
      const dataDir = await killedAt(stopAt);
      expect(checkStored(dataDir)).toBe(stored);
      expect(await importAgain(dataDir)).toMatchObject({ added: EVENTS - stored, skipped: stored, failed: 0 });
      expect(checkStored(dataDir)).toBe(EVENTS);
      expect(await importAgain(dataDir)).toMatchObject({ added: 0, skipped: EVENTS });
    },
    180_000,
  );
});

test('F-20: killed with an identity claimed and its raw row not written: neither is there, the event is new again', async () => {
  const dataDir = await killedAt('insert_claimed#300');
  expect(checkStored(dataDir)).toBe(BATCH);
  expect(await importAgain(dataDir)).toMatchObject({ added: EVENTS - BATCH, skipped: BATCH });
  expect(checkStored(dataDir)).toBe(EVENTS);
}, 180_000);
