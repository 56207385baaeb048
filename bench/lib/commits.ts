import { Database } from 'bun:sqlite';
import { type EventGenerator, type GeneratedEvent, makeEvents, type Simulator } from '@manager/simulator';
import { benchAccounts, clientKeys } from '../dataset/events.ts';

/**
 * Publishes events and sees them committed, from outside: another process reads the counter of stored events every few
 * milliseconds. Events are committed in the order in which they were published, so the nth one is stored once the counter
 * has grown by n.
 */
export interface Publishing {
  /** Milliseconds from publishing to the first look that saw the event committed. */
  readonly latencies: readonly number[];
  /** Published and not yet committed, at every look. */
  readonly uncommitted: readonly number[];
  /** Instants (of `performance.now`) at which more was seen to be stored. */
  readonly commits: readonly number[];
  sent(): number;
  committed(): number;
  /** Ends the traffic and waits until everything is stored; false when that takes too long. */
  finish(patienceMs: number): Promise<boolean>;
}

const LOOK_EVERY_MS = 2;

export interface PublishOptions {
  readonly simulator: Simulator;
  readonly databasePath: string;
  readonly rate: number;
  readonly total?: number;
  readonly seed: number;
  /** Made before the clock starts, so that making them takes nothing from the manager. */
  readonly prepared?: readonly GeneratedEvent[];
  /** Clock of the events; default: that of the machine. */
  readonly now?: () => number;
}

export function startPublishing(options: PublishOptions): Publishing {
  const db = new Database(options.databasePath, { readonly: true });
  const stored = db.query<{ value: number }, []>("SELECT value FROM counters WHERE name = 'events'");
  const base = stored.get()?.value ?? 0;
  const latencies: number[] = [];
  const uncommitted: number[] = [];
  const commits: number[] = [];
  const publishedAtMs: number[] = [];
  let seen = 0;
  const events = options.prepared?.values() ?? liveEvents(options.seed, options.now);
  const traffic = options.simulator.startTraffic({
    rate: options.rate,
    ...(options.total === undefined ? {} : { total: options.total }),
    events: {
      next() {
        publishedAtMs.push(performance.now());
        return events.next();
      },
    },
  });
  const look = () => {
    const nowMs = performance.now();
    const committed = Math.min((stored.get()?.value ?? 0) - base, traffic.sent());
    if (committed > seen) commits.push(nowMs);
    for (; seen < committed; seen += 1) latencies.push(nowMs - (publishedAtMs[seen] ?? nowMs));
    uncommitted.push(traffic.sent() - committed);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    latencies,
    uncommitted,
    commits,
    sent: traffic.sent,
    committed: () => seen,
    async finish(patienceMs) {
      if (options.total === undefined) traffic.stop();
      await traffic.done;
      const deadlineMs = performance.now() + patienceMs;
      while (seen < traffic.sent() && performance.now() < deadlineMs) await Bun.sleep(5);
      clearInterval(timer);
      db.close();
      return seen >= traffic.sent();
    },
  };
}

/** Numbered, so that no two are the same request. */
export function liveEvents(seed: number, now: () => number = Date.now): EventGenerator {
  return makeEvents({ seed, accounts: benchAccounts(), clientKeys: clientKeys(), numberFrom: seed * 1_000_000, now });
}
