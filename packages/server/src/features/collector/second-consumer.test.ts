import { expect, setDefaultTimeout, test } from 'bun:test';
import { makeAccounts, type ProfileAlias } from '@manager/simulator';
import type { CollectorMode } from '../../platform/config/config.ts';
import { besideSecondConsumer } from './testing/second-consumer.ts';

// Time passes 15 times faster than in reality, so a busy machine delays readings, but changes no sum: how soon the alarm comes is
// tested in real time, in `test/faults`.
setDefaultTimeout(300_000);

/** Configured keys have no counters in the list of auth files. */
const ACCOUNTS = makeAccounts(12).filter(({ fileName }) => fileName !== '');
const CODEX = ACCOUNTS.filter(({ provider }) => provider === 'codex').slice(0, 1);

/** Every share in every mode; else each in one, and the first mode with pops and with a subscriber. */
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const SHARES = ['all', 0.5, 0.25] as const;

const BASE = { rate: 2, minutesBefore: 2, minutes: 3, minutesAfter: 10, speed: 15 };

interface Mode {
  readonly mode: CollectorMode;
  readonly profile?: ProfileAlias;
  readonly all: 'subscriber' | 'pops';
  readonly shares: readonly (typeof SHARES)[number][];
}

/** `auto` polls where the gateway has no subscriptions. */
const MODES: readonly Mode[] = [
  { mode: 'http', all: 'subscriber', shares: FULL ? SHARES : ['all', 0.5] },
  { mode: 'resp', all: 'subscriber', shares: FULL ? SHARES : [0.5] },
  { mode: 'auto', profile: 'v6.10.8', all: 'pops', shares: FULL ? SHARES : [0.25] },
];

type Run = Parameters<typeof besideSecondConsumer>[0];

/** They mostly wait, so that some can run at once. */
const runAll = (runs: readonly Omit<Run, keyof typeof BASE>[]) =>
  Promise.all(runs.map((run) => besideSecondConsumer({ ...BASE, ...run })));

test.each(MODES)('mode $mode: a second consumer that takes $shares is a gap', async ({ all, shares, ...mode }) => {
  const runs = await runAll(
    shares.map((share) => ({
      ...mode,
      accounts: ACCOUNTS,
      ...(share === 'all' ? { share: 1, by: all } : { share, by: 'pops' as const }),
    })),
  );
  for (const { gaps, taken } of runs) {
    const lost = gaps.reduce((sum, gap) => sum + (gap.lost ?? 0), 0);
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.every(({ toMs }) => toMs !== null)).toBe(true);
    // A reading in order may miss a few events.
    expect(gaps[0]?.fromMs).toBeLessThan(60_000);
    expect(gaps.at(-1)?.toMs).toBeGreaterThan(-60_000);
    expect(Math.abs(lost - taken)).toBeLessThanOrEqual(taken / 10);
  }
});

test('a second subscriber takes nothing from a manager that subscribes, and silent successes are no loss', async () => {
  const silent = { mode: 'http', share: 0, by: 'pops' } as const;
  const [subscribed, ...others] = await runAll([
    { mode: 'subscribe', accounts: ACCOUNTS, share: 1, by: 'subscriber' },
    { ...silent, accounts: ACCOUNTS, silentShare: 0.3 },
    { ...silent, accounts: CODEX, silentShare: 0.5 },
    { ...silent, accounts: CODEX, silentShare: 1 },
  ]);
  expect(subscribed?.taken).toBeGreaterThan(300);
  expect(subscribed).toMatchObject({ alarmAfterMs: null, gaps: [] });
  for (const run of others) expect(run).toMatchObject({ taken: 0, alarmAfterMs: null, gaps: [] });
});
