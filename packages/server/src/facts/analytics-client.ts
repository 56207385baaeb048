import type { OperationClient, RunOptions } from '../db/contexts.ts';
import { createWorkerClient } from '../db/worker/client.ts';
import { WORKER_ENTRIES, workerEntry } from '../db/worker/entry.ts';
import type { AnalyticsInput } from '../features/monitoring/request.ts';
import { DEFAULT_CACHE_BYTES } from './cache.ts';
import type { AnalyticsOperations } from './operations.ts';
import type { AnalyticsWorkerInit } from './worker.ts';

/** Answers to analytics questions, whatever computes them. */
export interface AnalyticsClient {
  /** @returns the JSON body of the answer */
  analytics(input: AnalyticsInput, options?: Pick<RunOptions, 'signal'>): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

export interface AnalyticsClientOptions {
  readonly databasePath: string;
  readonly cacheBytes?: number;
  /** Default 25,000: clients give up after 30 s. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 25_000;

interface Flight {
  readonly answer: Promise<Uint8Array<ArrayBuffer>>;
  readonly controller: AbortController;
  waiting: number;
}

/** Starts one worker with the first question. Questions that are equal and in flight share one answer. */
export function createAnalyticsClient(options: AnalyticsClientOptions): AnalyticsClient {
  const init: AnalyticsWorkerInit = {
    databasePath: options.databasePath,
    cacheBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
  };
  const worker: OperationClient<AnalyticsOperations> = createWorkerClient({
    name: 'analytics',
    entry: workerEntry(WORKER_ENTRIES.analytics),
    init,
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    stoppable: true,
  });
  const flights = new Map<string, Flight>();

  function analytics(
    input: AnalyticsInput,
    { signal }: Pick<RunOptions, 'signal'> = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const key = JSON.stringify(input);
    const flight = flights.get(key) ?? begin(key, input);
    return join(flight, signal);
  }

  function begin(key: string, input: AnalyticsInput): Flight {
    const controller = new AbortController();
    const answer = worker.run('analytics', input, { signal: controller.signal });
    const flight: Flight = { answer, controller, waiting: 0 };
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    answer.then(land, land);
    flights.set(key, flight);
    return flight;
  }

  /** One caller of a flight; the flight is called off when its last caller is gone. */
  function join(flight: Flight, signal: AbortSignal | undefined): Promise<Uint8Array<ArrayBuffer>> {
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

  return { analytics, close: () => worker.close() };
}
