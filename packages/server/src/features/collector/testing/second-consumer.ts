import { until } from '@manager/core/testing/until';
import { authFilesOf, type EventAccount, makeEvents, type ProfileAlias, startSimulator } from '@manager/simulator';
import { popRecords } from '../../../gateway/resp/pop.ts';
import { openRespSession } from '../../../gateway/resp/session.ts';
import { openSubscription } from '../../../gateway/resp/subscription.ts';
import { openGate } from '../../../gateway/testing.ts';
import type { CollectorMode } from '../../../platform/config/config.ts';
import { startProcess, storedGaps, temporaryFiles } from '../testing.ts';
import { DEFAULT_TIMING } from '../timing.ts';
import { randomOf } from './random.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 5;
/** A machine that stands still for longer, or a database that takes longer, makes the clock stand still, too. */
const LONGEST_STEP_MS = 20;
/** So does a manager that is behind: events of this accelerated time wait in the queue. */
const QUEUED_MS = 5_000;
/** Two readings. */
const QUIET_MS = 150_000;
const STEPS_AFTER_MS = 10_000;
const KEY = 'sim-management-key';

export interface SecondConsumerOptions {
  readonly mode: CollectorMode;
  readonly profile?: ProfileAlias;
  readonly accounts: readonly EventAccount[];
  readonly failureRate?: number;
  /** Requests per second of the accelerated time. */
  readonly rate: number;
  /** Of the accelerated time. */
  readonly minutesBefore: number;
  readonly minutes: number;
  /** Or less, when what was open has ended. */
  readonly minutesAfter: number;
  /** Subscribers take everything from those who poll; others pop as soon as an event is queued, until they have their share. */
  readonly by: 'subscriber' | 'pops';
  readonly share: number;
  /** Share of the answers that have no event although the gateway counts them. */
  readonly silentShare?: number;
  /** How many times faster than real time. */
  readonly speed: number;
  readonly seed?: number;
}

export interface SecondConsumerRun {
  readonly requests: number;
  /** Events that the second consumer got in place of the manager. */
  readonly taken: number;
  readonly reason: string | null;
  /** From the first event that it may have taken; null = no alarm. */
  readonly alarmAfterMs: number | null;
  /** Relative to the beginning and the end of the loss. */
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number | null; readonly lost: number | null }[];
}

/**
 * A real collector with its database beside a simulated gateway, and another consumer of the same queue for some minutes. Both share an
 * accelerated clock, and waits of the collector are shortened by the same factor.
 */
export async function besideSecondConsumer(options: SecondConsumerOptions): Promise<SecondConsumerRun> {
  const { speed } = options;
  const simulator = await startSimulator({
    clock: 'controlled',
    authFiles: authFilesOf(options.accounts, Date.now()),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
  });
  const files = temporaryFiles();
  const connection = { baseUrl: simulator.url, managementKey: KEY };
  const random = randomOf(options.seed ?? 1);
  const events = makeEvents({
    accounts: options.accounts,
    now: simulator.now,
    seed: options.seed ?? 1,
    failureRate: options.failureRate ?? 0.03,
  });
  const ingests = new Set<{ readonly atMs: number }>();
  const manager = await startProcess({
    files,
    connection,
    mode: options.mode,
    now: simulator.now,
    settings: { pollIntervalMs: 500 / speed },
    ingest: (real) => async (batch) => {
      const begun = { atMs: performance.now() };
      ingests.add(begun);
      try {
        return await real(batch);
      } finally {
        ingests.delete(begun);
      }
    },
    listTiming: { freshMs: 30_000, minIntervalMs: 5_000 },
    // Waits of timers; what is compared with the clock stays.
    timing: {
      longestPollMs: DEFAULT_TIMING.longestPollMs / speed,
      readingMs: DEFAULT_TIMING.readingMs / speed,
      doubtfulReadingMs: DEFAULT_TIMING.doubtfulReadingMs / speed,
      rareReadingMs: DEFAULT_TIMING.rareReadingMs / speed,
      settleMs: DEFAULT_TIMING.settleMs / speed,
      settlePatienceMs: DEFAULT_TIMING.settlePatienceMs,
      batchWaitMs: DEFAULT_TIMING.batchWaitMs / speed,
      heartbeatMs: DEFAULT_TIMING.heartbeatMs,
      idleHeartbeatMs: DEFAULT_TIMING.idleHeartbeatMs,
    },
  });
  const silentIndexes = new Set(
    options.accounts
      .filter(({ provider }) => ['claude', 'codex', 'xai', 'kimi'].includes(provider))
      .map(({ authIndex }) => authIndex),
  );
  let requests = 0;
  const alarms: { readonly atMs: number; readonly reason: string }[] = [];
  let nextMs = simulator.now();

  const isBehind = (nowMs: number) =>
    [...ingests].some(({ atMs }) => nowMs - atMs > LONGEST_STEP_MS) ||
    simulator.deliveries().queued > (QUEUED_MS / 1_000) * options.rate;

  /** Lets time pass, with traffic. */
  async function pass(ms: number, onPublished: () => Promise<void>): Promise<void> {
    const endMs = simulator.now() + ms;
    let steppedAtMs = performance.now();
    while (simulator.now() < endMs) {
      await Bun.sleep(STEP_MS);
      const nowMs = performance.now();
      if (isBehind(nowMs)) {
        steppedAtMs = nowMs;
        continue;
      }
      simulator.advance(Math.min(nowMs - steppedAtMs, LONGEST_STEP_MS) * speed);
      steppedAtMs = nowMs;
      for (; nextMs <= simulator.now(); nextMs += ((0.5 + random()) * 1_000) / options.rate) {
        const event = events.next().value;
        requests += 1;
        if (random() < (options.silentShare ?? 0) && !event.failed && silentIndexes.has(event.authIndex)) {
          simulator.succeedSilently(event.authIndex);
          continue;
        }
        await simulator.publish(event);
        await onPublished();
      }
      const { starvedReason } = manager.status();
      if (starvedReason !== undefined) alarms.push({ atMs: simulator.now(), reason: starvedReason });
    }
  }

  try {
    await manager.start();
    await until(() => manager.status().collector === 'running', 'running');
    await pass(options.minutesBefore * MINUTE_MS, async () => {});
    const beganMs = simulator.now();
    let published = 0;
    const other =
      options.by === 'subscriber'
        ? await subscriber(connection, simulator.now)
        : await popper(connection, simulator.now);
    await pass(options.minutes * MINUTE_MS, async () => {
      published += 1;
      if (other.taken() < published * options.share) await other.take();
    });
    await other.leave();
    const endedMs = simulator.now();
    const isOver = () => simulator.now() - endedMs >= QUIET_MS && manager.status().gaps.open.length === 0;
    while (!isOver() && simulator.now() - endedMs < options.minutesAfter * MINUTE_MS) {
      await pass(STEPS_AFTER_MS, async () => {});
    }
    await manager.end();
    const alarm = alarms[0] ?? null;
    return {
      requests,
      taken: other.taken(),
      reason: alarm?.reason ?? null,
      alarmAfterMs: alarm === null ? null : alarm.atMs - beganMs,
      gaps: storedGaps(files, 'starved').map(({ from_ms, to_ms, estimated_lost }) => ({
        fromMs: from_ms - beganMs,
        toMs: to_ms === null ? null : to_ms - endedMs,
        lost: estimated_lost,
      })),
    };
  } finally {
    await manager.end();
    await simulator.stop();
    files.remove();
  }
}

interface OtherConsumer {
  /** Takes the oldest queued event, if it is still there. */
  take(): Promise<void>;
  taken(): number;
  leave(): Promise<void>;
}

type Connection = Parameters<typeof openRespSession>[0]['connection'];

async function dialing(connection: Connection, now: () => number) {
  const gate = await openGate(new Map());
  return { connection, gate, now, tlsSkipVerify: false, dialTimeoutMs: 5_000, commandTimeoutMs: 5_000 };
}

async function subscriber(connection: Connection, now: () => number): Promise<OtherConsumer> {
  let taken = 0;
  const subscription = await openSubscription({
    ...(await dialing(connection, now)),
    channel: 'usage',
    pingAfterMs: 60_000,
    deadAfterMs: 120_000,
    onRecord: (record) => {
      if ('text' in record && record.text.includes('"tokens"')) taken += 1;
      return null;
    },
  });
  return {
    take: async () => {},
    taken: () => taken,
    leave: async () => {
      await subscription.unsubscribe(5_000);
    },
  };
}

async function popper(connection: Connection, now: () => number): Promise<OtherConsumer> {
  let taken = 0;
  const session = await openRespSession(await dialing(connection, now));
  return {
    async take() {
      taken += (await popRecords(session, { queue: 'usage', side: 'left', count: 1, timeoutMs: 5_000 })).length;
    },
    taken: () => taken,
    leave: async () => session.close(),
  };
}
