import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { UploadSource } from './source.ts';
import { bytesOf, fileOf, Tab, TestBrowser } from './testing/rig.ts';
import { type Call, html, NGINX, SessionServer, sha256 } from './testing/session-server.ts';

const KIB = 1024;
let server: SessionServer;
beforeEach(async () => {
  server = await SessionServer.start();
});
afterEach(() => server.stop());

const isChunk = ({ method }: Call): boolean => method === 'PUT';

/** The first matching requests get this instead. */
function first(count: number, condition: (call: Call) => boolean, what: ReturnType<SessionServer['intercept']>): void {
  let left = count;
  server.intercept = (call) => {
    if (!condition(call) || left === 0) return null;
    left -= 1;
    return what;
  };
}

describe('an upload', () => {
  test('sends slices in order, each with the digest of what comes before it, then completes and asks until it is over', async () => {
    const bytes = bytesOf(2_500);
    const browser = new TestBrowser();
    const tab = new Tab(server, browser);
    expect(await tab.upload(fileOf(bytes))).toMatchObject({ phase: 'completed', result: { added: 3, skipped: 1 } });

    expect(server.log).toEqual([
      'GET',
      'POST',
      'PUT 0 +1024',
      'PUT 1024 +1024',
      'PUT 2048 +452',
      'complete',
      'GET',
      'GET',
    ]);
    expect(Buffer.compare(server.only().received, bytes)).toBe(0);
    const sent = server.calls.filter(isChunk).map(({ headers }) => headers);
    expect(sent.map((headers) => headers['x-usage-import-prefix-sha256'])).toEqual([
      undefined,
      sha256(bytes.subarray(0, 1024)),
      sha256(bytes.subarray(0, 2048)),
    ]);
    expect(new Set(sent.map((headers) => headers['content-type']))).toEqual(new Set(['application/octet-stream']));
    expect(tab.phases).toEqual(['preparing', 'hashing', 'uploading', 'processing', 'completed']);
    expect(tab.waits).toEqual([500, 625]);
    expect(browser.held).toBe(0);
    expect(browser.entries).toEqual([]);
  });

  test('asks more slowly the longer an import takes, up to every 3 seconds', async () => {
    server.polls = 12;
    const tab = new Tab(server);
    await tab.upload(fileOf(bytesOf(10)));
    expect(tab.waits.slice(0, 3)).toEqual([500, 625, 781.25]);
    expect(tab.waits.slice(-2)).toEqual([3_000, 3_000]);
  });

  test('reports progress in whole percent, 100 only when everything has arrived', async () => {
    const tab = new Tab(server);
    const percents: number[] = [];
    const { controller } = tab;
    server.intercept = (call) => {
      if (isChunk(call)) percents.push(controller.progress().percent);
      return null;
    };
    await tab.upload(fileOf(bytesOf(3 * KIB + 1)));
    expect(percents).toEqual([0, 33, 66, 99]);
    expect(controller.progress()).toMatchObject({ percent: 100, sentBytes: 3 * KIB + 1, bytesPerSecond: null });
  });
});

describe('a call that fails', () => {
  test.each([
    ['a broken connection', 'drop'],
    ['503', { status: 503, body: { error: 'later', code: 'usage_import_session_unavailable' } }],
  ] as const)(
    'is tried again after 1, 4 and 16 seconds, each time after the session was read: %s',
    async (_, fault) => {
      first(3, (call) => call.path.endsWith('offset=1024'), fault);
      const tab = new Tab(server);
      expect((await tab.upload(fileOf(bytesOf(2_000)))).phase).toBe('completed');
      const again = Array(3).fill(['PUT 1024 +976', 'GET']).flat();
      expect(server.log.slice(3, -3)).toEqual([...again, 'PUT 1024 +976']);
      expect(tab.waits.slice(0, 3)).toEqual([1_000, 4_000, 16_000]);
      expect(tab.states.map(({ retry }) => retry?.attempt).filter(Boolean)).toEqual([1, 2, 3]);
    },
  );

  test('stops the upload after that; it can be resumed from there', async () => {
    server.intercept = (call) => (call.path.endsWith('offset=1024') ? 'drop' : null);
    const browser = new TestBrowser();
    const tab = new Tab(server, browser);
    const { phase, problem } = await tab.upload(fileOf(bytesOf(2_000)));
    expect({ phase, problem }).toMatchObject({ phase: 'failed', problem: { kind: 'network', resumable: true } });
    expect(server.chunks).toHaveLength(1 + 4);
    expect(browser.held).toBe(0);
    expect(browser.entries).toHaveLength(1);

    server.intercept = () => null;
    server.calls.length = 0;
    expect(tab.controller.resume()).toBe(true);
    expect((await tab.ended()).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 1024 +976']);
  });

  test('waits as long as the server wants', async () => {
    first(1, isChunk, {
      status: 429,
      body: { error: 'slow down', code: 'request_failed' },
      headers: { 'retry-after': '7' },
    });
    const tab = new Tab(server);
    expect((await tab.upload(fileOf(bytesOf(10)))).phase).toBe('completed');
    expect(tab.waits[0]).toBe(7_000);
  });

  test('sends nothing twice when only the answer got lost', async () => {
    first(1, (call) => call.path.endsWith('offset=1024'), 'do and drop');
    const tab = new Tab(server);
    expect((await tab.upload(fileOf(bytesOf(3_000)))).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 0 +1024', 'PUT 1024 +1024', 'PUT 2048 +952']);
  });

  test('continues with half the slice when no answer came in time, but the server is reachable', async () => {
    server.intercept = (call) => (isChunk(call) && call.body.length > 100 * KIB ? 'hang' : null);
    server.chunkBytes = 256 * KIB;
    const tab = new Tab(server, new TestBrowser(), 100);
    expect((await tab.upload(fileOf(bytesOf(200 * KIB)))).phase).toBe('completed');
    expect(server.chunks).toEqual(
      [200, 100, 100].map((size, index) => `PUT ${index === 2 ? 100 * KIB : 0} +${size * KIB}`),
    );
  });

  test('ends the upload when the key is refused; after a sign-in it can be resumed', async () => {
    first(1, isChunk, { status: 401, body: { error: 'invalid admin key', code: 'invalid_admin_key' } });
    const tab = new Tab(server);
    const { problem } = await tab.upload(fileOf(bytesOf(10)));
    expect(problem).toMatchObject({ kind: 'unauthorized', status: 401, resumable: true });
    tab.controller.resume();
    expect((await tab.ended()).phase).toBe('completed');
  });
});

describe('a proxy in between', () => {
  /** Refuses bodies above the limit, in its own way. */
  function limit(bytes: number, status: number, title: string): void {
    server.chunkBytes = 400 * KIB;
    server.intercept = (call) =>
      isChunk(call) && call.body.length > bytes ? { status, body: html(title), headers: NGINX } : null;
  }
  const file = () => fileOf(bytesOf(500 * KIB));

  test('that takes less is named, and smaller slices go through, without a wait', async () => {
    limit(110 * KIB, 413, '413 Request Entity Too Large');
    const tab = new Tab(server);
    const { phase, smaller } = await tab.upload(file());
    expect(phase).toBe('completed');
    expect(smaller).toEqual({
      hop: { server: 'nginx/1.22.1', title: '413 Request Entity Too Large' },
      sliceBytes: 100 * KIB,
    });
    const refused = [400, 200].map((size) => `PUT 0 +${size * KIB}`);
    // Once it is known, no larger one is tried again.
    const taken = [0, 100, 200, 300, 400].map((at) => `PUT ${at * KIB} +${100 * KIB}`);
    expect(server.chunks).toEqual([...refused, ...taken]);
    expect(tab.waits.filter((ms) => ms >= 1_000)).toEqual([]);
  });

  test('that cannot pass a large slice on (502) is treated alike, after the session was read', async () => {
    limit(210 * KIB, 502, '502 Bad Gateway');
    const tab = new Tab(server);
    const { phase, smaller } = await tab.upload(file());
    expect({ phase, smaller }).toMatchObject({
      phase: 'completed',
      smaller: { hop: { server: 'nginx/1.22.1' }, sliceBytes: 200 * KIB },
    });
    expect(server.log.slice(2, 5)).toEqual([`PUT 0 +${400 * KIB}`, 'GET', `PUT 0 +${200 * KIB}`]);
  });

  test('that refuses 64 KiB as well ends the upload, by name', async () => {
    limit(50 * KIB, 413, '413 Request Entity Too Large');
    const { problem } = await new Tab(server).upload(file());
    expect(problem).toMatchObject({ kind: 'proxy', status: 413, hop: { server: 'nginx/1.22.1' }, resumable: true });
    expect(server.chunks.at(-1)).toBe(`PUT 0 +${64 * KIB}`);
  });

  test('that has lost the manager (502 to everything) does not make the slices smaller', async () => {
    server.intercept = ({ path }) =>
      path === '' || path.startsWith('?') ? null : { status: 502, body: html('502 Bad Gateway'), headers: NGINX };
    const tab = new Tab(server);
    const { problem, smaller } = await tab.upload(file());
    expect(problem).toMatchObject({ kind: 'proxy', status: 502, message: '502 Bad Gateway' });
    expect(smaller).toBeNull();
    expect(server.chunks).toHaveLength(1);
    expect(tab.waits).toEqual([1_000, 4_000, 16_000]);
  });

  test('that has lost the manager for a while does not make the slices smaller either', async () => {
    let left = 3;
    server.intercept = ({ path }) =>
      path === '' || path.startsWith('?') || left-- <= 0
        ? null
        : { status: 502, body: html('502 Bad Gateway'), headers: NGINX };
    const tab = new Tab(server);
    const { phase, smaller } = await tab.upload(fileOf(bytesOf(3_000)));
    expect({ phase, smaller }).toEqual({ phase: 'completed', smaller: null });
    expect(server.log.slice(2, 7)).toEqual(['PUT 0 +1024', 'GET', 'GET', 'GET', 'PUT 0 +1024']);
  });

  test('a 413 of the manager itself is not attributed to a proxy', async () => {
    first(2, isChunk, { status: 413, body: { error: 'the chunk is larger', code: 'usage_import_session_too_large' } });
    const { problem, smaller } = await new Tab(server).upload(fileOf(bytesOf(10)));
    expect({ problem, smaller }).toMatchObject({ problem: { kind: 'too_large', hop: null }, smaller: null });
  });
});

describe('an answer that does not fit', () => {
  test('after a conflict the session is read again and continues, once', async () => {
    const conflict = { status: 409, body: { error: 'busy', code: 'usage_import_session_conflict' } };
    first(1, isChunk, conflict);
    expect((await new Tab(server).upload(fileOf(bytesOf(10)))).phase).toBe('completed');
    expect(server.log.slice(2, 5)).toEqual(['PUT 0 +10', 'GET', 'PUT 0 +10']);

    first(2, isChunk, conflict);
    const { problem } = await new Tab(server).upload(fileOf(bytesOf(11)));
    expect(problem).toMatchObject({ kind: 'session_conflict', resumable: true });
  });

  test.each([
    ['does not move on', 0],
    ['moves on by more than was sent', 1_025],
  ])('a session that %s ends the upload', async (_, received_bytes) => {
    server.intercept = (call) => {
      if (!isChunk(call)) return null;
      const { id, size: size_bytes } = server.only();
      const session = { id, status: 'uploading', size_bytes, received_bytes, chunk_size_bytes: 1024, expires_at_ms: 1 };
      return { status: 200, body: session };
    };
    const { problem } = await new Tab(server).upload(fileOf(bytesOf(3_000)));
    expect(problem).toMatchObject({ kind: 'protocol', resumable: false });
    expect(server.chunks).toHaveLength(1);
  });

  test('a page with status 200 is no session', async () => {
    first(1, isChunk, { status: 200, body: html('Sign in'), headers: NGINX });
    const { problem } = await new Tab(server).upload(fileOf(bytesOf(10)));
    expect(problem).toMatchObject({ kind: 'proxy', hop: { server: 'nginx/1.22.1', title: 'Sign in' } });
  });
});

describe('the file', () => {
  test('that changes on disk stops the upload before the next slice', async () => {
    const state = { size: 3_000, lastModified: 5 };
    const bytes = bytesOf(3_000);
    const source: UploadSource = {
      name: 'a.jsonl',
      ...state,
      slice: (begin, end) => new Blob([bytes.subarray(begin, end)]),
      onDisk: async () => ({ ...state }),
    };
    server.intercept = (call) => {
      if (call.path.endsWith('offset=1024')) state.lastModified += 1;
      return null;
    };
    const { problem } = await new Tab(server).upload(source);
    expect(problem).toMatchObject({ kind: 'file_changed', resumable: false });
    expect(server.chunks).toEqual(['PUT 0 +1024', 'PUT 1024 +1024']);
  });

  test('that can be read no longer stops it as well', async () => {
    let isGone = false;
    const file = fileOf(bytesOf(3_000));
    const source: UploadSource = {
      ...{ name: file.name, size: file.size, lastModified: file.lastModified },
      slice: (begin, end) => {
        if (isGone) throw new DOMException('changed', 'NotReadableError');
        return file.slice(begin, end);
      },
    };
    first(1, (call) => (isGone ||= isChunk(call)), 'drop');
    const { problem } = await new Tab(server).upload(source);
    expect(problem).toMatchObject({ kind: 'file_changed' });
    expect(server.chunks).toHaveLength(1);
  });

  test('of which other bytes arrived is not gone on with', async () => {
    server.intercept = (call) => {
      if (call.path.endsWith('offset=1024')) server.only().received.fill(1, 0, 1);
      return null;
    };
    const tab = new Tab(server);
    const { problem } = await tab.upload(fileOf(bytesOf(3_000)));
    expect(problem).toMatchObject({ kind: 'prefix_mismatch', resumable: false });
  });
});
