import { afterEach, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { IMPORT_PREFIX_HEADER } from '@manager/core/contract/transfer/import-sessions';
import { SessionsUnderTest, sha256 } from './testing.ts';

const made: SessionsUnderTest[] = [];
afterEach(async () => {
  for (const each of made.splice(0)) await each.dispose();
});

function start(): SessionsUnderTest {
  const sessions = new SessionsUnderTest();
  made.push(sessions);
  return sessions;
}

const TEXT = 'one\ntwo\nthree\nfour\n';
const MISMATCH = { status: 409, code: 'usage_import_session_file_mismatch' };

/** A session with the first chunk of 8 bytes, sent by this process' client. */
async function begun(sessions: SessionsUnderTest): Promise<string> {
  return (await sessions.uploaded(TEXT, 8)).id;
}

/** The chunk of the text, without a digest. */
async function bare(sessions: SessionsUnderTest, id: string, from: number, to: number) {
  return sessions.call('PUT', `/${id}/chunk?offset=${from}`, { body: TEXT.slice(from, to) });
}

function validate(sessions: SessionsUnderTest, id: string, bytes: number, text = TEXT) {
  const body = JSON.stringify({ prefix_sha256: sha256(text.slice(0, bytes)) });
  return sessions.call('POST', `/${id}/validate`, { body });
}

describe('chunks without a digest', () => {
  test('are accepted from the first to the last', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: TEXT.length });
    const states: unknown[] = [];
    for (const [from, to] of [
      [0, 8],
      [8, 16],
      [16, 19],
    ] as const) {
      states.push(await bare(sessions, id, from, to));
    }
    expect(states).toMatchObject([
      { status: 200, body: { status: 'uploading', received_bytes: 8 } },
      { status: 200, body: { status: 'uploading', received_bytes: 16 } },
      { status: 200, body: { status: 'ready', received_prefix_sha256: sha256(TEXT) } },
    ]);
    expect(readFileSync(sessions.part(id), 'utf8')).toBe(TEXT);
  });

  test('are still accepted after one that came too early, again, empty or too large', async () => {
    const sessions = start();
    const id = await begun(sessions);
    expect(await bare(sessions, id, 16, 19)).toMatchObject({ status: 409 });
    expect(await bare(sessions, id, 0, 8)).toMatchObject({ status: 409 });
    expect(await bare(sessions, id, 8, 8)).toMatchObject({ status: 400 });
    expect(await bare(sessions, id, 8, 19)).toMatchObject({ status: 413 });
    expect(await bare(sessions, id, 8, 16)).toMatchObject({ status: 200 });
  });

  test('are refused after a restart, until the client has proven its file once', async () => {
    const sessions = start();
    const id = await begun(sessions);
    await sessions.restart();
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=8`, { body: 'x' })).toMatchObject(MISMATCH);
    expect(await validate(sessions, id, 8, 'another file')).toMatchObject({ status: 409 });
    expect(await bare(sessions, id, 8, 12)).toMatchObject({ status: 409, body: { code: MISMATCH.code } });
    expect(await validate(sessions, id, 8)).toMatchObject({ status: 200 });
    expect(await bare(sessions, id, 8, 16)).toMatchObject({ status: 200 });
    expect(await bare(sessions, id, 16, 19)).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('are refused after a restart, until a chunk came with a digest', async () => {
    const sessions = start();
    const id = await begun(sessions);
    await sessions.restart();
    const headers = { [IMPORT_PREFIX_HEADER]: sha256(TEXT.slice(0, 8)) };
    await sessions.ask('PUT', `/${id}/chunk?offset=8`, { body: TEXT.slice(8, 16), headers });
    expect(await bare(sessions, id, 16, 19)).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('are refused after a chunk that broke off', async () => {
    const sessions = start();
    const id = await begun(sessions);
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode('three\n'));
        await Bun.sleep(1);
      },
    });
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=8`, { body })).toMatchObject({ status: 413 });
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=8`, { body: 'x' })).toMatchObject(MISMATCH);
    expect(await validate(sessions, id, 8)).toMatchObject({ status: 200 });
    expect(await bare(sessions, id, 8, 16)).toMatchObject({ status: 200 });
  });

  test('are refused when the bytes on disk are fewer or gone', async () => {
    for (const change of [(path: string) => truncateSync(path, 7), (path: string) => rmSync(path)]) {
      const sessions = start();
      const id = await begun(sessions);
      change(sessions.part(id));
      expect(await bare(sessions, id, 8, 16)).toMatchObject({ status: 409 });
    }
  });
});

test('a wrong digest is refused, whoever sent the bytes before', async () => {
  const sessions = start();
  const id = await begun(sessions);
  for (const header of ['', 'abc', sha256('another'), `${sha256(TEXT.slice(0, 8))}0`]) {
    const headers = { [IMPORT_PREFIX_HEADER]: header };
    expect(await sessions.refused('PUT', `/${id}/chunk?offset=8`, { body: 'x', headers })).toMatchObject(MISMATCH);
  }
  expect((await sessions.read(id)).received_bytes).toBe(8);
});
