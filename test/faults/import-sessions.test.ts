import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORT_PREFIX_HEADER, IMPORT_SESSIONS_PATH } from '@manager/core/contract/transfer/import-sessions';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ImportSessions, sha256 } from '../support/import-session.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';

/** Two full batches and part of one. */
const EVENTS = 600;
const BATCH = 256;
const CHUNK_BYTES = 256 * 1024;
const ENV = { USAGE_IMPORT_CHUNK_BYTES: String(CHUNK_BYTES), USAGE_IMPORT_MAX_SESSIONS: '1' };

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

function fileOf(events: number): Uint8Array {
  const generated = makeEvents({ seed: 5, numberFrom: 0 }).take(events);
  return Buffer.from(generated.map(({ text }) => `${text}\n`).join(''));
}

const FILE = fileOf(EVENTS);
const WHOLE = { status: 'completed', has_error: false } as const;

async function start(dataDir: string, stopAt?: string): Promise<ImportSessions> {
  const manager = await ManagerProcess.start({ dataDir, env: ENV, ...(stopAt === undefined ? {} : { stopAt }) });
  managers.push(manager);
  return new ImportSessions(manager);
}

/** Runs until the server kills itself at the stop point, then starts it again. The open request gets no answer. */
async function killedAt(
  stopAt: string,
  run: (sessions: ImportSessions) => Promise<unknown>,
  /** Work before the kill, by a server without stop points. */
  prepare?: (sessions: ImportSessions) => Promise<unknown>,
): Promise<{ sessions: ImportSessions; dataDir: string; found: string[] }> {
  const dataDir = temporaryFolder();
  if (prepare !== undefined) {
    const unharmed = await start(dataDir);
    await prepare(unharmed);
    await unharmed.manager.stop();
  }
  const first = await start(dataDir, stopAt);
  const lastCall = run(first).catch(() => null);
  await first.manager.killed();
  await lastCall;
  const found = files(dataDir);
  return { sessions: await start(dataDir), dataDir, found };
}

/** Uploads and imports with one server, stops it, lets the test change the files, starts another. */
async function stoppedAfter(
  run: (sessions: ImportSessions) => Promise<string>,
  between: (paths: { part: string; metadata: string }) => void,
): Promise<{ sessions: ImportSessions; dataDir: string; id: string }> {
  const dataDir = temporaryFolder();
  const first = await start(dataDir);
  const id = await run(first);
  expect(await first.manager.stop()).toBe(0);
  const path = (extension: string) => join(dataDir, 'usage-imports', `${id}.${extension}`);
  between({ part: path('part'), metadata: path('json') });
  return { sessions: await start(dataDir), dataDir, id };
}

function files(dataDir: string): string[] {
  const folder = join(dataDir, 'usage-imports');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** The only session of the list. */
async function only(sessions: ImportSessions) {
  const { sessions: list } = await sessions.list();
  expect(list).toHaveLength(1);
  const [session] = list;
  if (session === undefined) throw new Error('no session');
  return session;
}

/** In every case: a new upload under another key completes, and the data directory is consistent. */
async function completesNewUpload(sessions: ImportSessions, dataDir: string): Promise<void> {
  const active = (await sessions.list()).sessions.filter(({ status }) => status === 'uploading' || status === 'ready');
  for (const { id } of active) await sessions.cancel(id);
  const { id } = await sessions.upload(await sessions.create(FILE.length, 'b'.repeat(32)), FILE);
  expect(await sessions.import(id)).toMatchObject({ ...WHOLE, result: { total: EVENTS } });
  await stopsWith(sessions, dataDir, EVENTS);
}

async function stopsWith(sessions: ImportSessions, dataDir: string, events: number): Promise<void> {
  expect(await sessions.manager.stop()).toBe(0);
  expect(checkStored(dataDir)).toBe(events);
  expect(files(dataDir).filter((name) => !/^[0-9a-f]{32}\.json$/.test(name))).toEqual([]);
}

const prefix = (bytes: number) => ({ received_bytes: bytes, received_prefix_sha256: sha256(FILE.subarray(0, bytes)) });

describe('a session that is created', () => {
  test('F-01: killed between its file and its metadata, is not there and holds no slot', async () => {
    const { sessions, dataDir, found } = await killedAt('import_session_part_created', (first) =>
      first.create(FILE.length),
    );
    expect(found).toEqual([expect.stringMatching(/\.part$/)]);
    expect(await sessions.list()).toMatchObject({ total: 0, active_sessions: 0 });
    expect(files(dataDir)).toEqual([]);
    await completesNewUpload(sessions, dataDir);
  });

  test('F-02: killed before the answer, is found again by its key', async () => {
    const { sessions, dataDir } = await killedAt('import_session_recorded', (first) => first.create(FILE.length));
    const { id } = await only(sessions);
    const again = await sessions.create(FILE.length);
    expect(again).toMatchObject({ id, status: 'uploading', ...prefix(0) });
    expect(await sessions.list()).toMatchObject({ total: 1, active_sessions: 1 });
    await sessions.upload(again, FILE);
    expect(await sessions.import(id)).toMatchObject({ ...WHOLE, result: { added: EVENTS } });
    await stopsWith(sessions, dataDir, EVENTS);
  });
});

describe('a chunk', () => {
  const create = (sessions: ImportSessions) => sessions.create(FILE.length);

  async function sendFirst(sessions: ImportSessions): Promise<void> {
    await sessions.chunk((await create(sessions)).id, FILE, 0, CHUNK_BYTES);
  }

  async function sendSecond(sessions: ImportSessions): Promise<void> {
    await sessions.chunk((await create(sessions)).id, FILE, CHUNK_BYTES, CHUNK_BYTES);
  }

  /** With a pause in the middle: how many pieces the server sees is not fixed, but there is more than one. */
  async function sendSecondSlowly(sessions: ImportSessions): Promise<void> {
    const { id } = await create(sessions);
    const half = CHUNK_BYTES / 2;
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(FILE.slice(CHUNK_BYTES, CHUNK_BYTES + half));
        await Bun.sleep(500);
        controller.enqueue(FILE.slice(CHUNK_BYTES + half, 2 * CHUNK_BYTES));
        controller.close();
      },
    });
    await sessions.call('PUT', `/${id}/chunk?offset=${CHUNK_BYTES}`, {
      body,
      headers: { [IMPORT_PREFIX_HEADER]: sha256(FILE.subarray(0, CHUNK_BYTES)) },
    });
  }

  async function sendTwo(sessions: ImportSessions): Promise<void> {
    await sendFirst(sessions);
    await sendSecond(sessions);
  }

  test.each([
    ['F-03: killed when half of it is written', 'import_chunk_part_written', sendSecondSlowly, sendFirst],
    ['F-04: killed when its bytes are on disk and no metadata knows them', 'import_chunk_synced#2', sendTwo, undefined],
    ['F-05: killed when its metadata waits for its name', 'import_chunk_metadata_written#2', sendTwo, undefined],
  ])('%s, was never received', async (_, stopAt, send, prepare) => {
    const { sessions, dataDir, found } = await killedAt(stopAt, send, prepare);
    const session = await only(sessions);
    expect(session).toMatchObject({ status: 'uploading', ...prefix(CHUNK_BYTES) });
    expect(found.some((name) => name.endsWith('.tmp'))).toBe(stopAt.includes('metadata'));
    expect(files(dataDir)).toEqual([`${session.id}.json`, `${session.id}.part`]);
    expect(readFileSync(join(dataDir, 'usage-imports', `${session.id}.part`))).toEqual(
      Buffer.from(FILE.subarray(0, CHUNK_BYTES)),
    );
    await sessions.upload(session, FILE);
    expect(await sessions.import(session.id)).toMatchObject({ ...WHOLE, result: { added: EVENTS } });
    await stopsWith(sessions, dataDir, EVENTS);
  });

  test('F-06: killed before its answer, was received, and is refused when it is sent again', async () => {
    const { sessions, dataDir } = await killedAt('import_chunk_recorded#2', sendTwo);
    const session = await only(sessions);
    expect(session).toMatchObject({ status: 'uploading', ...prefix(2 * CHUNK_BYTES) });
    expect(await sessions.chunk(session.id, FILE, CHUNK_BYTES, CHUNK_BYTES)).toMatchObject({
      status: 409,
      code: 'usage_import_session_conflict',
    });
    await sessions.upload(await sessions.read(session.id), FILE);
    expect(await sessions.import(session.id)).toMatchObject({ ...WHOLE, result: { added: EVENTS } });
    await stopsWith(sessions, dataDir, EVENTS);
  });

  test('F-07: the last one, killed before its answer, leaves a session that is ready', async () => {
    const chunks = Math.ceil(FILE.length / CHUNK_BYTES);
    const { sessions, dataDir } = await killedAt(`import_chunk_recorded#${chunks}`, async (first) =>
      first.upload(await first.create(FILE.length), FILE),
    );
    const session = await only(sessions);
    expect(session).toMatchObject({ status: 'ready', ...prefix(FILE.length) });
    expect(await sessions.import(session.id)).toMatchObject({ ...WHOLE, result: { added: EVENTS } });
    await stopsWith(sessions, dataDir, EVENTS);
  });
});

describe('an import', () => {
  const importAll = async (sessions: ImportSessions) => {
    const { id } = await sessions.upload(await sessions.create(FILE.length), FILE);
    return sessions.import(id);
  };

  test.each([
    ['F-08: killed before it began', 'import_processing_recorded', 0],
    ['F-09: killed inside of its second batch', 'import_batch_written#2', BATCH],
    ['F-09: killed between the claim of an event and its row', 'insert_claimed#300', BATCH],
    ['F-10: killed after its second batch', 'import_batch_committed#2', 2 * BATCH],
    ['F-11: killed when all is stored and nothing says so', 'import_ended', EVENTS],
  ])('%s, is ready again and imports the rest', async (_, stopAt, stored) => {
    const { sessions, dataDir } = await killedAt(stopAt, importAll);
    const session = await only(sessions);
    expect(session).toMatchObject({ status: 'ready', ...prefix(FILE.length) });
    const { result, status } = await sessions.import(session.id);
    expect(status).toBe('completed');
    expect(result).toMatchObject({ total: EVENTS, failed: 0 });
    // The next batch may have been committed while the answer about the last one was sent.
    if (stopAt.startsWith('import_batch_committed')) expect(result?.skipped).toBeGreaterThanOrEqual(stored);
    else expect(result?.skipped).toBe(stored);
    await stopsWith(sessions, dataDir, EVENTS);
  });

  test('F-12: killed before its file was removed, is completed, and the file goes', async () => {
    const { sessions, dataDir, found } = await killedAt('import_end_recorded', importAll);
    expect(found).toEqual([expect.stringMatching(/\.json$/), expect.stringMatching(/\.part$/)]);
    const session = await only(sessions);
    expect(session).toMatchObject({ ...WHOLE, result: { added: EVENTS, skipped: 0, total: EVENTS } });
    await stopsWith(sessions, dataDir, EVENTS);
  });
});

describe('a cancellation', () => {
  test('F-13: killed while it ends a chunk, leaves neither session nor files', async () => {
    const { sessions, dataDir } = await killedAt('import_cancel_requested', async (first) => {
      const { id } = await first.create(FILE.length);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(FILE.slice(0, 1000));
        },
      });
      const chunk = first.call('PUT', `/${id}/chunk?offset=0`, { body });
      const part = join(first.manager.dataDir, 'usage-imports', `${id}.part`);
      while (readFileSync(part).length === 0) await Bun.sleep(5);
      await Promise.allSettled([chunk, first.cancel(id)]);
    });
    expect(await sessions.list()).toMatchObject({ total: 0, active_sessions: 0 });
    expect(files(dataDir)).toEqual([]);
    await completesNewUpload(sessions, dataDir);
  });

  test('F-14: killed while it ends an import, leaves a cancelled session and whole batches', async () => {
    const many = 12 * BATCH;
    const file = fileOf(many);
    const { sessions, dataDir } = await killedAt('import_job_cancel_requested', async (first) => {
      const { id } = await first.upload(await first.create(file.length), file);
      await first.complete(id);
      await first.cancel(id);
    });
    expect(await only(sessions)).toMatchObject({ status: 'cancelled', retryable: false });
    await sessions.manager.stop();
    const events = checkStored(dataDir);
    expect(events % BATCH).toBe(0);
    expect(events).toBeLessThan(many);
    const again = await start(dataDir);
    const { id } = await again.upload(await again.create(file.length, 'b'.repeat(32)), file);
    const { result } = await again.import(id);
    expect(result).toMatchObject({ added: many - events, skipped: events, total: many });
    await stopsWith(again, dataDir, many);
  });
});

describe('files that change while the server is stopped', () => {
  const uploadTwo = async (sessions: ImportSessions) => {
    const { id } = await sessions.create(FILE.length);
    await sessions.chunk(id, FILE, 0, CHUNK_BYTES);
    await sessions.chunk(id, FILE, CHUNK_BYTES, CHUNK_BYTES);
    return id;
  };
  const edit = (path: string, changes: Record<string, unknown>) =>
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...changes }));
  const flip = (path: string) => {
    const bytes = readFileSync(path);
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  };
  const gone = { status: 'failed', retryable: false, has_error: true, received_bytes: 0 };

  test('F-15: killed between metadata and file of an expired session, leaves nothing', async () => {
    const expired = { expires_at_ms: Date.now() - 1 };
    const dataDir = temporaryFolder();
    const first = await start(dataDir);
    const id = await uploadTwo(first);
    await first.manager.stop();
    edit(join(dataDir, 'usage-imports', `${id}.json`), expired);
    await ManagerProcess.runUntilKilled({ dataDir, env: ENV, stopAt: 'import_record_removed' });
    expect(files(dataDir)).toEqual([`${id}.part`]);
    const sessions = await start(dataDir);
    expect(await sessions.list()).toMatchObject({ total: 0, active_sessions: 0 });
    expect(files(dataDir)).toEqual([]);
    await completesNewUpload(sessions, dataDir);
  });

  test('F-16: one byte less is sent on from the new end, once the client proves what it has', async () => {
    const { sessions, dataDir, id } = await stoppedAfter(uploadTwo, ({ part }) =>
      truncateSync(part, 2 * CHUNK_BYTES - 1),
    );
    const session = await sessions.read(id);
    expect(session).toMatchObject({ status: 'uploading', ...prefix(2 * CHUNK_BYTES - 1) });
    const unproven = await sessions.call('PUT', `/${id}/chunk?offset=${2 * CHUNK_BYTES - 1}`, { body: 'x' });
    expect(unproven).toMatchObject({ status: 409, code: 'usage_import_session_file_mismatch' });
    expect((await sessions.validate(id, FILE.subarray(0, 2 * CHUNK_BYTES - 1))).status).toBe(200);
    await sessions.upload(session, FILE);
    expect(await sessions.import(id)).toMatchObject({ ...WHOLE, result: { added: EVENTS } });
    await stopsWith(sessions, dataDir, EVENTS);
  });

  test('F-17: one changed byte ends the session, and nothing is imported', async () => {
    const uploadAll = async (first: ImportSessions) => (await first.upload(await first.create(FILE.length), FILE)).id;
    const { sessions, dataDir, id } = await stoppedAfter(uploadAll, ({ part }) => flip(part));
    expect(await sessions.read(id)).toMatchObject(gone);
    expect(files(dataDir)).toEqual([`${id}.json`]);
    expect((await sessions.complete(id)).status).toBe(409);
    await stopsWith(sessions, dataDir, 0);
  });

  test('F-17: one byte changed while the server runs is refused by validate and complete; an unknown session is 404', async () => {
    const dataDir = temporaryFolder();
    const sessions = await start(dataDir);
    const { id } = await sessions.upload(await sessions.create(FILE.length), FILE);
    flip(join(dataDir, 'usage-imports', `${id}.part`));
    const refused = { status: 409, code: 'usage_import_session_file_mismatch' };
    expect(await sessions.validate(id, FILE)).toMatchObject(refused);
    expect(await sessions.complete(id)).toMatchObject(refused);
    expect((await sessions.cancel(id)).status).toBe(200);
    const unknown = await sessions.manager.fetch(`${IMPORT_SESSIONS_PATH}/${'0'.repeat(32)}`);
    expect(unknown.status).toBe(404);
    await stopsWith(sessions, dataDir, 0);
  });

  test('F-18: bytes without a digest, as older versions kept them, end the session', async () => {
    const { sessions, dataDir, id } = await stoppedAfter(uploadTwo, ({ metadata }) =>
      edit(metadata, { received_prefix_sha256: undefined }),
    );
    expect(await sessions.read(id)).toMatchObject(gone);
    expect(files(dataDir)).toEqual([`${id}.json`]);
    await completesNewUpload(sessions, dataDir);
  });
});

test('a client that sends no digests uploads a file of many chunks, but proves it again after a restart', async () => {
  const dataDir = temporaryFolder();
  const first = await start(dataDir);
  const { id } = await first.create(FILE.length);
  const bare = (sessions: ImportSessions, offset: number) =>
    sessions.call('PUT', `/${id}/chunk?offset=${offset}`, { body: FILE.slice(offset, offset + CHUNK_BYTES) });
  expect(FILE.length).toBeGreaterThan(3 * CHUNK_BYTES);
  for (const chunk of [0, 1]) expect((await bare(first, chunk * CHUNK_BYTES)).status).toBe(200);
  await first.manager.stop();

  const sessions = await start(dataDir);
  const mismatch = { status: 409, code: 'usage_import_session_file_mismatch' };
  expect(await bare(sessions, 2 * CHUNK_BYTES)).toMatchObject(mismatch);
  expect((await sessions.validate(id, FILE.subarray(0, 2 * CHUNK_BYTES))).status).toBe(200);
  for (let at = 2 * CHUNK_BYTES; at < FILE.length; at += CHUNK_BYTES)
    expect((await bare(sessions, at)).status).toBe(200);
  expect(await sessions.import(id)).toMatchObject({ ...WHOLE, result: { added: EVENTS } });
  await stopsWith(sessions, dataDir, EVENTS);
});
