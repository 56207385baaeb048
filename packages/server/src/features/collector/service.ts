import { join } from 'node:path';
import type { Collector, CollectorStatus, CollectorTarget } from '../../gateway/collector.ts';
import { createErrorLog } from '../../platform/logging/error-log.ts';
import { createGapKeeper } from './gap-keeper.ts';
import type { CollectorDeps, CollectorParts } from './parts.ts';
import type { PendingRecord } from './record-queue.ts';
import { type Run, startRun } from './run.ts';
import { createRunState, type RunState } from './run-state.ts';
import { createSpool, SPOOL_FILE } from './spool.ts';
import { watchThreadLag } from './thread-lag.ts';
import { DEFAULT_TIMING } from './timing.ts';

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

  /** Runs starts and stops one after the other. */
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
        `collector: ${leftover.length} events could neither be stored nor spooled; they are kept in memory until the next start`,
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
    configurationChanged: () => run?.watch()?.configurationChanged(),
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
  const failure = state?.failure() ?? null;
  const refused = parts.gate.snapshot();
  const { count, open, last } = parts.gaps.summary();
  return {
    collector: state?.collector() ?? 'stopped',
    upstream: target?.connection.baseUrl ?? '',
    mode: target?.settings.collectorMode ?? 'auto',
    transport: state?.transport() ?? '',
    queue: target?.settings.queue ?? parts.queue,
    ...parts.counters,
    lastError: failure?.text ?? '',
    failedStage: failure?.stage ?? null,
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
