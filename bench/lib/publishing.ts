import { Database } from 'bun:sqlite';
import { until } from '@manager/core/testing/until';
import { type EventAccount, type EventGenerator, type GeneratedEvent, makeEvents } from '@manager/simulator';
import { clientKeys, trafficAccounts } from '../../test/support/traffic.ts';
import type { DataFolder } from '../dataset/database.ts';
import type { Gateway } from './processes.ts';

/**
 * Publishes events and observes from outside when they are committed: another process reads the counter of stored events every
 * few milliseconds. Events are committed in publishing order, so the nth one is stored once the counter has grown by n.
 */
export interface Publishing {
  /** Milliseconds from publishing to the first poll that saw the event committed. */
  readonly latencies: readonly number[];
  /** Published and not yet committed, at every poll. */
  readonly uncommitted: readonly number[];
  /** Times (`performance.now`) at which the counter had grown. */
  readonly commits: readonly number[];
  /** Ends the traffic and waits until every event that the gateway did not drop is stored; returns how many it dropped. */
  finish(): Promise<number>;
}

const POLL_MS = 2;
/** Half of what a gateway buffers for a slow subscriber before it drops it. */
const MAX_AT_ONCE = 128;
const PATIENCE_MS = 120_000;

export interface PublishOptions {
  readonly gateway: Gateway;
  readonly data: DataFolder;
  /** Events per second. */
  readonly rate: number;
  /** Default: until `finish`. */
  readonly total?: number;
  /** Uncommitted events at which publishing waits. */
  readonly window?: number;
  /** At least `total` events. Default: current traffic of all accounts. */
  readonly events?: Iterator<GeneratedEvent>;
}

export function startPublishing(options: PublishOptions): Publishing {
  const { gateway, data, rate, window = Number.POSITIVE_INFINITY, events = liveEvents() } = options;
  const db = new Database(data.path, { readonly: true });
  const stored = db.query<{ value: number }, []>("SELECT value FROM counters WHERE name = 'events'");
  const base = stored.get()?.value ?? 0;
  const droppedBefore = gateway.deliveries().dropped;
  const latencies: number[] = [];
  const uncommitted: number[] = [];
  const commits: number[] = [];
  const publishedAtMs: number[] = [];
  const startedMs = performance.now();
  let total = options.total ?? Number.POSITIVE_INFINITY;
  let seen = 0;

  function poll(): void {
    const nowMs = performance.now();
    const committed = (stored.get()?.value ?? 0) - base;
    if (committed > seen) commits.push(nowMs);
    for (; seen < committed; seen += 1) latencies.push(nowMs - (publishedAtMs[seen] ?? nowMs));
    const due = Math.min(Math.ceil(((nowMs - startedMs) / 1000) * rate), total, seen + window);
    for (let count = 0; count < MAX_AT_ONCE && publishedAtMs.length < due; count++) {
      publishedAtMs.push(performance.now());
      void gateway.publish(events.next().value as GeneratedEvent);
    }
    uncommitted.push(publishedAtMs.length - seen);
  }

  const timer = setInterval(poll, POLL_MS);
  return {
    latencies,
    uncommitted,
    commits,
    async finish() {
      if (options.total === undefined) total = publishedAtMs.length;
      const dropped = () => gateway.deliveries().dropped - droppedBefore;
      await until(() => publishedAtMs.length >= total && seen + dropped() >= total, 'the last commit', PATIENCE_MS);
      clearInterval(timer);
      db.close();
      return dropped();
    },
  };
}

let nextSeed = 1;

/** Endless events that this process has not published before, without duplicates. */
export function liveEvents(
  accounts: readonly EventAccount[] = trafficAccounts(),
  now: () => number = Date.now,
): EventGenerator {
  const seed = nextSeed++;
  return makeEvents({ seed, accounts: [...accounts], clientKeys: clientKeys(), numberFrom: seed * 1_000_000, now });
}
