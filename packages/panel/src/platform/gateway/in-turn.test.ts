import { expect, test } from 'bun:test';
import { withLease } from './in-turn.ts';

/** Tabs of one browser. Their clock moves when all of them wait. */
function browser() {
  const stored = new Map<string, string>();
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  let nowMs = 1_000_000;
  const renewals = new Set<() => void>();
  const waiting = new Set<() => void>();
  const wait = () => new Promise<void>((resolve) => waiting.add(resolve));
  const tab = (owner: string) => ({
    store,
    owner,
    now: () => nowMs,
    wait,
    every: (_ms: number, act: () => void) => {
      renewals.add(act);
      return () => void renewals.delete(act);
    },
  });
  const pass = async (ms: number) => {
    nowMs += ms;
    const due = [...waiting];
    waiting.clear();
    for (const resolve of due) resolve();
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
  };
  const renew = () => {
    for (const act of renewals) act();
  };
  return { stored, tab, pass, renew };
}

/** A work that ends when told to. */
function held(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    log.push(`${name} starts`);
    await promise;
    log.push(`${name} ends`);
  };
  return { work, end: resolve };
}

test('two tabs that start at the same moment take turns', async () => {
  const { stored, tab, pass } = browser();
  const log: string[] = [];
  const [a, b] = [held(log, 'a'), held(log, 'b')];
  const first = withLease('list', a.work, tab('a'));
  // The other tab does not see the first one's lease yet.
  stored.clear();
  const second = withLease('list', b.work, tab('b'));
  await pass(100);
  await pass(100);
  expect(log).toEqual(['b starts']);
  b.end();
  await second;
  await pass(100);
  await pass(100);
  expect(log).toEqual(['b starts', 'b ends', 'a starts']);
  a.end();
  await first;
  expect(stored.size).toBe(0);
});

test('another list does not wait, and a work that fails gives its turn away', async () => {
  const { tab, pass } = browser();
  const log: string[] = [];
  const failing = withLease('list', () => Promise.reject(new Error('refused')), tab('a'));
  const other = held(log, 'other');
  const running = withLease('other', other.work, tab('b'));
  const failed = failing.catch(({ message }: Error) => message);
  await pass(100);
  expect(await failed).toBe('refused');
  expect(log).toEqual(['other starts']);
  other.end();
  await running;
});

test('a long turn is renewed; the one of a closed tab expires', async () => {
  const { tab, pass, renew } = browser();
  const log: string[] = [];
  const [long, next] = [held(log, 'long'), held(log, 'next')];
  void withLease('list', long.work, tab('a'));
  await pass(100);
  const second = withLease('list', next.work, tab('b'));
  for (let at = 0; at < 8; at += 1) {
    renew();
    await pass(3_000);
  }
  expect(log).toEqual(['long starts']);
  // Its tab is closed: nobody renews or ends it.
  await pass(10_000);
  await pass(100);
  expect(log).toEqual(['long starts', 'next starts']);
  next.end();
  await second;
});

test('what is no lease, or one of a clock far ahead, holds up nobody', async () => {
  for (const text of ['{', '7', JSON.stringify({ owner: 'gone', until: 9e15 })]) {
    const { stored, tab, pass } = browser();
    stored.set('mgrpanel:v1:turn:list', text);
    const turn = withLease('list', async () => 'done', tab('a'));
    await pass(100);
    expect(await turn).toBe('done');
  }
});
