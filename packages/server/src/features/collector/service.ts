import { join } from 'node:path';
import type { IngestResult } from '../../events/ingest/ingest.ts';
import type { UpstreamHttp } from '../../gateway/http-call.ts';
import type { ManagementClient } from '../../gateway/management-client.ts';
import type { KeyRefusalGate } from '../../gateway/types.ts';
import { createErrorLog } from '../../platform/logging/error-log.ts';
import type { Collector, CollectorStatus, CollectorTarget } from './collector.ts';
import { createGapKeeper, type GapKeeper } from './gap-keeper.ts';
import type { CollectorLogger, CollectorStore, Ingest } from './ports.ts';
import type { PendingRecord } from './record-queue.ts';
import { type Run, startRun } from './run.ts';
import { createRunState, type RunState } from './run-state.ts';
import { createSpool, SPOOL_FILE, type Spool } from './spool.ts';
import { type ThreadLag, watchThreadLag } from './thread-lag.ts';
import { type CollectorTiming, DEFAULT_TIMING } from './timing.ts';

export interface CollectorDeps {
  readonly ingest: Ingest;
  readonly store: CollectorStore;
  readonly gate: KeyRefusalGate;
  readonly http: UpstreamHttp;
  readonly management: ManagementClient;
  readonly now: () => number;
  readonly logger: CollectorLogger;
  readonly dataDir: string;
  /** Called after every commit, with the ids of the new events. */
  readonly onCommitted?: (outcome: IngestResult) => void;
  readonly timing?: Partial<CollectorTiming>;
}

/** Since process start. */
export interface Counters {
  lastConsumedAt: number;
  lastInsertedAt: number;
  totalInserted: number;
  totalSkipped: number;
  deadLetters: number;
  totalRepaired: number;
}

/** What outlives a run. */
export interface CollectorParts extends Omit<CollectorDeps, 'timing' | 'dataDir'> {
  readonly timing: CollectorTiming;
  readonly spool: Spool;
  readonly gaps: GapKeeper;
  readonly counters: Counters;
  readonly lag: ThreadLag;
}

export function createCollector(deps: CollectorDeps): Collector {
  const timing = { ...DEFAULT_TIMING, ...deps.timing };
  const errorLog = createErrorLog(deps.logger, deps.now);
  const parts: CollectorParts = {
    ...deps,
    timing,
    spool: createSpool(join(deps.dataDir, SPOOL_FILE)),
    gaps: createGapKeeper({ store: deps.store, logger: deps.logger, backoffMs: timing.backoffMs }),
    counters: {
      lastConsumedAt: 0,
      lastInsertedAt: 0,
      totalInserted: 0,
      totalSkipped: 0,
      deadLetters: 0,
      totalRepaired: 0,
    },
    lag: watchThreadLag(),
  };
  let target: CollectorTarget | null = null;
  let state: RunState | null = null;
  let run: Run | null = null;
  let leftover: readonly PendingRecord[] = [];
  let turn: Promise<void> = Promise.resolve();

  // A collector that never starts still shows the gaps of earlier runs.
  void parts.gaps.reload().catch(() => {});

  /** Starts and stops follow each other, however they are called. */
  function inTurn(action: () => Promise<void>): Promise<void> {
    const result = turn.then(action);
    turn = result.catch(() => {});
    return result;
  }

  async function end(): Promise<void> {
    const ending = run;
    if (ending === null) return;
    leftover = await ending.stop();
    run = null;
    if (leftover.length > 0) {
      deps.logger.error(
        `collector: ${leftover.length} records could neither be stored nor spooled; they are kept in memory until the next start`,
      );
    }
  }

  return {
    start: (next) =>
      inTurn(async () => {
        await end();
        target = next;
        state = createRunState(errorLog);
        deps.logger.info(`collector: starting (mode ${next.settings.collectorMode})`);
        run = startRun(parts, next, state, leftover);
        leftover = [];
      }),
    stop: () =>
      inTurn(async () => {
        const running = run !== null;
        await end();
        if (running) deps.logger.info('collector: stopped');
      }),
    active: () => run !== null,
    status: () => statusOf(parts, target, state, run),
  };
}

function statusOf(
  parts: CollectorParts,
  target: CollectorTarget | null,
  state: RunState | null,
  run: Run | null,
): CollectorStatus {
  const reason = run?.watch()?.starvedReason() ?? null;
  const refused = parts.gate.snapshot();
  const { count, open, last } = parts.gaps.summary();
  return {
    collector: state?.collector() ?? 'stopped',
    upstream: target?.connection.baseUrl ?? '',
    mode: target?.settings.collectorMode ?? 'auto',
    transport: state?.transport() ?? '',
    queue: target?.settings.queue ?? '',
    ...parts.counters,
    lastError: state?.lastError() ?? '',
    starved: reason !== null,
    ...(reason === null ? {} : { starvedReason: reason }),
    gaps: {
      count,
      open,
      ...(last === null
        ? {}
        : { last: { fromMs: last.fromMs, toMs: last.toMs, kind: last.kind, estimatedLost: last.estimatedLost } }),
    },
    spooledRecords: parts.spool.size(),
    ...(refused === null ? {} : { keyRefused: refused }),
  };
}
