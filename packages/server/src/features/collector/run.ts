import type { CollectorTarget } from '../../gateway/collector.ts';
import { GatewayError } from '../../gateway/errors.ts';
import { RespStageError } from '../../gateway/resp/session.ts';
import { openSubscription, type Subscription } from '../../gateway/resp/subscription.ts';
import { fileErrorProblem } from '../../platform/files/access-problem.ts';
import { messageOf } from '../../platform/logging/error-text.ts';
import { databaseProblem } from '../../sqlite/database-problem.ts';
import { createGatewayWatch, type GatewayWatch } from './gateway-watch.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createInserter, type Inserter } from './inserter.ts';
import { collect } from './ladder.ts';
import { createListening, type Listening } from './listening.ts';
import type { CollectorParts } from './parts.ts';
import { createHttpSource, createRespSource } from './pop-source.ts';
import type { PendingRecord } from './record-queue.ts';
import type { Flight, RunContext } from './run-context.ts';
import type { RunState } from './run-state.ts';
import { createSnapshots } from './snapshots.ts';
import type { StarvedReason } from './starvation.ts';
import type { BeginResult, Heartbeat } from './store.ts';
import { createBackoff, pause, within } from './wait.ts';

const DEFAULT_RETENTION_MS = 60_000;
/** Longest wait of a stop for unwritten gaps. */
const GAP_FLUSH_MS = 2_000;

export interface Run {
  readonly state: RunState;
  watch(): GatewayWatch | null;
  /** Ends the run; resolves to the records that could neither be committed nor spooled. */
  stop(): Promise<readonly PendingRecord[]>;
}

/** One run of the collector on one gateway, from the first heartbeat to the clean mark. */
export function startRun(
  parts: CollectorParts,
  target: CollectorTarget,
  state: RunState,
  leftover: readonly PendingRecord[],
): Run {
  const stopping = new AbortController();
  const cutOff = new AbortController();
  let watch: GatewayWatch | null = null;
  const done = run();

  async function run(): Promise<readonly PendingRecord[]> {
    const begun = await begin(parts, target, state, stopping.signal);
    if (begun === null) return leftover;
    const flight: Flight = { popSentAtMs: null, subscription: null };
    const backoff = createBackoff(parts.timing.backoffMs);
    const listening = listeningAfter(parts, target, begun, () => watch?.away());
    const inserter = openInserter(parts, target, state, leftover, () => watch?.eventArrived());
    const slackMs = () => parts.timing.transitMs + parts.lag.maxMs();
    const heartbeat = startHeartbeat({
      store: parts.store,
      spool: parts.spool,
      now: parts.now,
      timing: parts.timing,
      lastConsumedAtMs: () => parts.counters.lastConsumedAt,
      content: () => {
        listening.tick();
        return {
          uncommittedSinceMs: uncommittedSince(parts, inserter, flight, slackMs()),
          heardUntilMs: listening.heardUntilMs(),
          retentionMs: listening.retentionMs(),
          upstream: target.connection.baseUrl,
          starvedReason: watch?.starvedReason() ?? null,
        };
      },
    });
    watch = createGatewayWatch({
      management: parts.management,
      connection: target.connection,
      tlsSkipVerify: target.settings.tlsSkipVerify,
      pollIntervalMs: target.settings.pollIntervalMs,
      gaps: parts.gaps,
      now: parts.now,
      timing: parts.timing,
      logger: parts.logger,
      collecting: () => state.healthy() && parts.spool.size() === 0,
      settled: (publishedUntilMs, signal) => settled({ parts, inserter, listening, flight }, publishedUntilMs, signal),
      takeReceived: inserter.takeReceived,
      onRetention: (retentionMs) => listening.onRetention(retentionMs),
      restored: starvedReasonOf(begun.previous),
    });
    const watching = watch.run(stopping.signal);

    const sources = { target, http: parts.http, gate: parts.gate, now: parts.now, timing: parts.timing };
    const context: RunContext = {
      target,
      timing: parts.timing,
      logger: parts.logger,
      now: parts.now,
      stopping: stopping.signal,
      cutOff: cutOff.signal,
      state,
      gaps: parts.gaps,
      listening,
      inserter,
      backoff,
      slackMs,
      flight,
      httpSource: createHttpSource(sources),
      respSource: createRespSource(sources),
      openSubscription: (overrides) => subscribe(context, parts, overrides),
      waitAfter: (error) =>
        pause(
          error instanceof GatewayError && error.kind === 'gate_shut' ? parts.timing.gatePollMs : backoff.next(),
          stopping.signal,
        ),
      heartbeatSoon: () => heartbeat.soon(),
      onReconnected: () => watch?.reconnected(),
    };
    try {
      await collect(context);
    } catch (error) {
      // Unexpected: shown instead of ignored, and the run stays until it is stopped.
      parts.logger.error(`collector: ended by an unexpected error: ${messageOf(error)}`);
      state.failed('connect', error);
    }
    if (!stopping.signal.aborted)
      await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
    const left = await inserter.finish();
    await within(watching, GAP_FLUSH_MS);
    const written = await within(parts.gaps.flush(), GAP_FLUSH_MS);
    await heartbeat.stop(left.length === 0 && written === true);
    return left;
  }

  return {
    state,
    watch: () => watch,
    async stop() {
      stopping.abort();
      const patience = setTimeout(() => cutOff.abort(), parts.timing.stopPatienceMs);
      try {
        return await done;
      } finally {
        clearTimeout(patience);
        state.stop();
      }
    },
  };
}

/** Waits until the first heartbeat is stored: without it, a loss could not be dated. */
async function begin(
  parts: CollectorParts,
  target: CollectorTarget,
  state: RunState,
  stopping: AbortSignal,
): Promise<BeginResult | null> {
  const backoff = createBackoff(parts.timing.backoffMs);
  const seenAliveAtMs = await parts.spool.touchedAtMs().catch(() => null);
  await parts.spool.open().catch((error: unknown) => {
    const reason = fileErrorProblem(error) ?? messageOf(error);
    parts.logger.error(`collector: the spool file cannot be read; its events stay there (${reason})`);
  });
  while (!stopping.aborted) {
    try {
      const nowMs = parts.now();
      const begun = await parts.store.begin({
        seenAliveAtMs,
        heartbeat: {
          timeMs: nowMs,
          uncommittedSinceMs: nowMs,
          // Nothing was received yet in this run; the next heartbeat knows more.
          heardUntilMs: null,
          retentionMs: DEFAULT_RETENTION_MS,
          upstream: target.connection.baseUrl,
          clean: false,
          starvedReason: null,
        },
      });
      state.insertProblem('');
      parts.gaps.adopt(begun.open);
      await parts.gaps.reload().catch(() => {});
      return begun;
    } catch (error) {
      state.insertProblem(databaseProblem(error));
      await pause(backoff.next(), stopping);
    }
  }
  return null;
}

/** Since when nothing was received, by the last heartbeat. */
function listeningAfter(
  parts: CollectorParts,
  target: CollectorTarget,
  begun: BeginResult,
  onAway: () => void,
): Listening {
  const nowMs = parts.now();
  const previous = begun.previous;
  const sameGateway = previous !== null && previous.upstream === target.connection.baseUrl;
  // Open gaps of another gateway cannot end any more.
  if (!sameGateway) for (const gap of begun.open) parts.gaps.close(gap.kind, nowMs);
  const ended = begun.uncleanUntilMs ?? previous?.timeMs ?? nowMs;
  return createListening({
    gaps: parts.gaps,
    now: parts.now,
    heardUntilMs: sameGateway ? Math.min(previous.heardUntilMs ?? ended, nowMs) : nowMs,
    retentionMs: sameGateway ? previous.retentionMs : DEFAULT_RETENTION_MS,
    onAway,
  });
}

/** One line of the log for all events meanwhile. */
const NAMES_LOG_MS = 3_600_000;

function openInserter(
  parts: CollectorParts,
  target: CollectorTarget,
  state: RunState,
  leftover: readonly PendingRecord[],
  onArrival: () => void,
): Inserter {
  const { counters, now } = parts;
  const snapshots = createSnapshots({
    lists: parts.management.authFiles,
    connection: target.connection,
    tlsSkipVerify: target.settings.tlsSkipVerify,
    now,
    timing: parts.timing,
  });
  const warnOfDropped = (count: number) => {
    if (count > 0) parts.logger.warn(`collector: removed ${count} dead letters to keep the newest 10,000`);
  };
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  const warnOfNames = () => {
    if (Math.abs(now() - warnedAtMs) < NAMES_LOG_MS) return;
    warnedAtMs = now();
    parts.logger.warn(
      'collector: there are too many different names or addresses in the history; new ones are shown as (other) and have no price',
    );
  };
  return createInserter({
    ingest: parts.ingest,
    store: parts.store,
    spool: parts.spool,
    snapshots,
    now,
    timing: parts.timing,
    batchSize: target.settings.batchSize,
    leftover,
    onConsumed: () => {
      counters.lastConsumedAt = now();
      onArrival();
    },
    onRefresh: () => snapshots.drop(),
    onOutcome: (outcome) => {
      counters.totalInserted += outcome.inserted;
      counters.totalSkipped += outcome.skipped;
      counters.deadLetters += outcome.deadLettered;
      counters.totalRepaired += outcome.repaired + outcome.cut;
      if (outcome.inserted + outcome.skipped > 0) counters.lastInsertedAt = now();
      warnOfDropped(outcome.droppedDeadLetters);
      if (outcome.namesWithoutRoom > 0) warnOfNames();
      parts.onCommitted?.(outcome);
    },
    onDeadLetters: (count, dropped) => {
      counters.deadLetters += count;
      warnOfDropped(dropped);
    },
    onSpooledRepaired: (count) => {
      counters.totalRepaired += count;
    },
    onProblem: (text) => state.insertProblem(text),
  });
}

/** Lower bound of the send time of everything that a kill now would lose. */
function uncommittedSince(parts: CollectorParts, inserter: Inserter, flight: Flight, slackMs: number): number {
  const { subscription } = flight;
  const times = [
    parts.now() - slackMs,
    inserter.oldestUncommitted(),
    flight.popSentAtMs,
    parts.gaps.unsavedSince(),
    // No answer to a PING: the connection may have been dead since the last byte. Unread: a kill loses what waits in the socket.
    subscription !== null && (subscription.doubtful() || subscription.unreadSinceMs() !== null)
      ? subscription.receivedUntilMs() - slackMs
      : null,
  ];
  return Math.min(...times.filter((time) => time !== null));
}

/** A pop that was sent later has emptied the queue, or a subscription had time to deliver, and all of it is stored. */
async function settled(
  {
    parts,
    inserter,
    listening,
    flight,
  }: Pick<RunContext, 'inserter' | 'listening' | 'flight'> & { parts: CollectorParts },
  publishedUntilMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { settleMs, settlePatienceMs } = parts.timing;
  let receivedUntilMs: number | null = null;
  for (let waitedMs = 0; waitedMs < settlePatienceMs && !signal.aborted; waitedMs += settleMs / 4) {
    const hadTime = waitedMs >= settleMs && flight.subscription?.unreadSinceMs() == null;
    const heardUntilMs = listening.heardUntilMs();
    // A pop of the same millisecond may have been sent before what was published in it.
    const isReceived = heardUntilMs === null ? hadTime : heardUntilMs > publishedUntilMs;
    if (isReceived) receivedUntilMs ??= heardUntilMs ?? publishedUntilMs;
    const uncommittedSinceMs = inserter.oldestUncommitted() ?? Number.POSITIVE_INFINITY;
    if (receivedUntilMs !== null && uncommittedSinceMs > receivedUntilMs && parts.spool.size() === 0) return true;
    await pause(settleMs / 4, signal);
  }
  return false;
}

async function subscribe(
  context: RunContext,
  parts: CollectorParts,
  overrides: Parameters<RunContext['openSubscription']>[0],
): Promise<Subscription> {
  const { settings, connection } = context.target;
  const { timing } = parts;
  const startedAtMs = parts.now();
  try {
    return await openSubscription({
      connection,
      gate: parts.gate,
      now: parts.now,
      tlsSkipVerify: settings.tlsSkipVerify,
      dialTimeoutMs: timing.dialTimeoutMs,
      commandTimeoutMs: timing.commandTimeoutMs,
      channel: settings.queue,
      pingAfterMs: timing.pingAfterMs,
      deadAfterMs: timing.deadAfterMs,
      signal: context.cutOff,
      onRecord: (record, inSocketSinceMs) => context.inserter.offer(record, inSocketSinceMs - context.slackMs()),
      ...overrides,
    });
  } catch (error) {
    // The gateway may have counted us as a subscriber, and sent to nobody, until the connection ended.
    if (
      error instanceof RespStageError &&
      error.stage === 'subscribe' &&
      !['unsupported', 'status'].includes(error.kind)
    ) {
      parts.gaps.record('dropped', startedAtMs, Math.max(parts.now(), startedAtMs + 1));
    }
    throw error;
  }
}

function starvedReasonOf(previous: Heartbeat | null): StarvedReason | null {
  const reason = previous?.starvedReason;
  return reason === 'no_events' || reason === 'partial' ? reason : null;
}
