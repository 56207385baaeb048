import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { until } from '@manager/core/testing/until';
import type { ImportCounts } from '../importer.ts';
import { complete, countsOf, HOUR_MS, heldImport, SessionsUnderTest } from './testing.ts';

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

describe('cancel', () => {
  test('removes the file of an upload', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    const { status, body } = await sessions.ask('DELETE', `/${id}`);
    expect([status, body.status]).toEqual([200, 'cancelled']);
    expect(sessions.files()).toEqual([`${id}.json`]);
    expect(await sessions.ask('DELETE', `/${id}`)).toEqual({ status, body });
  });

  test('keeps a completed session', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    const ended = await sessions.ended(id);
    expect(await sessions.ask('DELETE', `/${id}`)).toEqual({ status: 200, body: ended });
  });

  test('ends a retryable failure', async () => {
    const sessions = start();
    sessions.import = async () => {
      throw new Error('unknown');
    };
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    await sessions.ended(id);
    const { body } = await sessions.ask('DELETE', `/${id}`);
    expect(body).toMatchObject({ status: 'cancelled', retryable: false, has_error: false });
    expect(existsSync(sessions.part(id))).toBe(false);
  });

  test('during a chunk ends its body', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 19 });
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode('o'));
        await Bun.sleep(500);
      },
    });
    const chunk = sessions.call('PUT', `/${id}/chunk?offset=0`, { body });
    while ((await Bun.file(sessions.part(id)).stat()).size === 0) await Bun.sleep(2);
    const answer = await sessions.ask('DELETE', `/${id}`);
    expect([answer.status, answer.body.status, answer.body.received_bytes]).toEqual([200, 'cancelled', 0]);
    expect(await chunk).toMatchObject({ status: 409, body: { code: 'usage_import_session_conflict' } });
    expect(sessions.files()).toEqual([`${id}.json`]);
    expect(sessions.metadata(id)).toMatchObject({ status: 'cancelled', cancel_requested: false });
  });

  test('during an import ends it after the current batch', async () => {
    const sessions = start();
    heldImport(sessions, { added: 1, skipped: 1 });
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    const { status, body } = await sessions.ask('DELETE', `/${id}`);
    expect([status, body.status]).toEqual([202, 'processing']);
    expect(await sessions.ended(id)).toMatchObject({
      status: 'cancelled',
      has_error: false,
      result: { added: 1, skipped: 1, total: 2 },
    });
    expect(await sessions.filesWithoutPart(id)).toEqual([`${id}.json`]);
    expect((await sessions.ask('DELETE', `/${id}`)).status).toBe(200);
  });

  test('may be too late for an import', async () => {
    const sessions = start();
    const end = Promise.withResolvers<ImportCounts>();
    sessions.import = () => end.promise;
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    expect((await sessions.ask('DELETE', `/${id}`)).status).toBe(202);
    end.resolve(countsOf({ added: 4 }));
    expect(await sessions.ended(id)).toMatchObject({ status: 'completed', result: { added: 4 } });
    await sessions.restart();
    expect(await sessions.read(id)).toMatchObject({ status: 'completed' });
  });

  test('while a file is checked for its import ends the check', async () => {
    const sessions = start({ chunkBytes: 2 ** 25, diskQuotaBytes: 2 ** 26 });
    const bytes = Buffer.alloc(2 ** 25, 'a line of some length\n');
    const { id } = await sessions.create({ size_bytes: bytes.length });
    await sessions.ask('PUT', `/${id}/chunk?offset=0`, { body: bytes });
    const completing = sessions.call('POST', `/${id}/complete`);
    const { status, body } = await sessions.ask('DELETE', `/${id}`);
    expect(await completing).toMatchObject({ status: 409, body: { code: 'usage_import_session_conflict' } });
    expect([status, body.status]).toEqual([200, 'cancelled']);
  });

  test('succeeds when only the removal frees space for its metadata', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    rmSync(`${sessions.directory}/${id}.json`);
    mkdirSync(`${sessions.directory}/${id}.json`);
    expect((await sessions.refused('DELETE', `/${id}`)).code).toBe('usage_import_session_unavailable');
    expect(existsSync(sessions.part(id))).toBe(false);
    rmSync(`${sessions.directory}/${id}.json`, { recursive: true });
    expect((await sessions.ask('DELETE', `/${id}`)).body.status).toBe('cancelled');
  });

  test('keeps track of a file that cannot be removed', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    rmSync(sessions.part(id));
    mkdirSync(sessions.part(id));
    expect((await sessions.ask('DELETE', `/${id}`)).body.status).toBe('cancelled');
    rmSync(sessions.part(id), { recursive: true });
    writeFileSync(sessions.part(id), 'left');
    await sessions.read(id);
    expect(existsSync(sessions.part(id))).toBe(false);
  });
});

describe('expiry', () => {
  test('removes everything except processing sessions', async () => {
    const sessions = start();
    const uploading = await sessions.uploaded(TEXT, 8);
    sessions.nowMs += HOUR_MS - 1;
    expect((await sessions.read(uploading.id)).id).toBe(uploading.id);
    sessions.nowMs += 1;
    expect(await sessions.refused('GET', `/${uploading.id}`)).toMatchObject({
      status: 404,
      code: 'usage_import_session_not_found',
    });
    expect(sessions.files()).toEqual([]);
  });

  test('counts from the last change', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 8);
    sessions.nowMs += HOUR_MS - 1;
    const [path, init] = sessions.chunk(8, TEXT.slice(8, 16), TEXT.slice(0, 8));
    await sessions.ask('PUT', `/${id}${path}`, init);
    sessions.nowMs += HOUR_MS - 1;
    expect((await sessions.read(id)).received_bytes).toBe(16);
  });

  test('waits for an import and keeps its result for the full time', async () => {
    const sessions = start();
    const held = heldImport(sessions);
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    sessions.nowMs += 2 * HOUR_MS;
    expect((await sessions.read(id)).status).toBe('processing');
    held.finish({ added: 4 });
    expect((await sessions.ended(id)).status).toBe('completed');
    sessions.nowMs += HOUR_MS - 1;
    expect((await sessions.read(id)).status).toBe('completed');
    sessions.nowMs += 1;
    let status: number;
    // The job may still be about to remove the file.
    do ({ status } = await sessions.call('GET', `/${id}`));
    while (status === 200);
    expect(status).toBe(404);
  });

  test('is also checked without a request', async () => {
    const sessions = start({ ttlMs: 1000 });
    await sessions.uploaded(TEXT, 8);
    sessions.nowMs += 1000;
    await until(() => sessions.files().length === 0, 'the end of the session');
  });
});
