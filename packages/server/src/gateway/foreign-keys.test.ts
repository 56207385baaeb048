import { describe, expect, test } from 'bun:test';
import { createForeignKeys, type ForeignEntry, type ForeignPermit } from './foreign-keys.ts';
import { createKeyRefusalGate } from './refusal-gate.ts';

const saved = { baseUrl: 'http://gateway:8317', managementKey: 'saved' };
const BAN_AFTER = 5;

/** A gateway that counts refusals under one address, and a manager in front of it. */
async function rig(options: { savedKeyIsRight?: boolean } = {}) {
  const clock = { nowMs: 10_000_000_000 };
  const timers: { readonly atMs: number; readonly call: () => void }[] = [];
  const gate = await createKeyRefusalGate({
    now: () => clock.nowMs,
    readSetting: async () => null,
    writeSetting: async () => {},
  });
  const gateway = {
    savedKeyIsRight: options.savedKeyIsRight ?? true,
    isUp: true,
    failures: 0,
    banned: false,
    paidBack: 0,
    refuse() {
      gateway.failures += 1;
      gateway.banned ||= gateway.failures >= BAN_AFTER;
    },
  };
  const useSavedKey = () => {
    const permit = gate.enter(saved);
    if (!permit.open) return false;
    if (!gateway.isUp) permit.report('unknown');
    else if (gateway.savedKeyIsRight) {
      gateway.failures = 0;
      permit.report('accepted');
    } else {
      gateway.refuse();
      permit.report('refused', 'invalid management key');
    }
    return true;
  };
  const keys = createForeignKeys({
    gate,
    now: () => clock.nowMs,
    async payBack() {
      gateway.paidBack += 1;
      await settled();
      useSavedKey();
    },
    after(ms, call) {
      const timer = { atMs: clock.nowMs + ms, call };
      timers.push(timer);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
  });
  const pass = async (ms: number) => {
    clock.nowMs += ms;
    for (const timer of timers.filter((one) => one.atMs <= clock.nowMs)) {
      if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      timer.call();
    }
    await settled();
  };
  const enter = (key: string, openPath = false, signal?: AbortSignal) =>
    keys.enter(
      { baseUrl: saved.baseUrl, authorization: key === '' ? '' : `Bearer ${key}`, managementKey: '', openPath },
      signal,
    );
  /** Sends a request and returns the status that the gateway gives, or 429. */
  const send = async (key: string, status: number, openPath = false) => {
    const entry = await enter(key, openPath);
    if (!isPermit(entry)) return 429;
    if (status === 401) gateway.refuse();
    else gateway.failures = 0;
    entry.answered(status, !openPath);
    return status;
  };
  return { clock, gate, gateway, keys, pass, enter, send, useSavedKey };
}

const isPermit = (entry: ForeignEntry): entry is ForeignPermit => !('retryAfterSeconds' in entry);
/** Everything that was begun has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** The state of a promise now. */
async function now<T>(promise: Promise<T>): Promise<T | 'waits'> {
  await settled();
  return Promise.race([promise, Promise.resolve<'waits'>('waits')]);
}

describe('refused keys under our address', () => {
  test('one is let through, and the next only after a call of our own was accepted', async () => {
    const { send, gateway } = await rig();
    expect(await send('', 401)).toBe(401);
    expect(await send('', 401)).toBe(429);
    await settled();
    expect([gateway.paidBack, gateway.failures]).toEqual([1, 0]);
    expect(await send('', 401)).toBe(401);
  });

  test('any number of them never ends in a ban', async () => {
    const { send, gateway } = await rig();
    for (let count = 0; count < 200; count += 1) await send(count % 3 === 0 ? `wrong-${count}` : '', 401);
    expect(gateway.banned).toBe(false);
    expect(gateway.paidBack).toBeGreaterThan(10);
  });

  test('only one unknown key is on its way at a time', async () => {
    const { enter } = await rig();
    const first = await enter('a');
    expect(isPermit(first)).toBe(true);
    expect(await enter('')).toEqual({ retryAfterSeconds: 1 });
    const second = enter('b');
    expect(await now(second)).toBe('waits');
    if (isPermit(first)) first.answered(200, true);
    expect(isPermit(await second)).toBe(true);
  });

  test.each(['lost', 'silent'])('a request whose answer nobody reads counts as refused: %s', async (how) => {
    const { enter, gateway, pass } = await rig();
    const entry = await enter('');
    if (!isPermit(entry)) throw new Error('a permit was expected');
    gateway.refuse();
    if (how === 'lost') {
      entry.lost();
      // It may be on its way, and must not be counted after the pay-back.
      await pass(199);
      expect([await enter(''), gateway.paidBack]).toEqual([{ retryAfterSeconds: 1 }, 0]);
      await pass(1);
    } else await pass(1000);
    expect([gateway.paidBack, gateway.failures]).toEqual([1, 0]);
    // The refusal may still come, and is then counted once more.
    if (how === 'silent') entry.answered(401, true);
    expect(await enter('')).toEqual(how === 'silent' ? { retryAfterSeconds: 1 } : expect.any(Object));
  });

  test('a request that was never sent costs nothing', async () => {
    const { enter, gateway } = await rig();
    const entry = await enter('');
    if (isPermit(entry)) entry.unsent();
    await settled();
    expect(gateway.paidBack).toBe(0);
    expect(isPermit(await enter(''))).toBe(true);
  });

  test('a refusal during the pay-back is paid back again', async () => {
    const { enter, gateway, send, pass } = await rig();
    const slow = await enter('slow');
    await pass(1000);
    if (!isPermit(slow)) throw new Error('a permit was expected');
    expect(await send('x', 401)).toBe(401);
    gateway.refuse();
    slow.answered(401, true);
    await settled();
    expect(gateway.failures).toBe(0);
    expect(isPermit(await enter(''))).toBe(true);
  });

  test('while the gateway does not answer, nobody is let through, and one try a second is made to pay back', async () => {
    const { enter, gateway, send, pass, clock } = await rig();
    gateway.isUp = false;
    await send('', 401);
    await settled();
    for (let count = 0; count < 10; count += 1) expect(await enter('')).toEqual({ retryAfterSeconds: 1 });
    expect(gateway.paidBack).toBe(1);
    gateway.isUp = true;
    clock.nowMs += 1000;
    await enter('');
    await pass(0);
    expect(isPermit(await enter(''))).toBe(true);
  });
});

describe('keys that may be right', () => {
  test('one that was accepted never waits, for an hour', async () => {
    const { enter, send, clock } = await rig();
    expect(await send('right', 200)).toBe(200);
    await enter('other');
    for (let count = 0; count < 2; count += 1) expect(isPermit(await enter('right'))).toBe(true);
    clock.nowMs += 60 * 60 * 1000;
    expect(await now(enter('right'))).toBe('waits');
  });

  test('an unknown one waits while another is paid back, at most a second', async () => {
    const { enter, send, gateway, pass } = await rig();
    await send('', 401);
    expect(isPermit(await enter('unknown'))).toBe(true);
    gateway.isUp = false;
    const waiting = enter('other');
    expect(await now(waiting)).toBe('waits');
    await pass(1000);
    await pass(1000);
    expect(await now(waiting)).toEqual({ retryAfterSeconds: 1 });
  });

  test('it goes before requests without a key', async () => {
    const { enter } = await rig();
    const first = await enter('a');
    const waiting = enter('b');
    await settled();
    expect(await enter('')).toEqual({ retryAfterSeconds: 1 });
    if (isPermit(first)) first.answered(200, true);
    expect(isPermit(await waiting)).toBe(true);
  });

  test('its turn comes as soon as the gateway accepts any call of ours, also when the pay-back failed', async () => {
    const { enter, send, gateway, useSavedKey } = await rig();
    gateway.isUp = false;
    await send('', 401);
    await settled();
    const waiting = [enter('a'), enter('b')];
    expect(await Promise.all(waiting.map(now))).toEqual(['waits', 'waits']);
    gateway.isUp = true;
    useSavedKey();
    const first = await now(waiting[0] as Promise<ForeignEntry>);
    if (first === 'waits' || !isPermit(first)) throw new Error('a permit was expected');
    expect(await now(waiting[1] as Promise<ForeignEntry>)).toBe('waits');
    first.answered(200, true);
    expect(isPermit(await (waiting[1] as Promise<ForeignEntry>))).toBe(true);
  });

  test('64 are remembered', async () => {
    const { enter, send } = await rig();
    for (let count = 0; count < 65; count += 1) await send(`right-${count}`, 200);
    await enter('other');
    expect(isPermit(await enter('right-1'))).toBe(true);
    expect(await now(enter('right-0'))).toBe('waits');
  });

  test('an answer that does not show that the key was checked proves nothing', async () => {
    const { enter } = await rig();
    const entry = await enter('key');
    if (isPermit(entry)) entry.answered(200, false);
    await enter('other');
    expect(await now(enter('key'))).toBe('waits');
  });

  test('when the gateway no longer accepts it, parallel requests with it do not end in a ban', async () => {
    const { enter, send, gateway, useSavedKey } = await rig();
    await send('right', 200);
    gateway.savedKeyIsRight = false;
    const entries = Array.from({ length: 20 }, () => enter('right'));
    await settled();
    for (const entry of entries) {
      const answer = await now(entry);
      if (answer === 'waits' || !isPermit(answer)) continue;
      gateway.refuse();
      answer.answered(401, true);
    }
    for (let count = 0; count < 20; count += 1) useSavedKey();
    await settled();
    expect(gateway.failures).toBeGreaterThan(2);
    expect(gateway.banned).toBe(false);
  });

  test('who leaves while waiting is forgotten', async () => {
    const { enter } = await rig();
    const first = await enter('a');
    const gone = new AbortController();
    const waiting = enter('b', false, gone.signal);
    await settled();
    gone.abort();
    expect(isPermit(await waiting)).toBe(false);
    // Nor does it keep a place in the queue, when it left before it had one.
    for (let count = 0; count < 20; count += 1) expect(isPermit(await enter('b', false, gone.signal))).toBe(false);
    const other = enter('c');
    if (isPermit(first)) first.answered(200, true);
    expect(isPermit(await other)).toBe(true);
  });
});

describe('the OAuth return', () => {
  test('has no limit, as soon as one answer showed that no key is checked there', async () => {
    const { enter, send } = await rig();
    expect(await send('', 200, true)).toBe(200);
    await enter('other');
    for (let count = 0; count < 50; count += 1) expect(isPermit(await enter('', true))).toBe(true);
  });

  test('counts again when an older gateway has taken the place', async () => {
    const { send, gateway } = await rig();
    await send('', 200, true);
    for (let count = 0; count < 50; count += 1) await send('', 401, true);
    expect(gateway.banned).toBe(false);
    expect(gateway.paidBack).toBeGreaterThan(0);
  });

  test('is limited like a key where an old gateway checks one', async () => {
    const { send, gateway } = await rig();
    for (let count = 0; count < 100; count += 1) await Promise.all([send('', 401, true), send('', 401, true)]);
    expect(gateway.banned).toBe(false);
  });
});

describe('a saved key that is refused', () => {
  test('pays nothing back; with the keys of callers the row stays below the ban', async () => {
    const { send, gateway, useSavedKey, clock } = await rig({ savedKeyIsRight: false });
    for (let count = 0; count < 50; count += 1) {
      await send('', 401);
      useSavedKey();
      clock.nowMs += 1000;
      await settled();
    }
    expect(gateway.failures).toBeLessThan(BAN_AFTER);
    expect(gateway.failures).toBeGreaterThan(2);
    expect(await send('', 401)).toBe(429);
  });

  test('with a key that was just changed there too', async () => {
    const { send, gateway, useSavedKey, pass } = await rig();
    useSavedKey();
    gateway.savedKeyIsRight = false;
    for (let count = 0; count < 50; count += 1) {
      const sent = send(`wrong-${count % 2 === 0 ? '' : count}`, 401);
      await pass(1000);
      await sent;
      useSavedKey();
    }
    expect(gateway.banned).toBe(false);
  });

  test('callers hear that it takes longer', async () => {
    const { enter, useSavedKey } = await rig({ savedKeyIsRight: false });
    for (let count = 0; count < 3; count += 1) useSavedKey();
    expect(await enter('')).toEqual({ retryAfterSeconds: 60 });
  });
});
