import { afterEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { IMPORT_PREFIX_HEADER } from '@manager/core/contract/transfer/import-sessions';
import { until } from '@manager/core/testing/until';
import { ADMIN_KEY } from '../../../../http/testing.ts';
import { HOUR_MS, SessionsUnderTest, START_MS, sha256 } from './testing.ts';

const made: SessionsUnderTest[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const each of made.splice(0)) await each.dispose();
});

function start(...settings: ConstructorParameters<typeof SessionsUnderTest>): SessionsUnderTest {
  const sessions = new SessionsUnderTest(...settings);
  made.push(sessions);
  return sessions;
}

const TEXT = 'one\ntwo\nthree\nfour\n';
const MISMATCH = { status: 409, code: 'usage_import_session_file_mismatch' };
const CONFLICT = { status: 409, code: 'usage_import_session_conflict' };
const INVALID = { status: 400, code: 'usage_import_session_invalid_request' };
const TOO_LARGE = { status: 413, code: 'usage_import_session_too_large' };

/** A chunk over a separate connection whose body arrives slowly. */
function slowChunk(sessions: SessionsUnderTest, id: string, headers: readonly string[]): Promise<Socket> {
  const { pathname, port } = new URL(`${sessions.url}/${id}/chunk?offset=0`);
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      const lines = [`PUT ${pathname}?offset=0 HTTP/1.1`, 'Host: a', `Authorization: Bearer ${ADMIN_KEY}`, ...headers];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`, () => resolve(socket));
    });
    socket.on('error', () => {});
    sockets.push(socket);
  });
}

describe('chunks', () => {
  test('are appended in order, up to ready', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const states: unknown[] = [];
    for (const [at, end] of [
      [0, 8],
      [8, 16],
      [16, 19],
    ] as const) {
      sessions.nowMs += 1000;
      const { status, body } = await sessions.ask('PUT', `/${id}/chunk?offset=${at}`, {
        body: TEXT.slice(at, end),
        headers: { [IMPORT_PREFIX_HEADER]: sha256(TEXT.slice(0, at)) },
      });
      expect(status).toBe(200);
      expect(body.received_prefix_sha256).toBe(sha256(TEXT.slice(0, end)));
      expect(body.expires_at_ms).toBe(sessions.nowMs + HOUR_MS);
      states.push([body.status, body.received_bytes, body.updated_at_ms - START_MS]);
    }
    expect(states).toEqual([
      ['uploading', 8, 1000],
      ['uploading', 16, 2000],
      ['ready', 19, 3000],
    ]);
    expect(readFileSync(sessions.part(id), 'utf8')).toBe(TEXT);
    expect(sessions.metadata(id)).toMatchObject({ received_bytes: 19, received_prefix_sha256: sha256(TEXT) });
  });

  test('may be smaller than the largest, and of unknown length', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const body = new ReadableStream({
      async start(controller) {
        for (const piece of ['on', 'e\n', 't']) {
          controller.enqueue(new TextEncoder().encode(piece));
          await Bun.sleep(5);
        }
        controller.close();
      },
    });
    const answer = await sessions.ask('PUT', `/${id}/chunk?offset=0`, { body });
    expect(answer.body.received_bytes).toBe(5);
    expect(answer.body.received_prefix_sha256).toBe(sha256('one\nt'));
  });

  test('accept the digest in upper case too', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    const headers = { [IMPORT_PREFIX_HEADER]: sha256(TEXT.slice(0, 8)).toUpperCase() };
    expect((await sessions.ask('PUT', `/${id}/chunk?offset=8`, { body: 'x', headers })).body.received_bytes).toBe(9);
  });

  test('larger than a step of the digest have the right one', async () => {
    const sessions = start({ chunkBytes: 2 ** 22, diskQuotaBytes: 2 ** 23 });
    const bytes = Buffer.alloc(2 ** 22, 'a line of some length\n');
    const { id } = await sessions.create({ size_bytes: bytes.length });
    const { body } = await sessions.ask('PUT', `/${id}/chunk?offset=0`, { body: bytes });
    expect(body).toMatchObject({ status: 'ready', received_prefix_sha256: sha256(bytes) });
  });
});

describe('a chunk is refused', () => {
  test.each([
    ['?offset=', 'no offset'],
    ['', 'no offset'],
    ['?offset=-1', 'a negative offset'],
    ['?offset=1.5', 'a broken offset'],
    ['?offset=abc', 'no number'],
  ])('with %j: %s', async (query) => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    expect(await sessions.refused('PUT', `/${id}/chunk${query}`, { body: 'one' })).toMatchObject({
      status: 400,
      code: 'request_failed',
    });
  });

  test('at another offset, with the expected one', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    for (const offset of [0, 7, 9]) {
      const [path, init] = sessions.chunk(offset, 'x', TEXT.slice(0, offset));
      const refusal = await sessions.refused('PUT', `/${id}${path}`, init);
      expect(refusal).toMatchObject(CONFLICT);
      expect(refusal.error).toContain('8');
    }
  });

  test.each([
    ['ready', async (sessions: SessionsUnderTest) => sessions.uploaded(TEXT)],
    [
      'cancelled',
      async (sessions: SessionsUnderTest) => {
        const { id } = await sessions.uploaded(TEXT, 8);
        return (await sessions.ask('DELETE', `/${id}`)).body;
      },
    ],
  ])('by a session that is %s', async (status, prepare) => {
    const sessions = start();
    const session = await prepare(sessions);
    expect(session.status).toBe(status as typeof session.status);
    const [path, init] = sessions.chunk(session.received_bytes, 'x', TEXT.slice(0, session.received_bytes));
    expect(await sessions.refused('PUT', `/${session.id}${path}`, init)).toMatchObject(CONFLICT);
  });

  test('that is empty or too large, and leaves nothing', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=0`, { body: '' })).toMatchObject(INVALID);
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=0`)).toMatchObject(INVALID);
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=0`, { body: TEXT.slice(0, 9) })).toMatchObject(TOO_LARGE);
    expect(statSync(sessions.part(id)).size).toBe(0);
  });

  test('beyond the end of the file', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 16);
    const [path, init] = sessions.chunk(16, 'four', TEXT.slice(0, 16));
    expect(await sessions.refused('PUT', `/${id}${path}`, init)).toMatchObject(TOO_LARGE);
  });

  test('that grows too large while it arrives', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const pieces = ['one\n', 'two\n', 't', 'hree'];
    const body = new ReadableStream({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
        await Bun.sleep(5);
      },
    });
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=0`, { body })).toMatchObject(TOO_LARGE);
    expect(await sessions.read(id)).toMatchObject({ status: 'uploading', received_bytes: 0 });
    expect(statSync(sessions.part(id)).size).toBe(0);
    // The session stays usable.
    const [path, init] = sessions.chunk(0, TEXT.slice(0, 8));
    expect((await sessions.ask('PUT', `/${id}${path}`, init)).body.received_bytes).toBe(8);
  });

  test('of length 0', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const body = new ReadableStream({ start: (controller) => controller.close() });
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=0`, { body })).toMatchObject(INVALID);
  });

  test('when the file is gone', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    rmSync(sessions.part(id));
    const [path, init] = sessions.chunk(8, 'x', TEXT.slice(0, 8));
    expect(await sessions.refused('PUT', `/${id}${path}`, init)).toMatchObject(CONFLICT);
  });

  test.each([
    ['longer', (path: string) => appendFileSync(path, 'x'), 8],
    ['shorter', (path: string) => truncateSync(path, 7), 7],
    ['empty', (path: string) => truncateSync(path, 0), 0],
  ])('when the file is %s than what was received, and then continues with what it has', async (_, change, bytes) => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    change(sessions.part(id));
    const [path, init] = sessions.chunk(8, 'x', TEXT.slice(0, 8));
    expect(await sessions.refused('PUT', `/${id}${path}`, init)).toMatchObject(CONFLICT);
    expect(await sessions.read(id)).toMatchObject({ status: 'uploading', received_bytes: bytes, has_error: false });
    const [rest, more] = sessions.chunk(bytes, TEXT.slice(bytes, bytes + 8), TEXT.slice(0, bytes));
    expect(await sessions.call('PUT', `/${id}${rest}`, more)).toMatchObject({ status: 200 });
    expect(readFileSync(sessions.part(id), 'utf8')).toBe(TEXT.slice(0, bytes + 8));
  });

  test('when the file became a link, without writing through it, and ends the session', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    rmSync(sessions.part(id));
    writeFileSync(`${sessions.folder}/outside`, TEXT.slice(0, 8));
    symlinkSync(`${sessions.folder}/outside`, sessions.part(id));
    const [path, init] = sessions.chunk(8, 'x', TEXT.slice(0, 8));
    const refusal = await sessions.refused('PUT', `/${id}${path}`, init);
    expect(refusal).toMatchObject(MISMATCH);
    expect(refusal.error).not.toContain(sessions.folder);
    expect(readFileSync(`${sessions.folder}/outside`, 'utf8')).toBe(TEXT.slice(0, 8));
    expect(await sessions.read(id)).toMatchObject({ status: 'failed', retryable: false });
    expect(sessions.files()).toEqual([`${id}.json`]);
  });
});

describe('an incomplete chunk', () => {
  test('does not change the session when the client disconnects', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const socket = await slowChunk(sessions, id, ['Content-Length: 8']);
    socket.write('one\n');
    await until(() => statSync(sessions.part(id)).size === 4);
    socket.destroy();
    await until(() => statSync(sessions.part(id)).size === 0);
    expect(await sessions.read(id)).toMatchObject({ status: 'uploading', received_bytes: 0 });
    // The same chunk again.
    const [path, init] = sessions.chunk(0, TEXT.slice(0, 8));
    for (;;) {
      const { status, body } = await sessions.call('PUT', `/${id}${path}`, init);
      if (status === 409) continue;
      expect(body).toMatchObject({ received_bytes: 8, received_prefix_sha256: sha256(TEXT.slice(0, 8)) });
      break;
    }
  });

  test('blocks every other chunk, but no reader', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const socket = await slowChunk(sessions, id, ['Content-Length: 8']);
    socket.write('one\n');
    await until(() => statSync(sessions.part(id)).size === 4);
    const [path, init] = sessions.chunk(0, TEXT.slice(0, 8));
    expect(await sessions.refused('PUT', `/${id}${path}`, init)).toMatchObject(CONFLICT);
    expect((await sessions.read(id)).received_bytes).toBe(0);
    const validation = { body: JSON.stringify({ prefix_sha256: sha256('') }) };
    expect(await sessions.refused('POST', `/${id}/validate`, validation)).toMatchObject(CONFLICT);
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
    socket.write('two\n');
    await until(() => sessions.metadata(id).received_bytes === 8);
  });

  test('is aborted when nothing more arrives', async () => {
    const sessions = start({ stallMs: 50 });
    const { id } = await sessions.create({ size_bytes: 19 });
    const socket = await slowChunk(sessions, id, ['Content-Length: 8']);
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.write('one\n');
    await until(() => answer.includes('usage_import_session_invalid_request'));
    expect(statSync(sessions.part(id)).size).toBe(0);
  });

  test('ends with the server', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const socket = await slowChunk(sessions, id, ['Transfer-Encoding: chunked']);
    socket.write('4\r\none\n\r\n');
    await until(() => statSync(sessions.part(id)).size === 4);
    await sessions.restart();
    expect(statSync(sessions.part(id)).size).toBe(0);
    expect(await sessions.read(id)).toMatchObject({ status: 'uploading', received_bytes: 0 });
  });
});

describe('a full disk', () => {
  test('answers 500 and does not change the session', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    // The metadata cannot be written: a directory has its name.
    rmSync(`${sessions.directory}/${id}.json`);
    mkdirSync(`${sessions.directory}/${id}.json`);
    const [path, init] = sessions.chunk(8, TEXT.slice(8, 16), TEXT.slice(0, 8));
    expect(await sessions.refused('PUT', `/${id}${path}`, init)).toMatchObject({
      status: 500,
      code: 'usage_import_session_unavailable',
    });
    expect(await sessions.read(id)).toMatchObject({ status: 'uploading', received_bytes: 8 });
    expect(statSync(sessions.part(id)).size).toBe(8);
    rmSync(`${sessions.directory}/${id}.json`, { recursive: true });
    expect((await sessions.ask('PUT', `/${id}${path}`, init)).body.received_prefix_sha256).toBe(
      sha256(TEXT.slice(0, 16)),
    );
  });
});

describe('validate', () => {
  const validate = (digest: unknown): BunFetchRequestInit => ({ body: JSON.stringify({ prefix_sha256: digest }) });

  test('accepts the digest of the received bytes, in every state with a file', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 8 });
    expect((await sessions.ask('POST', `/${id}/validate`, validate(sha256('')))).body.status).toBe('uploading');
    const [path, init] = sessions.chunk(0, TEXT.slice(0, 8));
    await sessions.ask('PUT', `/${id}${path}`, init);
    const { status, body } = await sessions.ask('POST', `/${id}/validate`, validate(sha256(TEXT.slice(0, 8))));
    expect([status, body.status]).toEqual([200, 'ready']);
  });

  test('refuses the digest of another file', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    expect(await sessions.refused('POST', `/${id}/validate`, validate(sha256('other')))).toMatchObject(MISMATCH);
    // A client with the right one can continue.
    const [path, init] = sessions.chunk(8, TEXT.slice(8, 12), TEXT.slice(0, 8));
    expect((await sessions.ask('PUT', `/${id}${path}`, init)).body.status).toBe('uploading');
  });

  test.each([
    [undefined, 'request_failed'],
    [5, 'request_failed'],
    ['', 'usage_import_session_invalid_request'],
    ['abc', 'usage_import_session_invalid_request'],
  ])('refuses %j as a digest', async (digest, code) => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    expect(await sessions.refused('POST', `/${id}/validate`, validate(digest))).toMatchObject({ status: 400, code });
  });

  test('refuses a session that is over', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    await sessions.ask('DELETE', `/${id}`);
    expect(await sessions.refused('POST', `/${id}/validate`, validate(sha256(TEXT.slice(0, 8))))).toMatchObject(
      CONFLICT,
    );
  });

  test.each([
    ['changed', (path: string) => writeFileSync(path, 'ONE\ntwo\n')],
    ['gone', (path: string) => rmSync(path)],
    [
      'a link',
      (path: string) => {
        rmSync(path);
        symlinkSync('/dev/null', path);
      },
    ],
  ])('ends the session whose bytes on disk are %s, and gives its slot back', async (_, change) => {
    const sessions = start({ maxSessions: 1 });
    const { id } = await sessions.uploaded(TEXT, 8);
    change(sessions.part(id));
    const digest = sha256(TEXT.slice(0, 8));
    for (let times = 0; times < 2; times += 1) {
      expect(await sessions.refused('POST', `/${id}/validate`, validate(digest))).toMatchObject(MISMATCH);
    }
    const [path, init] = sessions.chunk(8, 'x', TEXT.slice(0, 8));
    expect(await sessions.refused('PUT', `/${id}${path}`, init)).toMatchObject(CONFLICT);
    expect(await sessions.read(id)).toMatchObject({ status: 'failed', retryable: false, received_bytes: 0 });
    expect(sessions.files()).toEqual([`${id}.json`]);
    await sessions.create({ size_bytes: 8 });
  });

  test('notices missing bytes on disk, and accepts no further chunk', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    truncateSync(sessions.part(id), 5);
    const digest = sha256(TEXT.slice(0, 8));
    expect(await sessions.refused('POST', `/${id}/validate`, validate(digest))).toMatchObject(MISMATCH);
    const [path, init] = sessions.chunk(8, 'x', TEXT.slice(0, 8));
    expect((await sessions.refused('PUT', `/${id}${path}`, init)).status).toBe(409);
    expect(await sessions.read(id)).toMatchObject({ status: 'uploading', received_bytes: 5 });
  });
});
