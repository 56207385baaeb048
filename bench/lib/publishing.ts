import { Database } from 'bun:sqlite';
import { type EventAccount, type EventGenerator, type GeneratedEvent, makeEvents } from '@manager/simulator';
import { clientKeys, trafficAccounts } from '../../test/support/traffic.ts';
import type { DataFolder } from '../dataset/database.ts';
import type { Gateway } from './processes.ts';

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
  /** Ends the traffic and waits until everything is stored. */
  finish(): Promise<void>;
}

const LOOK_EVERY_MS = 2;
const PATIENCE_MS = 60_000;

export interface PublishOptions {
  readonly gateway: Gateway;
  readonly data: DataFolder;
  readonly rate: number;
  /** Default: until `finish`. */
  readonly total?: number;
  /** Default: traffic of all accounts, now. */
  readonly events?: Iterator<GeneratedEvent, undefined>;
}

export function startPublishing({ gateway, data, rate, total, events = liveEvents() }: PublishOptions): Publishing {
  const db = new Database(data.path, { readonly: true });
  const stored = db.query<{ value: number }, []>("SELECT value FROM counters WHERE name = 'events'");
  const base = stored.get()?.value ?? 0;
  const latencies: number[] = [];
  const uncommitted: number[] = [];
  const commits: number[] = [];
  const publishedAtMs: number[] = [];
  let seen = 0;
  const traffic = gateway.startTraffic({
    rate,
    ...(total === undefined ? {} : { total }),
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
    async finish() {
      if (total === undefined) traffic.stop();
      await traffic.done;
      const deadlineMs = performance.now() + PATIENCE_MS;
      while (seen < traffic.sent() && performance.now() < deadlineMs) await Bun.sleep(5);
      clearInterval(timer);
      db.close();
      if (seen < traffic.sent())
        throw new Error(`${traffic.sent() - seen} of ${traffic.sent()} events were not stored`);
    },
  };
}

let nextSeed = 1;

/** Endless events that were never published before in this process: no two are the same request. */
export function liveEvents(
  accounts: readonly EventAccount[] = trafficAccounts(),
  now: () => number = Date.now,
): EventGenerator {
  const seed = nextSeed++;
  return makeEvents({ seed, accounts: [...accounts], clientKeys: clientKeys(), numberFrom: seed * 1_000_000, now });
}
