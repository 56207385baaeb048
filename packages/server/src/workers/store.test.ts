import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { checkInvariants } from '../events/invariants/invariants.ts';
import { sampleRecords } from '../events/testing/sample-records.ts';
import { records, recordText } from '../events/testing/test-ingester.ts';
import { SEGMENT_ROWS } from '../facts/columns.ts';
import type { SealedTail } from '../facts/seal.ts';
import { createTestFolder, type TestFolder } from '../platform/testing/test-folder.ts';
import { openDatabase } from '../sqlite/open.ts';
import { createWorkerClient } from '../sqlite/worker/client.ts';
import { workerEntry } from '../sqlite/worker/entry.ts';
import { codeOf } from '../sqlite/worker/errors.ts';
import type { CheckpointerInit, CheckpointerOperations } from './checkpointer.ts';
import { DATABASE_WORKERS } from './entries.ts';
import { openStore, prepareStore, type Store } from './store.ts';

// The full sizes: MANAGER_FULL_FAULTS=1.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const SEALED_ROWS = FULL ? SEGMENT_ROWS : 3_000;
const ENCODED_ROWS = FULL ? 20_000 : 6_000;
const KILLS_WHILE_SEALING = FULL ? 12 : 6;

let folder: TestFolder;
let path: string;
const stores: Store[] = [];
const children: Bun.Subprocess[] = [];

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  // Those of a failed test.
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folder.dispose();
});

function open(segmentRows = SEGMENT_ROWS): Store {
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('.') });
  const store = openStore({
    path,
    hourlyRollup: true,
    now: Date.now,
    log: { info: () => {}, error: () => {} },
    segmentRows,
  });
  stores.push(store);
  return store;
}

function violations(): readonly string[] {
  const db = openDatabase(path, { readonly: true });
  try {
    return checkInvariants(db);
  } finally {
    db.close();
  }
}

describe('the store', () => {
  test('lets readers see what the writer committed', async () => {
    const store = open();
    await store.writer.run('ingest', { records: records(recordText(), 'not json') });
    expect(await store.reader.run('storedCounts', null)).toEqual({
      events: 1,
      deadLetters: 1,
      implausibleTimestamps: 0,
    });
    await store.writer.run('putSettings', [{ key: 'k', value: '1', updatedAtMs: 5 }]);
    expect(await store.reader.run('getSettings', ['k'])).toEqual({ k: { value: '1', updatedAtMs: 5 } });
  });

  test('rolls back a write operation that fails, and keeps the code of the error', async () => {
    const store = open();
    const changes = [
      { key: 'kept out', value: '1', updatedAtMs: 1 },
      { key: 'bad', value: '1', updatedAtMs: null as unknown as number },
    ];
    const error = await store.writer.run('putSettings', changes).catch((caught: unknown) => caught);
    expect(codeOf(error)).toBe('SQLITE_CONSTRAINT_NOTNULL');
    expect(await store.reader.run('getSettings', ['kept out'])).toEqual({});
  });

  test('shows sizes and the last checkpoint of its files', async () => {
    const store = open();
    await store.writer.run('ingest', { records: records(recordText()) });
    const files = store.databaseFiles();
    expect(files?.databaseBytes).toBeGreaterThan(0);
    expect(files?.walBytes).toBeGreaterThan(0);
    expect(files?.totalBytes).toBe((files?.databaseBytes ?? 0) + (files?.walBytes ?? 0) + (files?.shmBytes ?? 0));
    expect(files?.journalSizeLimitBytes).toBe(268_435_456);
  });

  test('seals the tail in the background, and nothing is lost or counted twice', async () => {
    const store = open(SEALED_ROWS);
    const next = sampleRecords({ seed: 5 });
    let inserted = 0;
    while (inserted < SEALED_ROWS + 500) {
      const batch = records(...Array.from({ length: 2_000 }, next));
      inserted += (await store.writer.run('ingest', { records: batch })).inserted;
    }
    await store.close();
    stores.length = 0;
    const db = openDatabase(path, { readonly: true });
    expect(db.query('SELECT row_count FROM fact_segments').all()).toEqual([{ row_count: SEALED_ROWS }]);
    db.close();
    expect(violations()).toEqual([]);
  }, 180_000);

  test('answers ingests while a segment is being encoded', async () => {
    const store = open();
    const next = sampleRecords({ seed: 7 });
    const rows = ENCODED_ROWS;
    for (let inserted = 0; inserted < rows; inserted += 2_000) {
      await store.writer.run('ingest', { records: records(...Array.from({ length: 2_000 }, next)) });
    }
    const init: CheckpointerInit = { path };
    const checkpointWorker = createWorkerClient<CheckpointerOperations>({
      name: 'test',
      entry: workerEntry(DATABASE_WORKERS.checkpointer),
      init,
    });
    await checkpointWorker.run('checkpoint', 'noop');
    let sealed: SealedTail | null = null;
    let ingested = 0;
    let answeredMeanwhile = false;
    // On a busy machine one answer may take longer than an encoding, but not each time.
    for (let attempt = 0; attempt < 50 && !answeredMeanwhile; attempt++) {
      let encoding = true;
      const encoded = checkpointWorker.run('encodeTail', rows).finally(() => {
        encoding = false;
      });
      await store.writer.run('ingest', { records: records(next()) });
      ingested += 1;
      answeredMeanwhile = encoding;
      sealed = await encoded;
    }
    expect(answeredMeanwhile).toBe(true);
    await checkpointWorker.close();
    if (sealed === null) throw new Error('the tail is too short');
    expect(await store.writer.run('replaceTail', sealed)).toBe(true);
    // Sealed but not deleted yet.
    expect(violations()).toEqual([]);
    expect(await store.writer.run('replaceTail', sealed)).toBe(false);
    while (await store.writer.run('trimTail', null)) {
      // The next slice.
    }
    expect(violations()).toEqual([]);
    const db = openDatabase(path, { readonly: true });
    const tail = db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM facts_tail').get();
    db.close();
    expect(tail?.rows).toBe(ingested);
  }, 180_000);
});

interface Child {
  readonly lines: AsyncIterator<string, undefined>;
  readonly kill: () => Promise<void>;
}

function startChild(command: readonly string[]): Child {
  const child = Bun.spawn({ cmd: [...command], stdout: 'pipe', stderr: 'inherit' });
  children.push(child);
  return {
    lines: linesOf(child.stdout),
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  return undefined;
}

function childCommand(...args: readonly string[]): string[] {
  const script = new URL('../events/testing/ingest-child.ts', import.meta.url).pathname;
  return [process.execPath, script, path, folder.path('.'), ...args];
}

test('a process that is killed at any time loses no committed event', async () => {
  let committed = 0;
  for (let round = 0; round < 4; round += 1) {
    const child = startChild(childCommand());
    const batches = 3 + round * 4;
    for (let batch = 0; batch < batches; batch += 1) {
      const { value } = await child.lines.next();
      committed = Number(value?.split(' ')[1]);
    }
    await child.kill();
    // It went on until the signal arrived.
    for (let step = await child.lines.next(); step.value !== undefined; step = await child.lines.next())
      committed = Number(step.value.split(' ')[1]);
    expect(violations()).toEqual([]);
    const db = openDatabase(path, { readonly: true });
    const row = db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM usage_events').get();
    db.close();
    // One batch may have been committed without its confirmation.
    expect(row?.rows).toBeGreaterThanOrEqual(committed);
    expect(row?.rows).toBeLessThanOrEqual(committed + 400);
  }
}, 180_000);

test('a process that is killed while it seals leaves each fact exactly once', async () => {
  let segments = 0;
  for (let round = 0; round < KILLS_WHILE_SEALING; round += 1) {
    // Segments this small are sealed nearly all the time, each in several transactions.
    const child = startChild(childCommand('100', '0', '300'));
    for (let batch = 0; batch < 4 + round * 2; batch += 1) await child.lines.next();
    await Bun.sleep(round * 3);
    await child.kill();
    expect(violations()).toEqual([]);
    const db = openDatabase(path, { readonly: true });
    segments = db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM fact_segments').get()?.rows ?? 0;
    db.close();
  }
  expect(segments).toBeGreaterThan(KILLS_WHILE_SEALING);
}, 180_000);

test.if(process.platform !== 'win32')(
  'a disk that is full is an error with a code; the batch is stored when there is room again',
  async () => {
    prepareStore(path, { now: Date.now, tempDirectory: folder.path('.') });
    // No file may grow beyond 2 MiB; the signal for it is ignored, so that the write fails instead.
    const command = childCommand('200', '0');
    const limited = startChild(['bash', '-c', 'trap "" XFSZ; ulimit -f 2048; exec "$@"', 'bash', ...command]);
    let committed = 0;
    let code = '';
    while (code === '') {
      const { value } = await limited.lines.next();
      if (value === undefined) throw new Error('the process ended');
      if (value.startsWith('committed')) committed = Number(value.split(' ')[1]);
      else code = value;
    }
    await limited.kill();
    expect(code).toMatch(/^SQLITE_(?:FULL|IOERR)/);
    expect(committed).toBeGreaterThan(0);
    expect(violations()).toEqual([]);

    const free = startChild(childCommand('200', String(committed + 400)));
    let last = '';
    for (let step = await free.lines.next(); step.value !== undefined; step = await free.lines.next())
      last = step.value;
    expect(last).toBe('closed');
    expect(violations()).toEqual([]);
  },
  180_000,
);
