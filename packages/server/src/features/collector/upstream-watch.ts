import { effectiveRetentionMs } from '../../gateway/config-answer.ts';
import type { ManagementClient } from '../../gateway/management-client.ts';
import type { UpstreamConnection } from '../../platform/config/config.ts';
import type { GapKeeper } from './gap-keeper.ts';
import type { CollectorLogger } from './ports.ts';
import { createStarvation, type StarvedReason } from './starvation.ts';
import type { CollectorTiming } from './timing.ts';
import { pause } from './wait.ts';

/** Time limit well below the retention, which the reading is needed for. */
const CONFIG_TIMEOUT_MS = 5_000;
/** After a reconnect the configuration is read again, but at most this often. */
const MIN_CONFIG_INTERVAL_MS = 30_000;

export type VisibleStarvedReason = 'publishing_off' | StarvedReason;

/** Watches what the gateway reports about itself: publishing switch, retention, request counters. */
export interface UpstreamWatch {
  /** Reads at once and then at every interval, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** After a reconnect the gateway may have another configuration. */
  reconnected(): void;
  /** Events were not received for longer than the retention: the counters cannot be compared over that time. */
  away(): void;
  starvedReason(): VisibleStarvedReason | null;
}

export interface UpstreamWatchDeps {
  readonly management: ManagementClient;
  readonly connection: UpstreamConnection;
  readonly tlsSkipVerify: boolean;
  readonly pollIntervalMs: number;
  readonly gaps: GapKeeper;
  readonly now: () => number;
  readonly timing: CollectorTiming;
  readonly logger: CollectorLogger;
  /** Whether events arrive as expected, so that counters may be compared. */
  readonly collecting: () => boolean;
  readonly takeReceived: () => ReadonlyMap<string, number>;
  readonly onRetention: (retentionMs: number | null) => void;
  readonly restored: StarvedReason | null;
}

export function createUpstreamWatch(deps: UpstreamWatchDeps): UpstreamWatch {
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
    if (enabled === null) return;
    const atMs = now();
    if (enabled) {
      if (publishing === false) {
        logger.info('the gateway publishes usage again');
        gaps.close('publishing_off', atMs, lostWhileOff);
        starvation.rebase();
      }
      // It may have been switched off while the answer was in transit.
      lastSeenTrueMs = askedAtMs;
    } else if (publishing !== false) {
      logger.error('usage publishing is off at the gateway, so no events arrive; turn on usage-statistics-enabled');
      gaps.open('publishing_off', lastSeenTrueMs ?? atMs);
      lostWhileOff = null;
    }
    publishing = enabled;
  }

  async function readCounters(): Promise<void> {
    // Records that wait for the database are received but not counted yet.
    if (!deps.collecting()) return;
    let list: Awaited<ReturnType<ManagementClient['authFiles']['get']>>;
    try {
      list = await deps.management.authFiles.get(deps.connection, { tlsSkipVerify: deps.tlsSkipVerify });
    } catch {
      return;
    }
    // A cached earlier reading has no new information.
    if (now() - list.fetchedAtMs > deps.timing.snapshotMaxAgeMs) return;
    const reading = starvation.read(list.files, deps.takeReceived(), list.fetchedAtMs);
    if (reading.compared !== null && publishing === false) {
      lostWhileOff = (lostWhileOff ?? 0) + reading.compared.growth - reading.compared.received;
    }
    datesStarvation(list.fetchedAtMs);
  }

  let starvedLost: number | null = null;
  function datesStarvation(atMs: number): void {
    const state = starvation.state();
    if (state === null) {
      if (gaps.openSince('starved') !== null) {
        logger.info('events arrive again');
        gaps.close('starved', atMs, starvedLost);
      }
      starvedLost = null;
      return;
    }
    starvedLost = state.lost;
    // While publishing is known to be off, that gap covers the same time.
    if (publishing === false || gaps.openSince('starved') !== null) return;
    logger.error(
      state.reason === 'no_events'
        ? 'the gateway counts requests, but none of their events arrive: check the gateway URL and whether another consumer reads the queue'
        : 'some events do not arrive: a second consumer reads the same usage queue',
    );
    gaps.open('starved', state.sinceMs);
  }

  return {
    async run(signal) {
      await readConfig();
      await readCounters();
      while (!signal.aborted) {
        await pause(deps.timing.readingMs, signal);
        if (signal.aborted) return;
        await readConfig();
        await readCounters();
      }
    },
    reconnected() {
      if (configReadAtMs !== null && now() - configReadAtMs >= MIN_CONFIG_INTERVAL_MS) void readConfig();
    },
    away: () => starvation.rebase(),
    starvedReason: () => (publishing === false ? 'publishing_off' : (starvation.state()?.reason ?? null)),
  };
}
