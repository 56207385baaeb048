import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readSession } from './session.ts';
import { canCancel } from './state.ts';
import { bytesOf, fileOf, Tab, TestBrowser } from './testing/rig.ts';
import { html, NGINX, SessionServer, sha256 } from './testing/session-server.ts';

let server: SessionServer;
let browser: TestBrowser;
beforeEach(async () => {
  server = await SessionServer.start();
  browser = new TestBrowser();
});
afterEach(() => server.stop());

const file = () => fileOf(bytesOf(3_000));

/** A tab that was closed during the upload. */
async function interrupted(): Promise<void> {
  const tab = new Tab(server, browser);
  server.intercept = ({ path }) => (path.endsWith('offset=2048') ? 'hang' : null);
  tab.controller.start(file());
  await tab.until(() => server.chunks.length === 3);
  tab.controller.stop();
  server.intercept = () => null;
  server.calls.length = 0;
}

/** What the list shows. */
async function listed() {
  const answer = await fetch(`${server.base}v0/management/usage/import-sessions?limit=20`);
  const { sessions } = (await answer.json()) as { sessions: unknown[] };
  server.calls.length = 0;
  return readSession(sessions[0], '');
}

describe('an upload that was interrupted', () => {
  test('is found by its file and resumes where it was', async () => {
    await interrupted();
    expect(browser.entries).toHaveLength(1);
    expect(JSON.stringify(browser.stored)).not.toContain(bytesOf(16).toString());
    expect((await new Tab(server, browser).upload(file())).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 2048 +952']);
    expect(sha256(server.only().received)).toBe(sha256(bytesOf(3_000)));
    expect(browser.entries).toEqual([]);
  });

  test('is not resumed when the file begins differently: nothing is sent, the next attempt is a new import', async () => {
    await interrupted();
    const bytes = bytesOf(3_000);
    bytes[5] = 255;
    const tab = new Tab(server, browser);
    const { problem } = await tab.upload(fileOf(bytes));
    expect(problem).toMatchObject({ kind: 'prefix_mismatch', resumable: false });
    expect(server.chunks).toEqual([]);
    expect(tab.controller.resume()).toBe(false);

    expect((await tab.upload(fileOf(bytes))).phase).toBe('completed');
    expect(server.sessions.size).toBe(2);
  });

  test('cannot be resumed without a digest of the server', async () => {
    await interrupted();
    server.intercept = (call) => {
      if (call.method !== 'GET' || call.path.startsWith('?')) return null;
      const { id, size: size_bytes } = server.only();
      const session = { id, status: 'uploading', size_bytes, received_bytes: 2_048, chunk_size_bytes: 1_024 };
      return { status: 200, body: { ...session, expires_at_ms: Date.now() + 1_000 } };
    };
    expect((await new Tab(server, browser).upload(file())).problem).toMatchObject({ kind: 'prefix_mismatch' });
    expect(server.chunks).toEqual([]);
  });

  test('starts over when the server has removed it meanwhile', async () => {
    await interrupted();
    server.sessions.clear();
    expect((await new Tab(server, browser).upload(file())).phase).toBe('completed');
    expect(server.chunks).toHaveLength(3);
  });

  test('starts over when it was completed or canceled elsewhere', async () => {
    await interrupted();
    server.only().status = 'cancelled';
    expect((await new Tab(server, browser).upload(file())).phase).toBe('completed');
    expect(server.sessions.size).toBe(2);
  });

  test('is forgotten once it has expired', async () => {
    await interrupted();
    const tab = new Tab(server, browser);
    tab.nowMs = Date.now() + 3_700_000;
    await tab.upload(file());
    expect(server.log[1]).toBe('POST');
    expect(server.sessions.size).toBe(2);
  });

  test('sends again what the server has lost since', async () => {
    await interrupted();
    const tab = new Tab(server, browser);
    let isLost = false;
    server.intercept = ({ path }) => {
      if (isLost || !path.endsWith('offset=2048')) return null;
      isLost = true;
      const session = server.only();
      session.received = session.received.subarray(0, 100);
      return 'drop';
    };
    expect((await tab.upload(file())).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 2048 +952', 'PUT 100 +1024', 'PUT 1124 +1024', 'PUT 2148 +852']);
    expect(sha256(server.only().received)).toBe(sha256(bytesOf(3_000)));
  });

  test('leaves one session when the answer to its creation got lost', async () => {
    let isFirst = true;
    server.intercept = ({ method }) => {
      if (method !== 'POST' || !isFirst) return null;
      isFirst = false;
      return 'do and drop';
    };
    expect((await new Tab(server, browser).upload(file())).phase).toBe('completed');
    expect(server.sessions.size).toBe(1);
  });

  test('ends when its session is removed while it is sent', async () => {
    server.intercept = ({ path }) => {
      if (path.endsWith('offset=1024')) server.sessions.clear();
      return null;
    };
    expect((await new Tab(server, browser).upload(file())).problem).toMatchObject({
      kind: 'session_gone',
      resumable: false,
    });
    expect(browser.entries).toEqual([]);
  });
});

describe('a session picked from the list', () => {
  test('resumes with its file, picked again', async () => {
    await interrupted();
    const picked = await listed();
    const tab = new Tab(server);
    tab.controller.start(file(), picked);
    expect((await tab.ended()).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 2048 +952']);
  });

  test.each([
    ['another name', fileOf(bytesOf(3_000), 'other.jsonl'), 'other_file'],
    ['another size', fileOf(bytesOf(3_001)), 'other_file'],
  ] as const)('refuses a file of %s', async (_, other, kind) => {
    await interrupted();
    const picked = await listed();
    const tab = new Tab(server);
    tab.controller.start(other, picked);
    expect((await tab.ended()).problem).toMatchObject({ kind, resumable: false });
    expect(server.chunks).toEqual([]);
  });

  test('refuses one that has expired', async () => {
    await interrupted();
    const picked = await listed();
    const tab = new Tab(server);
    tab.nowMs = picked.expires_at_ms;
    tab.controller.start(file(), picked);
    expect((await tab.ended()).problem).toMatchObject({ kind: 'session_expired', resumable: false });
  });
});

describe('an import', () => {
  test('that failed and may be tried again is, once', async () => {
    server.ends = ['failed and retryable'];
    expect((await new Tab(server).upload(file())).phase).toBe('completed');
    expect(server.log.filter((line) => line === 'complete')).toHaveLength(2);
  });

  test('that failed twice is left to the user, with what was imported', async () => {
    server.ends = ['failed and retryable', 'failed and retryable'];
    const tab = new Tab(server, browser);
    const { phase, problem, result } = await tab.upload(file());
    expect({ phase, problem, result }).toMatchObject({
      phase: 'failed',
      problem: { kind: 'import_failed', message: 'the import was interrupted', resumable: true },
      result: { added: 3 },
    });
    expect(browser.entries).toHaveLength(1);
    tab.controller.resume();
    expect((await tab.ended()).phase).toBe('completed');
    expect(server.chunks).toHaveLength(3);
  });

  test('that failed for good is over', async () => {
    server.ends = ['failed'];
    const tab = new Tab(server, browser);
    expect((await tab.upload(file())).problem).toMatchObject({ kind: 'import_failed', resumable: false });
    expect(browser.entries).toEqual([]);
    expect(tab.controller.resume()).toBe(false);
  });

  test('that a restarted server waits to begin again is completed again', async () => {
    server.ends = ['ready'];
    expect((await new Tab(server).upload(file())).phase).toBe('completed');
    expect(server.log.filter((line) => line === 'complete')).toHaveLength(2);
  });

  test('of a status that is not known is shown and left alone', async () => {
    const tab = new Tab(server);
    server.intercept = ({ path }) => {
      if (path.endsWith('/complete')) server.only().status = 'sleeping';
      return null;
    };
    const state = await tab.upload(file());
    expect(state).toMatchObject({ problem: { kind: 'protocol', resumable: false }, session: { status: 'sleeping' } });
    expect(canCancel(state)).toBe(false);
  });
});

describe('a server without sessions', () => {
  const withoutSessions = (reply: (path: string) => ReturnType<SessionServer['intercept']>) => {
    server.intercept = ({ path }) =>
      path.startsWith('/v0') ? reply(path) : { status: 404, body: { error: 'not found', code: 'request_failed' } };
  };

  test('gets the whole file in one request', async () => {
    withoutSessions(() => null);
    const tab = new Tab(server, browser);
    expect(await tab.upload(file())).toMatchObject({ phase: 'completed', session: null, result: { added: 1 } });
    expect(server.simplyImported).toBe(3_000);
  });

  test('shows the name of what refused it', async () => {
    withoutSessions(() => ({ status: 413, body: html('413 Request Entity Too Large'), headers: NGINX }));
    const { problem } = await new Tab(server).upload(file());
    expect(problem).toMatchObject({
      kind: 'proxy',
      status: 413,
      hop: { server: 'nginx/1.22.1', title: '413 Request Entity Too Large' },
    });
  });

  test('gets no file of more than 64 MiB', async () => {
    withoutSessions(() => null);
    const large = { name: 'a.jsonl', size: 64 * 2 ** 20 + 1, lastModified: 1, slice: () => new Blob(['x']) };
    expect((await new Tab(server).upload(large)).problem).toMatchObject({ kind: 'sessions_needed' });
    expect(server.simplyImported).toBe(0);
  });
});
