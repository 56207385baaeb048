import { parseArgs } from 'node:util';

/** How long and how often things are measured; derived from the size. */
export interface Plan {
  readonly events: number;
  readonly ingestSeconds: number;
  readonly bareSeconds: number;
  /** Search of the highest rate over a transport: length of a trial, first rate, factor from trial to trial. */
  readonly trialSeconds: number;
  readonly firstRate: number;
  readonly rateFactor: number;
  /** At a rate that is far from the limit. */
  readonly steadySeconds: number;
  readonly idleSeconds: number;
  readonly proxyRounds: number;
  readonly proxySeconds: number;
  readonly warmRuns: number;
  readonly starts: number;
  readonly runtimeSeconds: number;
  /** Every question is asked at least once, however long that takes. */
  readonly querySeconds: number;
  /** Refreshes of every question. */
  readonly queryPolls: number;
  readonly parallelSeconds: number;
  readonly collectingSeconds: number;
  /** How long the heaviest question is asked over and over. */
  readonly heaviestSeconds: number;
  /** Events of the largest databases (`facts`, `queries-large`). */
  readonly facts: number;
}

export interface BenchOptions {
  readonly plan: Plan;
  /** Names of measures; null = those of the size. */
  readonly only: readonly string[] | null;
  /** Write the figures into bench/README.md. */
  readonly write: boolean;
  /** Build the database anew even when there is one. */
  readonly fresh: boolean;
}

/** From this size on a run is a full one. */
const FULL_EVENTS = 1_000_000;

const SMALL: Omit<Plan, 'events' | 'facts'> = {
  ingestSeconds: 6,
  bareSeconds: 3,
  trialSeconds: 1.5,
  firstRate: 3_000,
  rateFactor: 1.5,
  steadySeconds: 3,
  idleSeconds: 4,
  proxyRounds: 2,
  proxySeconds: 2,
  warmRuns: 10,
  starts: 3,
  runtimeSeconds: 5,
  querySeconds: 10,
  queryPolls: 2,
  parallelSeconds: 6,
  collectingSeconds: 10,
  heaviestSeconds: 5,
};

const FULL: Omit<Plan, 'events' | 'facts'> = {
  ingestSeconds: 300,
  bareSeconds: 30,
  trialSeconds: 6,
  firstRate: 3_000,
  rateFactor: 1.2,
  steadySeconds: 15,
  idleSeconds: 60,
  proxyRounds: 4,
  proxySeconds: 5,
  warmRuns: 20,
  starts: 7,
  runtimeSeconds: 20,
  querySeconds: 120,
  queryPolls: 3,
  parallelSeconds: 45,
  collectingSeconds: 45,
  heaviestSeconds: 20,
};

export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '100000' },
      facts: { type: 'string', default: '10000000' },
      only: { type: 'string' },
      'ingest-seconds': { type: 'string' },
      write: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
    },
  });
  const events = positive('--events', values.events);
  const sized = events >= FULL_EVENTS ? FULL : SMALL;
  const seconds = values['ingest-seconds'];
  return {
    plan: {
      ...sized,
      events,
      facts: positive('--facts', values.facts),
      ...(seconds === undefined ? {} : { ingestSeconds: positive('--ingest-seconds', seconds) }),
    },
    only: values.only === undefined ? null : values.only.split(',').map((name) => name.trim()),
    write: values.write,
    fresh: values.fresh,
  };
}

export function isFull(plan: Plan): boolean {
  return plan.events >= FULL_EVENTS;
}

function positive(name: string, text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isInteger(value) || value <= 0) throw new Error(`${name}: a whole number above 0 expected`);
  return value;
}
