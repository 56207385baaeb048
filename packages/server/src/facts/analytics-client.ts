import type { UsageSummaryResponse } from '@manager/core/contract/model-prices';
import type { OperationClient, RunOptions } from '../db/contexts.ts';
import { createWorkerClient } from '../db/worker/client.ts';
import { WORKER_ENTRIES, workerEntry } from '../db/worker/entry.ts';
import type { DashboardQuery } from '../features/dashboard/request.ts';
import type { AccountHistoryQuery } from '../features/monitoring/accounts/history-request.ts';
import type { WindowUsageQuery } from '../features/monitoring/accounts/window-request.ts';
import type { HeaderSnapshotsQuery } from '../features/monitoring/header-snapshots/request.ts';
import type { JsonInput } from '../features/monitoring/json-request.ts';
import type { AnalyticsInput } from '../features/monitoring/request.ts';
import { DEFAULT_CACHE_BYTES } from './cache.ts';
import { SEGMENT_ROWS } from './columns.ts';
import type { AnalyticsOperations } from './operations.ts';
import type { AnalyticsWorkerInit } from './worker.ts';

type AskOptions = Pick<RunOptions, 'signal'>;
/** JSON text. */
type AnswerBody = Uint8Array<ArrayBuffer>;

/** Answers to analytics questions, whatever computes them. */
export interface AnalyticsClient {
  analytics(input: AnalyticsInput, options?: AskOptions): Promise<AnswerBody>;
  dashboard(query: DashboardQuery, options?: AskOptions): Promise<AnswerBody>;
  accountHistory(input: JsonInput<AccountHistoryQuery>, options?: AskOptions): Promise<AnswerBody>;
  accountWindowUsage(input: JsonInput<WindowUsageQuery>, options?: AskOptions): Promise<AnswerBody>;
  headerSnapshots(query: HeaderSnapshotsQuery, options?: AskOptions): Promise<AnswerBody>;
  /** Models of the newest `limit` events. */
  usageSummary(limit: number, options?: AskOptions): Promise<UsageSummaryResponse>;
  close(): Promise<void>;
}

export interface AnalyticsClientOptions {
  readonly databasePath: string;
  readonly cacheBytes?: number;
  /** See `AnalyticsContext`; Infinity while the hourly core is switched off. */
  readonly hourlyCoreFromEvents?: number;
  /** Default 25,000: clients give up after 30 s. */
  readonly deadlineMs?: number;
}

/** Four segments: about as much as the hours of a month take. */
const HOURLY_CORE_FROM_EVENTS = 4 * SEGMENT_ROWS;
const DEADLINE_MS = 25_000;

interface Flight {
  readonly answer: Promise<AnswerBody>;
  readonly controller: AbortController;
  waiting: number;
}

/** Starts one worker with the first question. Questions that are equal and in flight share one answer. */
export function createAnalyticsClient(options: AnalyticsClientOptions): AnalyticsClient {
  const init: AnalyticsWorkerInit = {
    databasePath: options.databasePath,
    cacheBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
    hourlyCoreFromEvents: options.hourlyCoreFromEvents ?? HOURLY_CORE_FROM_EVENTS,
  };
  const worker: OperationClient<AnalyticsOperations> = createWorkerClient({
    name: 'analytics',
    entry: workerEntry(WORKER_ENTRIES.analytics),
    init,
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    stoppable: true,
  });
  const flights = new Map<string, Flight>();

  /** @param run asks the worker; the same name and the same JSON are the same question */
  function ask(
    name: keyof AnalyticsOperations,
    question: object,
    run: (options: AskOptions) => Promise<AnswerBody>,
    { signal }: AskOptions = {},
  ): Promise<AnswerBody> {
    const key = `${name} ${JSON.stringify(question)}`;
    return join(flights.get(key) ?? begin(key, run), signal);
  }

  function begin(key: string, run: (options: AskOptions) => Promise<AnswerBody>): Flight {
    const controller = new AbortController();
    const answer = run({ signal: controller.signal });
    const flight: Flight = { answer, controller, waiting: 0 };
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    answer.then(land, land);
    flights.set(key, flight);
    return flight;
  }

  /** One caller of a flight; the flight is called off when its last caller is gone. */
  function join(flight: Flight, signal: AbortSignal | undefined): Promise<AnswerBody> {
    flight.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting--;
        if (flight.waiting === 0) callOff(flight, signal?.reason);
        reject(signal?.reason);
      };
      if (signal?.aborted === true) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      const settled = () => signal?.removeEventListener('abort', leave);
      flight.answer.then(resolve, reject).finally(settled);
    });
  }

  function callOff(flight: Flight, reason: unknown): void {
    // A later caller must not join an answer that will not come.
    for (const [key, known] of flights) if (known === flight) flights.delete(key);
    flight.controller.abort(reason);
  }

  return {
    analytics: (input, options) =>
      ask('analytics', input, (running) => worker.run('analytics', input, running), options),
    dashboard: (query, options) =>
      ask('dashboard', query, (running) => worker.run('dashboard', query, running), options),
    accountHistory: (input, options) =>
      ask('accountHistory', input, (running) => worker.run('accountHistory', input, running), options),
    accountWindowUsage: (input, options) =>
      ask('accountWindowUsage', input, (running) => worker.run('accountWindowUsage', input, running), options),
    headerSnapshots: (query, options) =>
      ask('headerSnapshots', query, (running) => worker.run('headerSnapshots', query, running), options),
    usageSummary: (limit, options = {}) => worker.run('usageSummary', { limit }, options),
    close: () => worker.close(),
  };
}
