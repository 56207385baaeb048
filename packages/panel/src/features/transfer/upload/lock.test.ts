import { describe, expect, test } from 'bun:test';
import { createHeartbeatLock, createWebLock, type LocksOfBrowser } from './lock.ts';

/** Locks as browsers implement them. */
function browserLocks(): LocksOfBrowser {
  const held = new Set<string>();
  return {
    request: async (name, _, callback) => {
      if (held.has(name)) return callback(null);
      held.add(name);
      try {
        return await callback({ name });
      } finally {
        held.delete(name);
      }
    },
  };
}

describe('a lock of the browser', () => {
  test('belongs to one at a time, until it is given back', async () => {
    const locks = browserLocks();
    const [first, second] = [createWebLock(locks), createWebLock(locks)];
    const release = await first.acquire('a');
    expect(release).not.toBeNull();
    expect(await second.acquire('a')).toBeNull();
    expect(await second.acquire('b')).not.toBeNull();
    release?.();
    await Bun.sleep(0);
    expect(await second.acquire('a')).not.toBeNull();
  });

  test('that cannot be had is an error', async () => {
    const lock = createWebLock({ request: () => Promise.reject(new Error('refused')) });
    expect(await lock.acquire('a').catch((error: Error) => error.message)).toBe('refused');
  });
});

/** Tabs that share a storage and a clock. */
function tabs() {
  const values = new Map<string, string>();
  let nowMs = 0;
  const beats = new Map<string, () => void>();
  const open = (owner: string, wait: () => Promise<void> = async () => {}) =>
    createHeartbeatLock({
      storage: {
        getItem: (key) => values.get(key) ?? null,
        setItem: (key, value) => void values.set(key, value),
        removeItem: (key) => void values.delete(key),
      },
      owner,
      clock: () => nowMs,
      every: (_, call) => {
        beats.set(owner, call);
        return () => void beats.delete(owner);
      },
      wait,
    });
  return {
    open,
    values,
    pass: (ms: number) => {
      nowMs += ms;
      for (const beat of beats.values()) beat();
    },
    close: (owner: string) => void beats.delete(owner),
  };
}

describe('a lock by heartbeats', () => {
  test('belongs to one at a time, for as long as it beats', async () => {
    const { open, values, pass } = tabs();
    const [first, second] = [open('one'), open('two')];
    const release = await first.acquire('a');
    expect(release).not.toBeNull();
    for (let minutes = 0; minutes < 5; minutes += 1) pass(60_000);
    expect(await second.acquire('a')).toBeNull();
    release?.();
    expect(values.size).toBe(0);
    expect(await second.acquire('a')).not.toBeNull();
  });

  test('of a tab that is gone can be had after a while', async () => {
    const { open, pass, close } = tabs();
    await open('one').acquire('a');
    close('one');
    pass(60_000);
    expect(await open('two').acquire('a')).toBeNull();
    pass(31_000);
    expect(await open('two').acquire('a')).not.toBeNull();
  });

  test('that two tabs take at the same moment belongs to one of them', async () => {
    const { open } = tabs();
    const got = await Promise.all([
      open('one', () => Bun.sleep(5)).acquire('a'),
      open('two', () => Bun.sleep(5)).acquire('a'),
    ]);
    expect(got.filter((release) => release !== null)).toHaveLength(1);
  });

  test('is not taken back from the tab that has taken it over', async () => {
    const { open, values, pass, close } = tabs();
    const release = await open('one').acquire('a');
    close('one');
    pass(100_000);
    await open('two').acquire('a');
    release?.();
    expect(values.size).toBe(1);
  });
});
