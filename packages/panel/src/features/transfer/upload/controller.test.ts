import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { canCancel, canResume, stopsOnLeaving } from './state.ts';
import { bytesOf, fileOf, Tab, TestBrowser } from './testing/rig.ts';
import { SessionServer } from './testing/session-server.ts';

let server: SessionServer;
let browser: TestBrowser;
let tab: Tab;
beforeEach(async () => {
  server = await SessionServer.start();
  browser = new TestBrowser();
  tab = new Tab(server, browser);
});
afterEach(() => server.stop());

const file = () => fileOf(bytesOf(3_000));

/** Sends until the second slice, which gets no answer. */
async function halfway(): Promise<void> {
  server.intercept = ({ path }) => (path.endsWith('offset=1024') ? 'hang' : null);
  tab.controller.start(file());
  await tab.until(() => server.chunks.length === 2);
  server.intercept = () => null;
  server.calls.length = 0;
}

/** The import does not end before `go` is called. */
async function importing(): Promise<() => void> {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  tab.pauseOf = (ms) => (ms < 1_000 ? gate : Promise.resolve());
  tab.controller.start(file());
  await tab.until(({ phase }) => phase === 'processing');
  server.calls.length = 0;
  return () => {
    tab.pauseOf = async () => {};
    go();
  };
}

describe('pause', () => {
  test('stops sending at once and resumes from there', async () => {
    await halfway();
    expect(stopsOnLeaving(tab.controller.state())).toBe(true);
    expect(tab.controller.pause()).toBe(true);
    const state = await tab.until(({ phase }) => phase === 'paused');
    expect({ leaving: stopsOnLeaving(state), resume: canResume(state), held: browser.held }).toEqual({
      leaving: false,
      resume: true,
      held: 1,
    });
    expect(tab.controller.progress()).toMatchObject({ percent: 34, bytesPerSecond: null, secondsLeft: null });
    expect(tab.controller.pause()).toBe(false);

    expect(tab.controller.resume()).toBe(true);
    expect((await tab.ended()).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 1024 +1024', 'PUT 2048 +952']);
  });

  test('also ends the wait for the next try', async () => {
    server.intercept = ({ method }) => (method === 'PUT' ? 'drop' : null);
    tab.pauseOf = () => new Promise(() => {});
    tab.controller.start(file());
    await tab.until(({ retry }) => retry !== null);
    tab.controller.pause();
    expect((await tab.until(({ phase }) => phase === 'paused')).retry).toBeNull();
  });

  test('is not possible while the server imports', async () => {
    const go = await importing();
    expect(tab.controller.pause()).toBe(false);
    expect(stopsOnLeaving(tab.controller.state())).toBe(false);
    go();
    expect((await tab.ended()).phase).toBe('completed');
  });
});

describe('cancel', () => {
  test('ends an upload at the server', async () => {
    await halfway();
    await tab.controller.cancel();
    expect(tab.controller.state()).toMatchObject({ phase: 'cancelled', session: { status: 'cancelled' } });
    expect(server.log).toEqual(['DELETE']);
    expect({ held: browser.held, entries: browser.entries }).toEqual({ held: 0, entries: [] });
  });

  test('ends one that is paused, and one that has failed but still takes a place', async () => {
    await halfway();
    tab.controller.pause();
    await tab.until(({ phase }) => phase === 'paused');
    await tab.controller.cancel();
    expect(tab.controller.state().phase).toBe('cancelled');

    server.intercept = ({ method }) => (method === 'PUT' ? 'drop' : null);
    expect((await tab.upload(fileOf(bytesOf(50)))).phase).toBe('failed');
    expect(canCancel(tab.controller.state())).toBe(true);
    await tab.controller.cancel();
    expect([...server.sessions.values()].map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  test('asks every 250 ms until the import has stopped', async () => {
    const go = await importing();
    server.polls = 3;
    server.ends = ['failed'];
    const cancelled = tab.controller.cancel();
    await tab.until(({ phase }) => phase === 'cancelling');
    expect(canCancel(tab.controller.state())).toBe(false);
    go();
    await cancelled;
    expect(server.log.slice(-4)).toEqual(['DELETE', 'GET', 'GET', 'GET']);
    expect(tab.waits.slice(-3)).toEqual([250, 250, 250]);
  });

  test('shows the result of an import that was quicker', async () => {
    const go = await importing();
    server.polls = 1;
    go();
    await tab.controller.cancel();
    expect(tab.controller.state()).toMatchObject({ phase: 'completed', result: { added: 3 } });
  });

  test('stops polling after 30 seconds; it can be polled again', async () => {
    const go = await importing();
    server.polls = 1_000;
    go();
    await tab.controller.cancel();
    const state = tab.controller.state();
    expect(state).toMatchObject({ phase: 'failed', problem: { kind: 'cancel_pending', resumable: true } });
    expect(tab.waits.filter((ms) => ms === 250)).toHaveLength(120);
  });

  test('of a session that is gone is done', async () => {
    await halfway();
    server.sessions.clear();
    await tab.controller.cancel();
    expect(tab.controller.state().phase).toBe('cancelled');
    expect(browser.entries).toEqual([]);
  });
});

describe('one panel', () => {
  test('uploads one file at a time', async () => {
    await halfway();
    expect(tab.controller.start(fileOf(bytesOf(10)))).toBe(false);
    expect(tab.controller.dismiss()).toBe(false);
    await tab.controller.cancel();
    expect(tab.controller.dismiss()).toBe(true);
    expect(tab.controller.state().phase).toBe('idle');
    expect((await tab.upload(fileOf(bytesOf(10)))).phase).toBe('completed');
  });

  test('drops the upload at once at a sign-out; the file can be resumed later', async () => {
    await halfway();
    tab.controller.stop();
    expect(tab.controller.state().phase).toBe('idle');
    await Bun.sleep(20);
    expect(tab.controller.state().phase).toBe('idle');
    expect(browser.held).toBe(0);
    expect((await tab.upload(file())).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 1024 +1024', 'PUT 2048 +952']);
  });
});

describe('two tabs', () => {
  test('do not send the same file: the second watches', async () => {
    await halfway();
    const other = new Tab(server, browser);
    other.controller.start(file());
    await other.until(({ phase }) => phase === 'watching');
    expect(stopsOnLeaving(other.controller.state())).toBe(false);
    expect(other.controller.progress()).toMatchObject({ sentBytes: 1_024, percent: 34 });

    tab.controller.pause();
    await tab.until(({ phase }) => phase === 'paused');
    tab.controller.resume();
    await Promise.all([tab.ended(), other.ended()]);
    expect(other.controller.state()).toMatchObject({ phase: 'completed', result: { added: 3 } });
    expect(server.chunks).toEqual(['PUT 1024 +1024', 'PUT 2048 +952']);
    expect(server.sessions.size).toBe(1);
  });

  test('the second carries on when the first is gone', async () => {
    await halfway();
    const other = new Tab(server, browser);
    other.controller.start(file());
    await other.until(({ phase }) => phase === 'watching');
    tab.controller.stop();
    expect((await other.ended()).phase).toBe('completed');
    expect(server.chunks).toEqual(['PUT 1024 +1024', 'PUT 2048 +952']);
  });
});

describe('a file that cannot be imported', () => {
  test.each([
    ['a.jsonl.gz', 10, 'compressed'],
    ['a.csv', 10, 'other_suffix'],
    ['a.jsonl', 0, 'empty_file'],
    ['a.jsonl', 2_000, 'over_quota'],
  ])('is refused before a session is made: %s of %i bytes', async (name, size, kind) => {
    server.diskQuotaBytes = 1_999;
    expect((await tab.upload(fileOf(bytesOf(size), name))).problem).toMatchObject({ kind, resumable: false });
    expect(server.sessions.size).toBe(0);
  });

  test.each([
    [429, 'usage_import_session_limit_exceeded', 'too_many_sessions'],
    [507, 'usage_import_session_quota_exceeded', 'quota_used_up'],
  ])('now, with %i, can be tried again when there is room', async (status, code, kind) => {
    server.intercept = ({ method }) => (method === 'POST' ? { status, body: { error: code, code } } : null);
    expect((await tab.upload(file())).problem).toMatchObject({ kind, resumable: true });
    expect(tab.waits).toEqual([]);
    server.intercept = () => null;
    tab.controller.resume();
    expect((await tab.ended()).phase).toBe('completed');
  });
});
