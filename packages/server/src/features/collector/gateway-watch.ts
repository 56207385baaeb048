import type { AuthFileList } from '../../gateway/auth-file-list.ts';
import { effectiveRetentionMs } from '../../gateway/config-answer.ts';
import type { ManagementClient } from '../../gateway/management-client.ts';
import type { GatewayConnection } from '../../platform/config/config.ts';
import { addReceived, type Received } from './answer-sums.ts';
import type { GapKeeper } from './gap-keeper.ts';
import type { CollectorLogger } from './ports.ts';
import { createReadingPace } from './reading-pace.ts';
import { createStarvation, type StarvedReason, type TakenEvents } from './starvation.ts';
import type { CollectorTiming } from './timing.ts';
import { createSignal, pause } from './wait.ts';

/** Time limit well below the retention, which the reading is needed for. */
const CONFIG_TIMEOUT_MS = 5_000;
/** After a reconnect the configuration is read again, but at most this often. */
const MIN_CONFIG_INTERVAL_MS = 30_000;

export type VisibleStarvedReason = 'publishing_off' | StarvedReason;

/** Watches what the gateway reports about itself: publishing switch, retention, request counters. */
export interface GatewayWatch {
  /** Reads at once and then at every interval, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** After a reconnect the gateway may have another configuration. */
  reconnected(): void;
  /** Someone changed the configuration through the manager. */
  configurationChanged(): void;
  /** An event arrived: clients are active. */
  eventArrived(): void;
  /** Events were not received for longer than the retention: the counters cannot be compared over that time. */
  away(): void;
  starvedReason(): VisibleStarvedReason | null;
}

export interface GatewayWatchDeps {
  readonly management: ManagementClient;
  readonly connection: GatewayConnection;
  readonly tlsSkipVerify: boolean;
  readonly pollIntervalMs: number;
  readonly gaps: GapKeeper;
  readonly now: () => number;
  readonly timing: CollectorTiming;
  readonly logger: CollectorLogger;
  /** Whether received events are stored at once, so that counters may be compared. */
  readonly collecting: () => boolean;
  /** Waits until what was published before this time is stored; false = it is not, so that counters cannot be compared. */
  readonly settled: (publishedUntilMs: number, signal: AbortSignal) => Promise<boolean>;
  readonly takeReceived: () => Received;
  readonly onRetention: (retentionMs: number | null) => void;
  readonly restored: StarvedReason | null;
}

export function createGatewayWatch(deps: GatewayWatchDeps): GatewayWatch {
  const { gaps, now, logger } = deps;
  const starvedSince = gaps.openSince('starved');
  const starvation = createStarvation(
    starvedSince === null ? null : { reason: deps.restored ?? 'no_events', sinceMs: starvedSince },
  );
  let publishing: boolean | null = gaps.openSince('publishing_off') === null ? null : false;
  let lastSeenTrueMs: number | null = null;
  /** Events missing while publishing was off, as far as readings show. */
  let lostWhileOff: number | null = null;
  let configReadAtMs: number | null = null;
  let warnedPoll = false;
  let listReadAtMs: number | null = null;
  /** Since the last reading, and before the request of the next list. */
  let receivedBefore: Received = new Map();
  const pace = createReadingPace(deps.timing);
  const awake = createSignal();
  let running: AbortSignal | null = null;
  /** When the configuration was asked for whose answer counts. */
  let seenAskedAtMs = 0;

  async function readConfig(): Promise<void> {
    const askedAtMs = now();
    configReadAtMs = askedAtMs;
    try {
      const config = await deps.management.readConfig(deps.connection, {
        timeoutMs: CONFIG_TIMEOUT_MS,
        tlsSkipVerify: deps.tlsSkipVerify,
      });
      const retentionMs = effectiveRetentionMs(config.retentionSeconds);
      deps.onRetention(retentionMs);
      if (deps.pollIntervalMs > retentionMs && !warnedPoll) {
        warnedPoll = true;
        logger.warn(
          `the poll interval (${deps.pollIntervalMs} ms) is longer than the gateway keeps events (${retentionMs} ms), so events are lost; lower pollIntervalMs`,
        );
      }
      seePublishing(config.usageStatisticsEnabled, askedAtMs);
    } catch {
      // Unreachable or refused: the collector reports that itself.
      deps.onRetention(null);
    }
  }

  function seePublishing(enabled: boolean | null, askedAtMs: number): void {
    // Answers may overtake each other, and the clock may be set back.
    if (enabled === null || (askedAtMs < seenAskedAtMs && seenAskedAtMs <= now())) return;
    seenAskedAtMs = askedAtMs;
    const atMs = now();
    if (enabled) {
      if (publishing === false) {
        logger.info('the gateway publishes usage again');
        gaps.close('publishing_off', atMs, lostWhileOff);
        dates(starvation.rebase());
      }
      // It may have been switched off while the answer was in transit.
      lastSeenTrueMs = askedAtMs;
    } else if (publishing !== false) {
      logger.error('usage publishing is off at the gateway, so no events arrive; turn on usage-statistics-enabled');
      gaps.open('publishing_off', lastSeenTrueMs ?? atMs);
      lostWhileOff = null;
      dates(starvation.settle());
    }
    publishing = enabled;
  }

  /** The baseline is read as soon as events are collected, not a whole interval later. */
  async function collecting(signal: AbortSignal): Promise<void> {
    const { gatePollMs, readingMs } = deps.timing;
    for (let waitedMs = 0; waitedMs < readingMs && !deps.collecting() && !signal.aborted; waitedMs += gatePollMs) {
      await pause(gatePollMs, signal);
    }
  }

  async function readCounters(signal: AbortSignal): Promise<void> {
    if (!deps.collecting()) return;
    receivedBefore = addReceived(receivedBefore, deps.takeReceived());
    let list: AuthFileList;
    try {
      // An older one would be compared with events that arrived after it.
      list = await deps.management.authFiles.get(deps.connection, { tlsSkipVerify: deps.tlsSkipVerify, maxAgeMs: 0 });
    } catch {
      return;
    }
    if (list.fetchedAtMs === listReadAtMs || Math.abs(now() - list.fetchedAtMs) > deps.timing.snapshotMaxAgeMs) return;
    // Events that wait in the queue or for the database are counted by the gateway already.
    if (!(await deps.settled(list.answeredAtMs, signal))) return;
    listReadAtMs = list.fetchedAtMs;
    const late = deps.takeReceived();
    const received = addReceived(receivedBefore, late);
    receivedBefore = new Map();
    if (publishing === false) {
      const compared = starvation.compare(list.files, received, list.fetchedAtMs);
      if (compared !== null) lostWhileOff = (lostWhileOff ?? 0) + compared.growth - compared.received;
      // The end of it should show soon, whoever ends it.
      pace.read({ list, isActive: true, isDoubtful: false });
      return;
    }
    const { compared, over } = starvation.read(list.files, received, late, list.fetchedAtMs);
    pace.read({
      list,
      isActive: received.size > 0 || (compared?.growth ?? 0) > 0,
      isDoubtful: starvation.suspects(),
    });
    dates(over);
    alarms();
  }

  function dates(over: TakenEvents | null): void {
    if (over === null) return;
    if (gaps.openSince('starved') === null) {
      gaps.record('starved', over.fromMs, over.toMs, over.lost);
    } else {
      logger.info('events arrive again');
      gaps.close('starved', over.toMs, over.lost);
    }
  }

  function alarms(): void {
    const state = starvation.state();
    if (state === null || gaps.openSince('starved') !== null) return;
    logger.error(
      state.reason === 'no_events'
        ? 'the gateway counts requests, but none of their events arrive: check whether another consumer reads the queue, and the gateway URL'
        : 'some events do not arrive: a second consumer reads the same usage queue',
    );
    gaps.open('starved', state.sinceMs);
  }

  /** Until the next reading, which comes earlier when clients become active. */
  async function rest(readingMs: number, signal: AbortSignal): Promise<void> {
    const isOver = new AbortController();
    const ended = AbortSignal.any([signal, isOver.signal]);
    await Promise.race([
      pause(Math.max(pace.nextMs() - readingMs, 0), ended),
      awake.wait(ended).then(() => pause(deps.timing.readingMs, ended)),
    ]);
    isOver.abort();
  }

  return {
    async run(signal) {
      running = signal;
      while (!signal.aborted) {
        const startedMs = performance.now();
        await readConfig();
        await collecting(signal);
        if (!signal.aborted) await readCounters(signal);
        await rest(performance.now() - startedMs, signal);
      }
      dates(starvation.settle());
    },
    reconnected() {
      if (configReadAtMs !== null && Math.abs(now() - configReadAtMs) >= MIN_CONFIG_INTERVAL_MS) void readConfig();
    },
    configurationChanged() {
      const signal = running;
      if (signal === null) return;
      for (const afterMs of deps.timing.changedConfigMs) {
        void pause(afterMs, signal).then(() => (signal.aborted ? undefined : readConfig()));
      }
    },
    eventArrived() {
      if (pace.wake()) awake.notify();
    },
    away: () => dates(starvation.rebase()),
    starvedReason: () => (publishing === false ? 'publishing_off' : (starvation.state()?.reason ?? null)),
  };
}
