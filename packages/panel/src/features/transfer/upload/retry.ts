import { ApiError } from '../../../platform/api/errors.ts';
import type { UploadSession } from './session.ts';

/** Waits before the tries that follow a failed one, ms. */
export const RETRY_WAITS_MS: readonly number[] = [1_000, 4_000, 16_000];
/** A `Retry-After` counts up to this, ms. */
const LONGEST_WAIT_MS = 60_000;

/** Ends early, without an error, when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** A try that is yet to come. */
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

/** The same call may succeed later. */
export function isPassing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  if (error.kind === 'network' || error.kind === 'timeout') return true;
  // A full quota stays full, and too many sessions stay too many, until somebody acts.
  if (error.kind !== 'status' || error.status === 507) return false;
  return error.status >= 500 || (error.status === 429 && error.code !== 'usage_import_session_limit_exceeded');
}

/** Tries of one step, until something moves on. */
export interface Tries {
  /** @throws the error when its tries are used up; the reason of the signal */
  readonly waitAfter: (error: ApiError, signal: AbortSignal) => Promise<void>;
  readonly reset: () => void;
}

export function createTries({ sleep, onRetry }: RetryContext): Tries {
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

/** For calls that do no harm when they are made twice. */
export async function withTries(
  context: RetryContext,
  call: () => Promise<UploadSession>,
  signal: AbortSignal,
): Promise<UploadSession> {
  const tries = createTries(context);
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await tries.waitAfter(error, signal);
    }
  }
}
