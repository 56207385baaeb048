import { afterEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { ImportInterrupted, ImportRefused } from '../importer.ts';
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
const CONFLICT = { status: 409, code: 'usage_import_session_conflict' };
const RESULT = {
  format: 'usage_service_jsonl',
  total: 0,
  added: 0,
  skipped: 0,
  failed: 0,
  unsupported: 0,
  warnings: [],
};

describe('complete', () => {
  test('imports in the background and removes the file', async () => {
    const sessions = start();
    const held = heldImport(sessions);
    const { id } = await sessions.uploaded(TEXT);
    const [status, processing] = await complete(sessions, id);
    expect([status, processing.status, processing.result]).toEqual([202, 'processing', undefined]);
    expect(sessions.metadata(id)).toMatchObject({ status: 'processing' });
    sessions.nowMs += 5000;
    held.finish({ added: 3, skipped: 1, failed: 2, unsupported: 1, warnings: ['partial'] });
    const ended = await sessions.ended(id);
    expect(ended).toMatchObject({
      status: 'completed',
      retryable: false,
      has_error: false,
      updated_at_ms: sessions.nowMs,
      expires_at_ms: sessions.nowMs + HOUR_MS,
      result: { ...RESULT, added: 3, skipped: 1, total: 4, failed: 2, unsupported: 1, warnings: ['partial'] },
    });
    expect(await sessions.filesWithoutPart(id)).toEqual([`${id}.json`]);
    expect(await complete(sessions, id)).toEqual([200, ended]);
  });

  test('is the same when it is called twice, at once or later', async () => {
    const sessions = start();
    const held = heldImport(sessions);
    const { id } = await sessions.uploaded(TEXT);
    const both = await Promise.all([complete(sessions, id), complete(sessions, id)]);
    expect(both.map(([status, { status: state }]) => [status, state])).toEqual([
      [202, 'processing'],
      [202, 'processing'],
    ]);
    expect((await complete(sessions, id))[0]).toBe(202);
    expect(held.begun()).toBe(1);
    held.finish({});
    await sessions.ended(id);
  });

  test('needs the whole file', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT, 16);
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
  });

  test('refuses a canceled session and a final failure', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT);
    await sessions.ask('DELETE', `/${id}`);
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
  });

  test('refuses a file of another size', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT);
    appendFileSync(sessions.part(id), 'x');
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
    expect((await sessions.read(id)).status).toBe('ready');
    truncateSync(sessions.part(id), 8);
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
    expect(await sessions.read(id)).toMatchObject({ status: 'uploading', received_bytes: 8 });
  });

  test('of a longer file with other bytes ends the session', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT);
    writeFileSync(sessions.part(id), `${TEXT.replace('two', 'TWO')}x`);
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
    expect(await sessions.read(id)).toMatchObject({ status: 'failed', retryable: false });
    expect(sessions.files()).toEqual([`${id}.json`]);
  });

  test.each([
    ['was changed', (path: string) => writeFileSync(path, TEXT.replace('two', 'TWO'))],
    [
      'became a link',
      (path: string) => {
        renameSync(path, `${path}-elsewhere`);
        symlinkSync(`${path}-elsewhere`, path);
      },
    ],
  ])('of a file that %s imports nothing, and ends the session', async (_, change) => {
    const sessions = start({ maxSessions: 1 });
    const held = heldImport(sessions);
    const { id } = await sessions.uploaded(TEXT);
    change(sessions.part(id));
    for (let times = 0; times < 2; times += 1) {
      const refusal = await sessions.refused('POST', `/${id}/complete`);
      expect(refusal).toMatchObject({ status: 409, code: 'usage_import_session_file_mismatch' });
      expect(refusal.error).not.toContain(sessions.folder);
    }
    const ended = await sessions.read(id);
    expect(ended).toMatchObject({ status: 'failed', retryable: false, has_error: true });
    expect(existsSync(sessions.part(id))).toBe(false);
    expect((await sessions.create({ size_bytes: 8 })).status).toBe('uploading');
    await sessions.restart();
    expect(await sessions.read(id)).toEqual(ended);
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
    expect(held.begun()).toBe(0);
  });

  test('of a file that is gone ends the session', async () => {
    const sessions = start();
    const { id } = await sessions.uploaded(TEXT);
    rmSync(sessions.part(id));
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
    expect(await sessions.read(id)).toMatchObject({ status: 'failed', retryable: false });
  });

  test('answers before a long check ends; a changed file then fails for good', async () => {
    const sessions = start({ checkWaitMs: 0, chunkBytes: 2 ** 25, diskQuotaBytes: 2 ** 26 });
    const held = heldImport(sessions);
    // Read in many pieces, during which the time limit passes, however busy the machine is.
    const bytes = Buffer.alloc(2 ** 25, TEXT);
    const { id } = await sessions.create({ size_bytes: bytes.length });
    await sessions.ask('PUT', `/${id}/chunk?offset=0`, { body: bytes });
    writeFileSync(sessions.part(id), bytes.fill('T', 0, 1));
    const [status] = await complete(sessions, id);
    expect(status).toBe(202);
    expect(await sessions.ended(id)).toMatchObject({ status: 'failed', retryable: false, has_error: true });
    expect(await sessions.filesWithoutPart(id)).toEqual([`${id}.json`]);
    expect(held.begun()).toBe(0);
  });
});

describe('an import that fails', () => {
  test('by the payload is final, with its counts', async () => {
    const sessions = start();
    sessions.import = async () => {
      throw new ImportRefused('only aggregates', countsOf({ added: 2, failed: 1, unsupported: 1 }));
    };
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    const ended = await sessions.ended(id);
    expect(ended).toMatchObject({
      status: 'failed',
      retryable: false,
      has_error: true,
      error: 'only aggregates',
      error_code: 'usage_import_session_failed',
      result: { added: 2, total: 2, failed: 1, unsupported: 1 },
    });
    expect(await sessions.filesWithoutPart(id)).toEqual([`${id}.json`]);
    expect(await sessions.refused('POST', `/${id}/complete`)).toMatchObject(CONFLICT);
  });

  test('by database or disk can be retried, and keeps its slot until then', async () => {
    const sessions = start({ maxSessions: 1 });
    sessions.import = async () => {
      const full = Object.assign(new Error('/data/usage.sqlite: disk full'), { code: 'SQLITE_FULL' });
      throw new ImportInterrupted(countsOf({ added: 2 }), { aborted: false, cause: full });
    };
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    const ended = await sessions.ended(id);
    expect(ended).toMatchObject({ status: 'failed', retryable: true, result: { added: 2, total: 2 } });
    expect(ended.error).not.toContain('sqlite');
    expect(existsSync(sessions.part(id))).toBe(true);
    const request = { body: '{"filename":"b","size_bytes":1}' };
    expect((await sessions.refused('POST', '', request)).code).toBe('usage_import_session_limit_exceeded');

    sessions.import = async () => countsOf({ added: 2, skipped: 2 });
    const [status, again] = await complete(sessions, id);
    expect(status).toBe(202);
    expect(again).toMatchObject({ status: 'processing', has_error: false, retryable: false });
    expect(await sessions.ended(id)).toMatchObject({ status: 'completed', result: { added: 2, skipped: 2, total: 4 } });
  });

  test('for an unknown reason can be retried, with the counts so far', async () => {
    const sessions = start();
    sessions.import = async (_, options) => {
      options?.onCounts?.(countsOf({ added: 1 }));
      throw new Error('unknown');
    };
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    expect(await sessions.ended(id)).toMatchObject({ status: 'failed', retryable: true, result: { added: 1 } });
  });

  test('to record its end shows as failed and can be retried', async () => {
    const sessions = start();
    const held = heldImport(sessions);
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    rmSync(`${sessions.directory}/${id}.json`);
    mkdirSync(`${sessions.directory}/${id}.json`);
    held.finish({ added: 4 });
    expect(await sessions.ended(id)).toMatchObject({ status: 'failed', retryable: true, result: { added: 4 } });
    expect(existsSync(sessions.part(id))).toBe(true);
    rmSync(`${sessions.directory}/${id}.json`, { recursive: true });
    sessions.import = async () => countsOf({ skipped: 4 });
    await complete(sessions, id);
    expect(await sessions.ended(id)).toMatchObject({ status: 'completed', result: { skipped: 4 } });
  });
});

describe('a stop of the server', () => {
  test('ends the import after a batch and leaves it for the next start', async () => {
    const sessions = start();
    heldImport(sessions, { added: 1 });
    const { id } = await sessions.uploaded(TEXT);
    await complete(sessions, id);
    await sessions.restart(() => {
      expect(sessions.metadata(id)).toMatchObject({ status: 'processing' });
      expect(existsSync(sessions.part(id))).toBe(true);
    });
    expect(await sessions.read(id)).toMatchObject({ status: 'ready', has_error: false });
    sessions.import = async () => countsOf({ added: 3, skipped: 1 });
    await complete(sessions, id);
    expect(await sessions.ended(id)).toMatchObject({ status: 'completed', result: { total: 4 } });
  });
});
