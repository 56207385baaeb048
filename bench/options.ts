import { parseArgs } from 'node:util';

/** Durations and repetitions. */
export interface Plan {
  readonly events: number;
  /** Events of the database of `queries-large`. */
  readonly largeEvents: number;
  readonly ingestSeconds: number;
  readonly bareSeconds: number;
  /** Events published at once, to measure the storing rate. */
  readonly burstEvents: number;
  /** Events at a rate far below the limit. */
  readonly steadySeconds: number;
  readonly idleSeconds: number;
  readonly starts: number;
  readonly proxySeconds: number;
  /** Every question is asked at least once, however long that takes. */
  readonly querySeconds: number;
  /** Refreshes of every question. */
  readonly queryPolls: number;
  readonly busySeconds: number;
  /** Loads of a page in a browser. */
  readonly pageLoads: number;
}

export interface BenchOptions {
  readonly plan: Plan;
  /** Names of measures; null = those of the size. */
  readonly only: readonly string[] | null;
  /** Folder of another clone to measure alternately with this one. */
  readonly baseline: string | null;
  readonly rounds: number;
  /** Write the figures into bench/README.md. */
  readonly write: boolean;
  /** Rebuild the databases. */
  readonly fresh: boolean;
  /** Only list the measures. */
  readonly list: boolean;
}

/** Runs of at least this size are full runs. */
const FULL_EVENTS = 1_000_000;

const SMALL: Omit<Plan, 'events' | 'largeEvents' | 'ingestSeconds'> = {
  bareSeconds: 3,
  burstEvents: 10_000,
  steadySeconds: 3,
  idleSeconds: 10,
  starts: 3,
  proxySeconds: 2,
  querySeconds: 10,
  queryPolls: 2,
  busySeconds: 5,
  pageLoads: 3,
};

const FULL: typeof SMALL = {
  bareSeconds: 30,
  burstEvents: 60_000,
  steadySeconds: 15,
  idleSeconds: 60,
  starts: 7,
  proxySeconds: 5,
  querySeconds: 120,
  queryPolls: 3,
  busySeconds: 20,
  pageLoads: 7,
};

export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '100_000' },
      large: { type: 'string', default: '10_000_000' },
      only: { type: 'string' },
      'ingest-seconds': { type: 'string' },
      baseline: { type: 'string' },
      rounds: { type: 'string' },
      write: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  const events = positive('--events', values.events);
  const full = events >= FULL_EVENTS;
  if (values.write && !full) throw new Error(`--write: the README shows full runs, --events ${FULL_EVENTS} or more`);
  return {
    plan: {
      ...(full ? FULL : SMALL),
      events,
      largeEvents: positive('--large', values.large),
      ingestSeconds: positive('--ingest-seconds', values['ingest-seconds'] ?? (full ? '300' : '6')),
    },
    only: values.only?.split(',').map((name) => name.trim()) ?? null,
    baseline: values.baseline ?? null,
    rounds: positive('--rounds', values.rounds ?? (values.baseline === undefined ? '1' : '3')),
    write: values.write,
    fresh: values.fresh,
    list: values.list,
  };
}

export function isFull({ events }: Plan): boolean {
  return events >= FULL_EVENTS;
}

function positive(name: string, text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isInteger(value) || value <= 0) throw new Error(`${name}: a whole number above 0 expected`);
  return value;
}
