import { ApiError } from '../../../platform/api/errors.ts';
import type { UploadSession } from './session.ts';

/** Delays before the retries, ms. */
export const RETRY_WAITS_MS: readonly number[] = [1_000, 4_000, 16_000];
/** A `Retry-After` counts up to this, ms. */
const LONGEST_WAIT_MS = 60_000;

/** Ends early, without an error, when the signal aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** A scheduled retry. */
export interface RetryNotice {
  /** Of `RETRY_WAITS_MS.length`, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: ApiError;
}

export interface RetryContext {
  readonly sleep: Sleep;
  readonly onRetry: (notice: RetryNotice | null) => void;
}

/** The same request may succeed later. */
export function isPassing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.kind === 'network' || error.kind === 'timeout') return true;
  // A full quota and too many sessions stay so until somebody acts.
  if (error.kind !== 'status' || error.status === 507) return false;
  return error.status >= 500 || (error.status === 429 && error.code !== 'usage_import_session_limit_exceeded');
}

/** Attempts of one step, until there is progress. */
export interface Tries {
  /** @throws the error when its attempts are used up; the reason of the signal */
  readonly waitAfter: (error: ApiError, signal: AbortSignal) => Promise<void>;
  readonly reset: () => void;
}

export function createAttempts({ sleep, onRetry }: RetryContext): Tries {
  let used = 0;
  return {
    waitAfter: async (error, signal) => {
      const backoffMs = RETRY_WAITS_MS[used];
      if (backoffMs === undefined) throw error;
      used += 1;
      const waitMs = Math.max(backoffMs, Math.min(LONGEST_WAIT_MS, (error.retryAfterSeconds ?? 0) * 1_000));
      onRetry({ attempt: used, waitMs, error });
      await sleep(waitMs, signal);
      signal.throwIfAborted();
      onRetry(null);
    },
    reset: () => {
      used = 0;
    },
  };
}

/** For requests that are safe to repeat. */
export async function withRetries(
  context: RetryContext,
  call: () => Promise<UploadSession>,
  signal: AbortSignal,
): Promise<UploadSession> {
  const tries = createAttempts(context);
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await tries.waitAfter(error, signal);
    }
  }
}
