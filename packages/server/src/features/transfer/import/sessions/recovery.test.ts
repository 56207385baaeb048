import { afterEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { ImportSessionResponse } from '@manager/core/contract/transfer/import-sessions';
import { EMPTY_SHA256 } from './record.ts';
import { countsOf, HOUR_MS, SessionsUnderTest, sha256 } from './testing.ts';

const made: SessionsUnderTest[] = [];
afterEach(async () => {
  for (const each of made.splice(0)) await each.dispose();
});

function start(...settings: ConstructorParameters<typeof SessionsUnderTest>): SessionsUnderTest {
  const sessions = new SessionsUnderTest(...settings);
  made.push(sessions);
  return sessions;
}

const TEXT = 'one\ntwo\nthree\nfour\n';
const LOST = {
  status: 'failed',
  retryable: false,
  has_error: true,
  received_bytes: 0,
  received_prefix_sha256: EMPTY_SHA256,
};
const PREFIX = (bytes: number) => ({ received_bytes: bytes, received_prefix_sha256: sha256(TEXT.slice(0, bytes)) });

/** Uploads, stops, lets the test change the files, starts again. */
async function after(
  sessions: SessionsUnderTest,
  session: ImportSessionResponse,
  between: (id: string) => void,
): Promise<ImportSessionResponse | null> {
  await sessions.restart(() => between(session.id));
  const { status, body } = await sessions.call('GET', `/${session.id}`);
  return status === 404 ? null : (body as ImportSessionResponse);
}

/** A session with a retryable failure. */
async function retryable(sessions: SessionsUnderTest): Promise<ImportSessionResponse> {
  sessions.import = async () => {
    throw new Error('unknown');
  };
  const { id } = await sessions.uploaded(TEXT);
  await sessions.ask('POST', `/${id}/complete`);
  return sessions.ended(id);
}

async function completed(sessions: SessionsUnderTest): Promise<ImportSessionResponse> {
  const { id } = await sessions.uploaded(TEXT);
  await sessions.ask('POST', `/${id}/complete`);
  return sessions.ended(id);
}

describe('after a restart', () => {
  test('every session is unchanged', async () => {
    const sessions = start({ maxSessions: 9 });
    const cancelled = await sessions.uploaded(TEXT, 8);
    await sessions.ask('DELETE', `/${cancelled.id}`);
    await sessions.uploaded(TEXT, 16);
    await sessions.uploaded(TEXT);
    await completed(sessions);
    await retryable(sessions);
    const before = (await sessions.call('GET')).body;
    await sessions.restart();
    expect((await sessions.call('GET')).body).toEqual(before);
  });

  test('an upload continues with the digest of its bytes', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    await sessions.restart();
    const [path, init] = sessions.chunk(8, TEXT.slice(8, 16), TEXT.slice(0, 8));
    expect((await sessions.ask('PUT', `/${id}${path}`, init)).body).toMatchObject(PREFIX(16));
    await sessions.restart();
    const validation = { body: JSON.stringify({ prefix_sha256: sha256(TEXT.slice(0, 16)) }) };
    expect((await sessions.ask('POST', `/${id}/validate`, validation)).status).toBe(200);
  });

  test.each([
    ['that is none', (path: string) => writeFileSync(path, '{"id":')],
    ['that is empty', (path: string) => truncateSync(path, 0)],
    ['of another session', (path: string) => replace(path, /"id":"\w+"/, `"id":"${'a'.repeat(32)}"`)],
    ['with an unknown status', (path: string) => replace(path, '"uploading"', '"paused"')],
    ['with more bytes than the file', (path: string) => replace(path, '"received_bytes":8', '"received_bytes":20')],
    [
      'with a broken digest',
      (path: string) => replace(path, /"received_prefix_sha256":"../, '"received_prefix_sha256":"'),
    ],
    ['that is a link', (path: string) => makeLink(path)],
    ['that is gone', (path: string) => rmSync(path)],
  ])('metadata %s takes the session with it', async (_, change) => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    expect(await after(sessions, session, (id) => change(`${sessions.directory}/${id}.json`))).toBeNull();
    expect(sessions.files()).toEqual([]);
    expect((await sessions.call('GET')).body).toMatchObject({ total: 0, active_sessions: 0 });
  });

  test('a link in place of the bytes is removed with the session, its target is not', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    expect(await after(sessions, session, (id) => makeLink(sessions.part(id)))).toBeNull();
    expect(sessions.files()).toEqual([]);
    expect(existsSync(`${sessions.part(session.id)}`)).toBe(false);
    expect(readFileSync(`${sessions.folder}/moved`, 'utf8')).toBe(TEXT.slice(0, 8));
  });

  test('bytes without metadata and temporary files are removed, other files stay', async () => {
    const sessions = start();
    await sessions.restart(() => {
      writeFileSync(sessions.part('f'.repeat(32)), 'left');
      writeFileSync(`${sessions.directory}/.session-0123.tmp`, 'left');
      writeFileSync(`${sessions.directory}/notes.txt`, 'mine');
    });
    await sessions.call('GET');
    expect(sessions.files()).toEqual(['notes.txt']);
  });

  test('an expired session is gone', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    const gone = await after(sessions, session, () => {
      sessions.nowMs += HOUR_MS;
    });
    expect(gone).toBeNull();
    expect(sessions.files()).toEqual([]);
  });

  test('an expired import is not: it can be retried for as long as any other', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT);
    const recovered = await after(sessions, session, (id) => {
      sessions.editMetadata(id, { status: 'processing' });
      sessions.nowMs += 2 * HOUR_MS;
    });
    expect(recovered).toMatchObject({ status: 'ready', expires_at_ms: sessions.nowMs + HOUR_MS, ...PREFIX(19) });
  });

  test('a new time to live applies to later changes', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    await sessions.restart(() => {}, { ttlMs: HOUR_MS / 2 });
    expect((await sessions.read(session.id)).expires_at_ms).toBe(session.expires_at_ms);
    expect((await sessions.call('GET')).body).toMatchObject({ ttl_seconds: 1800 });
  });

  test('a smaller chunk size applies to old sessions, a larger one does not', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    await sessions.restart(() => {}, { chunkBytes: 5 });
    expect((await sessions.read(id)).chunk_size_bytes).toBe(5);
    await sessions.restart(() => {}, { chunkBytes: 100 });
    expect((await sessions.read(id)).chunk_size_bytes).toBe(5);
  });

  test('a canceled upload is gone', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    expect(await after(sessions, session, (id) => sessions.editMetadata(id, { cancel_requested: true }))).toBeNull();
    expect(sessions.files()).toEqual([]);
  });

  test('a canceled import is canceled', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT);
    const edit = (id: string) => sessions.editMetadata(id, { status: 'processing', cancel_requested: true });
    expect(await after(sessions, session, edit)).toMatchObject({ status: 'cancelled', retryable: false });
    expect(sessions.files()).toEqual([`${session.id}.json`]);
  });

  test('the file of a session that ended is removed', async () => {
    const sessions = start();
    const session = await completed(sessions);
    expect(await after(sessions, session, (id) => writeFileSync(sessions.part(id), TEXT))).toEqual(session);
    expect(sessions.files()).toEqual([`${session.id}.json`]);
  });

  test('a lost file fails the session', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    expect(await after(sessions, session, (id) => rmSync(sessions.part(id)))).toMatchObject(LOST);
    expect((await sessions.call('GET')).body).toMatchObject({ active_sessions: 0 });
  });

  test('a file larger than declared fails the session', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    const grown = await after(sessions, session, (id) => appendFileSync(sessions.part(id), 'x'.repeat(12)));
    expect(grown).toMatchObject(LOST);
    expect(sessions.files()).toEqual([`${session.id}.json`]);
  });

  test('bytes beyond the metadata are cut off', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT, 8);
    const cut = await after(sessions, session, (id) => appendFileSync(sessions.part(id), 'thr'));
    expect(cut).toEqual(session);
    expect(readFileSync(sessions.part(session.id), 'utf8')).toBe(TEXT.slice(0, 8));
    const [path, init] = sessions.chunk(8, TEXT.slice(8, 16), TEXT.slice(0, 8));
    expect((await sessions.ask('PUT', `/${session.id}${path}`, init)).body).toMatchObject(PREFIX(16));
  });

  test('an upload with all bytes is ready', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT);
    const edit = (id: string) => sessions.editMetadata(id, { status: 'uploading' });
    expect(await after(sessions, session, edit)).toMatchObject({ status: 'ready', ...PREFIX(19) });
  });

  test.each([
    ['of an upload', async (sessions: SessionsUnderTest) => sessions.uploaded(TEXT, 16), 15],
    ['of a session that was ready', async (sessions: SessionsUnderTest) => sessions.uploaded(TEXT), 18],
    ['of a failure that could be repeated', retryable, 18],
  ])('a file %s that is shorter than claimed is sent on from its end', async (_, prepare, bytes) => {
    const sessions = start();
    const session = await prepare(sessions);
    const recovered = await after(sessions, session, (id) => truncateSync(sessions.part(id), bytes));
    expect(recovered).toMatchObject({ status: 'uploading', has_error: false, ...PREFIX(bytes) });
    expect(sessions.metadata(session.id)).toMatchObject({ status: 'uploading', ...PREFIX(bytes) });
    const stale = sessions.chunk(session.received_bytes, 'x', TEXT.slice(0, session.received_bytes));
    expect((await sessions.refused('PUT', `/${session.id}${stale[0]}`, stale[1])).status).toBe(409);
    const validation = { body: JSON.stringify({ prefix_sha256: sha256(TEXT.slice(0, bytes)) }) };
    expect((await sessions.ask('POST', `/${session.id}/validate`, validation)).status).toBe(200);
    const [path, init] = sessions.chunk(bytes, TEXT.slice(bytes), TEXT.slice(0, bytes));
    expect((await sessions.ask('PUT', `/${session.id}${path}`, init)).body).toMatchObject({
      status: 'ready',
      ...PREFIX(19),
    });
  });

  test('an import whose file is shorter must be completed first', async () => {
    const sessions = start();
    const session = await sessions.uploaded(TEXT);
    const recovered = await after(sessions, session, (id) => {
      sessions.editMetadata(id, { status: 'processing' });
      truncateSync(sessions.part(id), 10);
    });
    expect(recovered).toMatchObject({ status: 'uploading', ...PREFIX(10) });
  });

  test.each([
    ['an upload', async (sessions: SessionsUnderTest) => sessions.uploaded(TEXT, 8)],
    ['a session that was ready', async (sessions: SessionsUnderTest) => sessions.uploaded(TEXT)],
    ['a failure that could be repeated', retryable],
  ])('one changed byte fails %s', async (_, prepare) => {
    const sessions = start();
    const session = await prepare(sessions);
    let imports = 0;
    sessions.import = async () => {
      imports += 1;
      return countsOf();
    };
    const flip = (id: string) => {
      const bytes = readFileSync(sessions.part(id));
      bytes[3] = (bytes[3] ?? 0) ^ 1;
      writeFileSync(sessions.part(id), bytes);
    };
    expect(await after(sessions, session, flip)).toMatchObject(LOST);
    expect(sessions.files()).toEqual([`${session.id}.json`]);
    expect((await sessions.refused('POST', `/${session.id}/complete`)).status).toBe(409);
    expect(imports).toBe(0);
  });

  test('metadata without a digest, as older versions wrote it, is only accepted before the first byte', async () => {
    const sessions = start();
    const empty = await sessions.create({ size_bytes: 19 });
    const some = await sessions.uploaded(TEXT, 8);
    await sessions.restart(() => {
      for (const { id } of [empty, some]) sessions.editMetadata(id, { received_prefix_sha256: undefined });
    });
    expect(await sessions.read(some.id)).toMatchObject(LOST);
    expect(await sessions.read(empty.id)).toEqual(empty);
    const [path, init] = sessions.chunk(0, TEXT.slice(0, 8));
    expect((await sessions.ask('PUT', `/${empty.id}${path}`, init)).body).toMatchObject(PREFIX(8));
    expect(sessions.files()).toEqual([`${empty.id}.json`, `${empty.id}.part`, `${some.id}.json`]);
  });
});

function replace(path: string, what: string | RegExp, by: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(what, by));
}

function makeLink(path: string): void {
  const moved = `${path.replace(/\/[^/]+\/[^/]+$/, '')}/moved`;
  renameSync(path, moved);
  symlinkSync(moved, path);
}
