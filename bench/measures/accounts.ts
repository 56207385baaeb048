import { emptyDataFolder } from '../dataset/database.ts';
import type { AccountsRound, AccountsWriteResult } from '../drivers/write-with-accounts.ts';
import { runChild } from '../lib/children.ts';
import { type Figure, median } from '../lib/figures.ts';
import { isFull } from '../options.ts';
import type { Measure } from './measure.ts';

const ROUNDS = 3;

/** What the account automation adds to ingest when every answer tells of quota windows: 500 Codex accounts. */
export const measureAccounts: Measure = async ({ plan }) => {
  const data = emptyDataFolder();
  try {
    const events = isFull(plan) ? 20_000 : 8_000;
    const result = await runChild<AccountsWriteResult>('drivers/write-with-accounts.ts', {
      path: data.path,
      events,
      rounds: ROUNDS,
    });
    const of = (value: (round: AccountsRound) => number) => median(result.rounds.map(value));
    const figure = (name: string, value: number, unit: string): Figure => ({ name, value, unit });
    return {
      figures: [
        figure(
          'ingest without the automation',
          of(({ plainPerSecond }) => plainPerSecond),
          'events/s',
        ),
        figure(
          'ingest with the automation behind it',
          of(({ bothPerSecond }) => bothPerSecond),
          'events/s',
        ),
        {
          ...figure(
            'its share of the rate without',
            of((round) => round.bothPerSecond / round.plainPerSecond),
            '',
          ),
          note: `behind by ${Math.max(...result.rounds.map(({ behind }) => behind)).toLocaleString('en')} events at most`,
        },
        figure(
          'the automation alone',
          of(({ alonePerSecond }) => alonePerSecond),
          'events/s',
        ),
        figure(
          'its processor time',
          of(({ aloneCpuUs }) => aloneCpuUs),
          'µs/event',
        ),
        figure(
          'processor time without it, with making the events',
          of(({ plainCpuUs }) => plainCpuUs),
          'µs/event',
        ),
        figure(
          'processor time with it',
          of(({ bothCpuUs }) => bothCpuUs),
          'µs/event',
        ),
        {
          ...figure('tables of the accounts', result.bytes, 'B/event'),
          note: `${result.quotaRows.toLocaleString('en')} rows of windows from ${(2 * ROUNDS * events).toLocaleString('en')} events`,
        },
      ],
      details: result,
    };
  } finally {
    data.remove();
  }
};
