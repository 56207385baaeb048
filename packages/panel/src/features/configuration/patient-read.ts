import { ApiError } from '../../platform/api/errors.ts';

/** How long a read may take before the page says what it waits for, ms. */
export const PATIENCE_MS = 5_000;

/** A read without an answer so far. */
export interface Wait {
  readonly id: number;
  readonly cancel: () => void;
  /** Gives up this request and sends another one. */
  readonly again: () => void;
}

let lastId = 0;

export interface PatientReadDeps<T> {
  readonly read: (signal: AbortSignal) => Promise<T>;
  readonly onWait: (wait: Wait) => void;
  readonly onEnd: (wait: Wait) => void;
  /** Calls back once, unless stopped. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/**
 * Reads, and reports when it takes long.
 *
 * @throws ApiError `aborted` after `cancel`, otherwise what `read` throws
 */
export async function readPatiently<T>(deps: PatientReadDeps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const attempt = new AbortController();
    let isRepeated = false;
    lastId += 1;
    const wait: Wait = {
      id: lastId,
      cancel: () => attempt.abort(),
      again() {
        isRepeated = true;
        attempt.abort();
      },
    };
    const stop = deps.after(PATIENCE_MS, () => deps.onWait(wait));
    try {
      return await deps.read(signal === undefined ? attempt.signal : AbortSignal.any([attempt.signal, signal]));
    } catch (error) {
      if (!attempt.signal.aborted) throw error;
      if (!isRepeated || signal?.aborted === true)
        throw new ApiError('aborted', 'canceled', { path: '', atMs: Date.now() });
    } finally {
      stop();
      deps.onEnd(wait);
    }
  }
}

export const isCanceled = (error: unknown): boolean => error instanceof ApiError && error.kind === 'aborted';
