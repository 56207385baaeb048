/** Every duration of the collector, in ms; tests shorten them. */
export interface CollectorTiming {
  readonly dialTimeoutMs: number;
  readonly commandTimeoutMs: number;
  readonly httpTimeoutMs: number;
  /** Silence after which a subscription sends `PING`, and after which it is closed. */
  readonly pingAfterMs: number;
  readonly deadAfterMs: number;
  /** Waits after failures; the last one repeats. */
  readonly backoffMs: readonly number[];
  /** In mode `auto`, on HTTP or RESP pops: how often Pub/Sub is tried again, and the time limit of a try. */
  readonly resubscribeEveryMs: number;
  readonly resubscribeTimeoutMs: number;
  /** Longest pause between polls of an empty queue, unless the configured one is longer. Never above a quarter of the retention. */
  readonly longestPollMs: number;
  /** Longest wait of a record for its batch to fill. */
  readonly batchWaitMs: number;
  /** Heartbeat intervals: while records arrive, and while none do. Both well below the 5 s that a heartbeat covers. */
  readonly heartbeatMs: number;
  readonly idleHeartbeatMs: number;
  /** How far before its arrival a record may have been sent, besides the measured lag of this thread. */
  readonly transitMs: number;
  /**
   * How often the gateway's configuration and counters are read: while clients are active, after a reading that was short of events,
   * and while nothing happens or where the list of counters is large.
   */
  readonly readingMs: number;
  readonly doubtfulReadingMs: number;
  readonly rareReadingMs: number;
  /** Between the publishing of an event and its storage, at most, where nothing is wrong; and how long a reading waits for that. */
  readonly settleMs: number;
  readonly settlePatienceMs: number;
  /** When the configuration is read after it was changed: the gateway answers before it applies a change. */
  readonly changedConfigMs: readonly number[];
  /** Age at which account snapshots are fetched again in the background. */
  readonly snapshotRefreshMs: number;
  readonly snapshotMaxAgeMs: number;
  /** Longest wait of a batch for account snapshots. */
  readonly snapshotWaitMs: number;
  /** How long a stop waits for a pop or the end of a subscription. */
  readonly stopPatienceMs: number;
  /** How often a closed gate is checked. */
  readonly gatePollMs: number;
}

export const DEFAULT_TIMING: CollectorTiming = {
  dialTimeoutMs: 10_000,
  commandTimeoutMs: 30_000,
  httpTimeoutMs: 30_000,
  pingAfterMs: 30_000,
  deadAfterMs: 80_000,
  backoffMs: [1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
  resubscribeEveryMs: 600_000,
  resubscribeTimeoutMs: 5_000,
  longestPollMs: 5_000,
  batchWaitMs: 150,
  heartbeatMs: 2_000,
  idleHeartbeatMs: 3_500,
  transitMs: 1_000,
  readingMs: 60_000,
  doubtfulReadingMs: 15_000,
  rareReadingMs: 300_000,
  settleMs: 1_000,
  settlePatienceMs: 15_000,
  changedConfigMs: [0, 500, 2_000],
  snapshotRefreshMs: 25_000,
  snapshotMaxAgeMs: 30_000,
  snapshotWaitMs: 5_000,
  stopPatienceMs: 5_000,
  gatePollMs: 1_000,
};
