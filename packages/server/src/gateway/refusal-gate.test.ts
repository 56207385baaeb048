import { describe, expect, test } from 'bun:test';
import { createKeyRefusalGate, KEY_REFUSALS_SETTING, type RefusalGateDeps } from './refusal-gate.ts';
import type { KeyRefusalGate } from './types.ts';

const HOUR_MS = 3_600_000;
const connection = { baseUrl: 'http://gateway:8317', managementKey: 'sim-wrong-key' };

function rig() {
  const rows = new Map<string, string>();
  const clock = { nowMs: 1_000_000 };
  const open = (more: Pick<RefusalGateDeps, 'forbidden'> = {}) =>
    createKeyRefusalGate({
      ...more,
      now: () => clock.nowMs,
      readSetting: async (key) => rows.get(key) ?? null,
      writeSetting: async (key, value) => {
        rows.set(key, value);
      },
    });
  return { rows, clock, open };
}

function attempt(
  gate: KeyRefusalGate,
  outcome: 'accepted' | 'refused' | 'unknown',
  explicit = false,
  detail = 'invalid management key',
): boolean {
  const permit = gate.enter(connection, { explicit });
  if (permit.open) permit.report(outcome, detail);
  return permit.open;
}

test('a refused key has three tries, then one per three hours', async () => {
  const { clock, open } = rig();
  const gate = await open();
  expect([1, 2, 3, 4, 5].map(() => attempt(gate, 'refused'))).toEqual([true, true, true, false, false]);
  expect(gate.snapshot()).toEqual({
    reason: 'key_rejected',
    tries: 3,
    lastAtMs: clock.nowMs,
    nextTryAtMs: clock.nowMs + 3 * HOUR_MS,
  });
  clock.nowMs += 3 * HOUR_MS - 1;
  expect(attempt(gate, 'refused')).toBe(false);
  clock.nowMs += 1;
  expect([1, 2].map(() => attempt(gate, 'refused'))).toEqual([true, false]);
});

test('concurrent requests cannot pass the limit together', async () => {
  const gate = await rig().open();
  const permits = [1, 2, 3, 4].map(() => gate.enter(connection));
  expect(permits.map((permit) => permit.open)).toEqual([true, true, true, false]);
  for (const permit of permits) if (permit.open) permit.report('unknown');
  expect(attempt(gate, 'unknown')).toBe(true);
  expect(gate.snapshot()).toBeNull();
});

test('an accepted key has no limit of parallel calls, also after a restart', async () => {
  const { open } = rig();
  const first = await open();
  attempt(first, 'accepted');
  await first.saved();
  for (const gate of [first, await open()]) {
    expect(Array.from({ length: 20 }, () => gate.enter(connection).open)).not.toContain(false);
  }
});

test('a key that must not be sent never is, unless the gateway accepts it', async () => {
  const { open, clock } = rig();
  let isForbidden = false;
  const forbidden = () => (isForbidden ? 'this is another key' : null);
  const used = await open();
  attempt(used, 'accepted');
  await used.saved();
  isForbidden = true;
  expect(attempt(await open({ forbidden }), 'accepted')).toBe(true);

  const gate = await rig().open({ forbidden });
  for (const explicit of [false, true]) {
    const permit = gate.enter(connection, { explicit });
    expect(permit).toMatchObject({ open: false, detail: 'this is another key', refused: { tries: 0 } });
  }
  expect(gate.snapshot()?.nextTryAtMs).toBeGreaterThan(clock.nowMs + HOUR_MS);
});

test('a restart with the refused key makes one try', async () => {
  const { open } = rig();
  const first = await open();
  for (let count = 0; count < 3; count += 1) attempt(first, 'refused');
  await first.saved();
  const second = await open();
  expect([1, 2].map(() => attempt(second, 'refused'))).toEqual([true, false]);
  expect(second.snapshot()?.tries).toBe(4);
});

describe('a save', () => {
  const MINUTE_MS = 60_000;

  test('sends a rejected pair again only after ten minutes, and its success opens the gate', async () => {
    const { clock, open } = rig();
    const gate = await open();
    for (let count = 0; count < 3; count += 1) attempt(gate, 'refused');
    expect(gate.enter(connection, { explicit: true })).toMatchObject({
      open: false,
      refused: { reason: 'key_rejected', tries: 3, nextTryAtMs: clock.nowMs + 10 * MINUTE_MS },
    });
    clock.nowMs += 10 * MINUTE_MS - 1;
    expect(attempt(gate, 'accepted', true)).toBe(false);
    clock.nowMs += 1;
    expect(attempt(gate, 'accepted', true)).toBe(true);
    expect(gate.snapshot()).toBeNull();
    expect(attempt(gate, 'accepted')).toBe(true);
  });

  test('of another pair is sent at once; the tries are those of the gateway, over restarts', async () => {
    const { open } = rig();
    let gate = await open();
    const save = (managementKey: string, outcome: 'accepted' | 'refused') => {
      const permit = gate.enter({ ...connection, managementKey }, { explicit: true });
      if (permit.open) permit.report(outcome, 'invalid management key');
      return [permit.open, gate.triesLeft(connection)];
    };
    expect(gate.triesLeft(connection)).toBe(5);
    expect(save('one', 'refused')).toEqual([true, 4]);
    expect(save('two', 'refused')).toEqual([true, 3]);
    expect(save('one', 'refused')).toEqual([false, 3]);
    await gate.saved();
    gate = await open();
    expect(save('two', 'refused')).toEqual([false, 3]);
    expect(gate.triesLeft({ ...connection, baseUrl: 'http://other:8317' })).toBe(5);
    expect(save('three', 'accepted')).toEqual([true, 5]);
    expect(save('four', 'refused')).toEqual([true, 4]);
  });

  test('never causes the ban with a key that was rejected before', async () => {
    const { clock, open } = rig();
    const gate = await open();
    let sent = 0;
    for (let minute = 0; minute < 170; minute += 1) {
      if (attempt(gate, 'refused', true)) sent += 1;
      clock.nowMs += MINUTE_MS;
    }
    expect(sent).toBe(4);
    expect(gate.triesLeft(connection)).toBe(1);
  });

  test('waits for nothing where the key is not at fault', async () => {
    const gate = await rig().open();
    for (const detail of ['remote management disabled', 'remote management key not set', 'IP banned']) {
      expect(attempt(gate, 'refused', true, detail)).toBe(true);
    }
    expect(gate.triesLeft(connection)).toBe(5);
  });

  test('what was sent already always counts', async () => {
    const gate = await rig().open();
    attempt(gate, 'refused');
    const permit = gate.enter(connection, { sent: true });
    if (permit.open) permit.report('refused', 'invalid management key');
    expect(gate.snapshot()?.tries).toBe(2);
  });
});

test('another key has its own tries, and does not reset those of the first', async () => {
  const gate = await rig().open();
  for (let count = 0; count < 3; count += 1) attempt(gate, 'refused');
  const other = gate.enter({ ...connection, managementKey: 'sim-right-key' });
  expect(other.open).toBe(true);
  if (other.open) other.report('accepted');
  expect(gate.snapshot()).toBeNull();
  expect(attempt(gate, 'refused')).toBe(false);
});

test('refused keys of callers with our address leave fewer tries, for three hours', async () => {
  const { clock, open } = rig();
  const gate = await open();
  gate.row.refused();
  gate.row.refused();
  expect([1, 2, 3].map(() => attempt(gate, 'refused'))).toEqual([true, true, false]);
  expect(gate.snapshot()?.nextTryAtMs).toBe(clock.nowMs + 3 * HOUR_MS);
  clock.nowMs += 3 * HOUR_MS;
  expect(attempt(gate, 'accepted')).toBe(true);
  expect(gate.row.count()).toBe(0);
});

test('a call forgives only the refusals from before it', async () => {
  const gate = await rig().open();
  gate.row.refused();
  const permit = gate.enter(connection);
  gate.row.refused();
  if (permit.open) permit.report('accepted');
  expect(gate.row.count()).toBe(1);
});

test('the stored row contains no key and no URL', async () => {
  const { rows, open } = rig();
  const gate = await open();
  attempt(gate, 'refused');
  await gate.saved();
  const stored = rows.get(KEY_REFUSALS_SETTING) ?? '';
  expect(stored).toContain('"tries":1');
  expect(stored).not.toContain('sim-wrong-key');
  expect(stored).not.toContain('gateway');
});

test('an unreadable row is ignored', async () => {
  const { rows, open } = rig();
  rows.set(KEY_REFUSALS_SETTING, '{"salt":');
  const gate = await open();
  expect(attempt(gate, 'unknown')).toBe(true);
});

test('a second report of one permit is ignored', async () => {
  const gate = await rig().open();
  const permit = gate.enter(connection);
  if (permit.open) {
    permit.report('refused');
    permit.report('refused');
  }
  expect(gate.snapshot()?.tries).toBe(1);
});

describe('a refusal that is not the fault of the key', () => {
  const BAN = 'IP banned due to too many failed attempts. Try again in 12m30s: wait until the ban ends (403)';
  const CAUSES = [
    ['remote management disabled: set remote-management.allow-remote to true', 'remote_disabled', 60_000, 'every 60 s'],
    ['remote management key not set: set remote-management.secret-key', 'key_not_set', 60_000, 'every 60 s'],
    [BAN, 'address_banned', 755_000, 'until the ban ends'],
    ['IP banned', 'address_banned', 60_000, 'until the ban ends'],
  ] as const;

  test.each(CAUSES)('%s: %s, one try after %d ms, and any number of them', async (detail, reason, waitMs, words) => {
    const { clock, open } = rig();
    const gate = await open();
    for (let tries = 1; tries <= 12; tries += 1) {
      expect(attempt(gate, 'refused', false, detail)).toBe(true);
      expect(gate.snapshot()).toEqual({
        reason,
        tries,
        lastAtMs: clock.nowMs,
        nextTryAtMs: clock.nowMs + waitMs,
      });
      clock.nowMs += waitMs - 1;
      const shut = gate.enter(connection);
      expect(shut.open ? '' : shut.detail).toContain(words);
      clock.nowMs += 1;
      // Two at once are still one try.
      const permit = gate.enter(connection);
      expect([permit.open, gate.enter(connection).open]).toEqual([true, false]);
      if (permit.open) permit.report('unknown');
    }
    expect(attempt(gate, 'accepted')).toBe(true);
    expect(gate.snapshot()).toBeNull();
  });

  test.each(CAUSES)(
    '%s: uses up no try of the key, nor of callers with our address',
    async (detail, _reason, waitMs) => {
      const { clock, open } = rig();
      const gate = await open();
      for (let tries = 0; tries < 5; tries += 1) {
        attempt(gate, 'refused', false, detail);
        clock.nowMs += waitMs;
      }
      expect(gate.ownRefusals()).toEqual({ counted: 0, possible: 3 });
      expect([1, 2, 3, 4].map(() => attempt(gate, 'refused'))).toEqual([true, true, true, false]);
    },
  );

  test.each(CAUSES)('%s: a restart tries at once', async (detail, reason) => {
    const { open } = rig();
    const first = await open();
    attempt(first, 'refused', false, detail);
    expect(attempt(first, 'unknown')).toBe(false);
    await first.saved();
    const second = await open();
    expect([1, 2].map(() => attempt(second, 'refused', false, detail))).toEqual([true, false]);
    expect(second.snapshot()).toMatchObject({ reason, tries: 2 });
  });

  test('after it, a wrong key has the tries that it had', async () => {
    const { clock, open } = rig();
    const gate = await open();
    expect([1, 2].map(() => attempt(gate, 'refused'))).toEqual([true, true]);
    attempt(gate, 'refused', false, 'remote management disabled');
    clock.nowMs += 60_000;
    expect([1, 2].map(() => attempt(gate, 'refused'))).toEqual([true, false]);
    expect(gate.snapshot()).toMatchObject({ reason: 'key_rejected', nextTryAtMs: clock.nowMs + 3 * HOUR_MS });
  });

  test('a clock that is set back does not shut the gate for longer', async () => {
    const { clock, open } = rig();
    const gate = await open();
    attempt(gate, 'refused', false, 'remote management disabled');
    clock.nowMs -= 24 * HOUR_MS;
    expect(attempt(gate, 'accepted')).toBe(true);
  });

  test('saving the connection again does not wait', async () => {
    const gate = await rig().open();
    attempt(gate, 'refused', false, BAN);
    expect(attempt(gate, 'accepted', true)).toBe(true);
    expect(gate.snapshot()).toBeNull();
  });

  test('a row of an earlier version is read with its cause', async () => {
    const { rows, clock, open } = rig();
    const first = await open();
    attempt(first, 'refused', false, 'remote management disabled');
    await first.saved();
    const row = JSON.parse(rows.get(KEY_REFUSALS_SETTING) ?? '');
    for (const entry of row.entries) {
      delete entry.counted;
      entry.tries = 3;
    }
    rows.set(KEY_REFUSALS_SETTING, JSON.stringify(row));
    const second = await open();
    expect(attempt(second, 'refused', false, 'remote management disabled')).toBe(true);
    clock.nowMs += 60_000;
    expect(attempt(second, 'accepted')).toBe(true);
  });
});
