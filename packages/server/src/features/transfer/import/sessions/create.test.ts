import { afterEach, describe, expect, test } from 'bun:test';
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { EMPTY_SHA256 } from './record.ts';
import { HOUR_MS, SessionsUnderTest, START_MS } from './testing.ts';

const made: SessionsUnderTest[] = [];
afterEach(async () => {
  for (const each of made.splice(0)) await each.dispose();
});

function start(...settings: ConstructorParameters<typeof SessionsUnderTest>): SessionsUnderTest {
  const sessions = new SessionsUnderTest(...settings);
  made.push(sessions);
  return sessions;
}

const KEY = '0123456789abcdef0123456789abcdef';

describe('create', () => {
  test('answers 201 with an empty upload', async () => {
    const sessions = start();
    const { status, body } = await sessions.ask('POST', '', { body: '{"filename":"a.jsonl","size_bytes":20}' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: '00000001000070008000000000000000',
      filename: 'a.jsonl',
      status: 'uploading',
      size_bytes: 20,
      received_bytes: 0,
      received_prefix_sha256: EMPTY_SHA256,
      chunk_size_bytes: 8,
      created_at_ms: START_MS,
      updated_at_ms: START_MS,
      expires_at_ms: START_MS + HOUR_MS,
      retryable: false,
      has_error: false,
    });
    expect(sessions.files()).toEqual([`${body.id}.json`, `${body.id}.part`]);
    const modes = [sessions.directory, ...sessions.files().map((name) => `${sessions.directory}/${name}`)];
    expect(modes.map((path) => (lstatSync(path).mode & 0o777).toString(8))).toEqual(['700', '600', '600']);
  });

  test('accepts no chunk larger than the file', async () => {
    expect((await start().create({ size_bytes: 3 })).chunk_size_bytes).toBe(3);
  });

  test.each([
    ['  my file.jsonl ', 'my file.jsonl'],
    ['C:\\Users\\me\\export.jsonl', 'export.jsonl'],
    ['/home/me/export.jsonl', 'export.jsonl'],
    ['export\0.jsonl', 'export.jsonl'],
    ['', 'usage-import.jsonl'],
    ['.', 'usage-import.jsonl'],
    ['folder/', 'usage-import.jsonl'],
    ['\u{1f600}'.repeat(300), '\u{1f600}'.repeat(240)],
  ])('shows the file name %j as %j', async (filename, shown) => {
    expect((await start().create({ filename, size_bytes: 1 })).filename).toBe(shown);
  });

  test.each([
    ['', 'request_failed'],
    ['[]', 'request_failed'],
    ['{"filename":"a","size_bytes":"5"}', 'request_failed'],
    ['{"filename":"a","size_bytes":1.5}', 'request_failed'],
    ['{"filename":"a","size_bytes":5,"more":1}', 'request_failed'],
    ['{"filename":"a","size_bytes":5} {}', 'request_failed'],
    [`{"filename":"${'a'.repeat(65_536)}","size_bytes":5}`, 'request_failed'],
    ['{}', 'usage_import_session_invalid_request'],
    ['{"filename":"a"}', 'usage_import_session_invalid_request'],
    ['{"filename":"a","size_bytes":0}', 'usage_import_session_invalid_request'],
    ['{"filename":"a","size_bytes":-1}', 'usage_import_session_invalid_request'],
    ['{"filename":"a","size_bytes":5,"resume_key":""}', 'usage_import_session_invalid_request'],
    [`{"filename":"a","size_bytes":5,"resume_key":"${KEY.toUpperCase()}"}`, 'usage_import_session_invalid_request'],
  ])('refuses %.60s', async (body, code) => {
    const sessions = start();
    expect(await sessions.refused('POST', '', { body })).toMatchObject({ status: 400, code });
    expect(sessions.files()).toEqual([]);
  });

  test('needs the admin key', async () => {
    expect((await fetch(start().url, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});

describe('a resume key', () => {
  test('finds the session again, in any state, without a second slot', async () => {
    const sessions = start({ maxSessions: 1 });
    const first = await sessions.create({ size_bytes: 20, resume_key: KEY });
    expect(await sessions.create({ size_bytes: 20, resume_key: KEY })).toEqual(first);
    const { body: cancelled } = await sessions.ask('DELETE', `/${first.id}`);
    expect(await sessions.create({ size_bytes: 20, resume_key: KEY })).toEqual(cancelled);
    await sessions.restart();
    expect(await sessions.create({ size_bytes: 20, resume_key: KEY })).toEqual(cancelled);
  });

  test('of two requests at once makes one session', async () => {
    const sessions = start();
    const both = await Promise.all([1, 2].map(() => sessions.create({ size_bytes: 20, resume_key: KEY })));
    expect(both[0]).toEqual(both[1]);
  });

  test.each([
    { filename: 'b.jsonl', size_bytes: 20 },
    { filename: 'a.jsonl', size_bytes: 21 },
  ])('of another file is a conflict (%j)', async (request) => {
    const sessions = start();
    await sessions.create({ size_bytes: 20, resume_key: KEY });
    const body = JSON.stringify({ ...request, resume_key: KEY });
    expect(await sessions.refused('POST', '', { body })).toMatchObject({
      status: 409,
      code: 'usage_import_session_conflict',
    });
  });
});

describe('room', () => {
  const refused = async (sessions: SessionsUnderTest, size_bytes: number) => {
    const { status, code } = await sessions.refused('POST', '', {
      body: JSON.stringify({ filename: 'a', size_bytes }),
    });
    return `${status} ${code}`;
  };

  test('is refused in the order of the rules', async () => {
    const sessions = start({ maxSessions: 2, diskQuotaBytes: 100 });
    expect(await refused(sessions, 101)).toBe('413 usage_import_session_too_large');
    await sessions.create({ size_bytes: 60 });
    expect(await refused(sessions, 101)).toBe('413 usage_import_session_too_large');
    expect(await refused(sessions, 41)).toBe('507 usage_import_session_quota_exceeded');
    await sessions.create({ size_bytes: 40 });
    expect(await refused(sessions, 41)).toBe('429 usage_import_session_limit_exceeded');
  });

  test('reports only that the quota is used up', async () => {
    const sessions = start({ diskQuotaBytes: 100 });
    await sessions.create({ size_bytes: 60 });
    const { error } = await sessions.refused('POST', '', { body: '{"filename":"a","size_bytes":41}' });
    expect(error).not.toMatch(/\d/);
  });

  test('is freed with the end of a session', async () => {
    const sessions = start({ maxSessions: 1 });
    const { id } = await sessions.create({ size_bytes: 8 });
    expect(await refused(sessions, 8)).toBe('429 usage_import_session_limit_exceeded');
    await sessions.ask('DELETE', `/${id}`);
    const second = await sessions.uploaded('one\ntwo\n');
    await sessions.ask('POST', `/${second.id}/complete`);
    await sessions.ended(second.id);
    await sessions.create({ size_bytes: 8 });
  });

  test('does not delete sessions when it is reduced', async () => {
    const sessions = start({ maxSessions: 2, diskQuotaBytes: 100 });
    await sessions.create({ size_bytes: 50 });
    await sessions.create({ size_bytes: 50 });
    await sessions.restart(() => {}, { maxSessions: 1, diskQuotaBytes: 60 });
    const { body } = await sessions.call('GET');
    expect(body).toMatchObject({ total: 2, active_sessions: 2, max_sessions: 1, disk_quota_bytes: 60 });
    expect(await refused(sessions, 1)).toBe('429 usage_import_session_limit_exceeded');
  });
});

describe('paths and methods', () => {
  test.each([
    ['GET', '/0123456789abcdef0123456789abcdef', 404, 'usage_import_session_not_found'],
    ['GET', '/not-an-id', 404, 'usage_import_session_not_found'],
    ['GET', '/0123456789ABCDEF0123456789ABCDEF', 404, 'usage_import_session_not_found'],
    ['POST', '/0123456789abcdef0123456789abcdef/unknown', 404, 'request_failed'],
    ['GET', '/0123456789abcdef0123456789abcdef/chunk/more', 404, 'request_failed'],
    ['PUT', '', 405, 'method_not_allowed'],
    ['POST', '/0123456789abcdef0123456789abcdef', 405, 'method_not_allowed'],
    ['POST', '/0123456789abcdef0123456789abcdef/chunk', 405, 'method_not_allowed'],
    ['GET', '/0123456789abcdef0123456789abcdef/complete', 405, 'method_not_allowed'],
  ])('%s %s is %d', async (method, path, status, code) => {
    expect(await start().refused(method, path)).toMatchObject({ status, code });
  });

  test('one trailing slash is ignored', async () => {
    const sessions = start();
    const { id } = await sessions.create({ size_bytes: 8 });
    expect((await sessions.call('GET', '/')).status).toBe(200);
    expect((await sessions.ask('GET', `/${id}/`)).body.id).toBe(id);
  });
});

describe('a directory that cannot be used', () => {
  test('answers 500 with a generic text, until it can be used', async () => {
    const sessions = start();
    await sessions.restart(() => {
      rmSync(sessions.directory, { recursive: true });
      mkdirSync(`${sessions.folder}/elsewhere`);
      symlinkSync(`${sessions.folder}/elsewhere`, sessions.directory);
    });
    const refusal = await sessions.refused('GET');
    expect(refusal).toMatchObject({ status: 500, code: 'usage_import_session_unavailable' });
    expect(refusal.error).not.toContain(sessions.folder);
    rmSync(sessions.directory);
    expect((await sessions.call('GET')).status).toBe(200);
  });

  test('leaves no half session behind', async () => {
    const sessions = start();
    await sessions.create({ size_bytes: 8 });
    const before = sessions.files();
    rmSync(sessions.directory, { recursive: true });
    const body = '{"filename":"a","size_bytes":5}';
    expect(await sessions.refused('POST', '', { body })).toMatchObject({ status: 500 });
    mkdirSync(sessions.directory);
    chmodSync(sessions.directory, 0o700);
    await sessions.create({ size_bytes: 8 });
    expect(sessions.files()).toHaveLength(before.length);
  });
});
