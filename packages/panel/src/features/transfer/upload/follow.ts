import { ApiError } from '../../../platform/api/errors.ts';
import { kindOf, UploadError } from './problem.ts';
import { type RetryContext, type Sleep, withRetries } from './retry.ts';
import { type SendContext, sendRest } from './send.ts';
import { hasEnded, type UploadSession } from './session.ts';
import type { SessionCalls } from './session-calls.ts';

export interface FollowContext extends SendContext {
  readonly calls: SessionCalls;
}

/** Polling intervals, ms: short at first, for small files. */
const FIRST_POLL_MS = 500;
const LONGEST_POLL_MS = 3_000;
const POLL_GROWTH = 1.25;
/** A server that restarts repeatedly starts the import each time; after this many, somebody has to check. */
const MAX_COMPLETIONS = 5;

/**
 * Performs the next step of the session's status until it has ended; `failed` and retryable counts as an end the second time.
 * Throws ApiError, UploadError, and the reason of the signal.
 */
export async function followSession(
  context: FollowContext,
  first: UploadSession,
  signal: AbortSignal,
): Promise<UploadSession> {
  let session = first;
  let completions = 0;
  let failures = 0;
  for (;;) {
    signal.throwIfAborted();
    context.onSession(session);
    if (hasEnded(session)) return session;
    switch (session.status) {
      case 'uploading':
        session = await sendRest(context, session, signal);
        break;
      case 'failed':
        failures += 1;
        if (failures > 1) return session;
        session = await complete(context, session, signal);
        break;
      case 'ready':
        completions += 1;
        if (completions > MAX_COMPLETIONS) throw new UploadError('unavailable');
        session = await complete(context, session, signal);
        break;
      case 'processing':
        session = await pollWhileProcessing(context, session, signal);
        break;
      default:
        throw new UploadError('protocol', { message: `unknown status: ${session.status}` });
    }
  }
}

async function complete(context: FollowContext, { id }: UploadSession, signal: AbortSignal): Promise<UploadSession> {
  try {
    return await withRetries(context, () => context.calls.complete(id), signal);
  } catch (error) {
    // It changed meanwhile: its present state decides.
    if (error instanceof ApiError && kindOf(error) === 'session_conflict') return context.calls.read(id, signal);
    throw error;
  }
}

async function pollWhileProcessing(
  context: FollowContext,
  first: UploadSession,
  signal: AbortSignal,
): Promise<UploadSession> {
  for (const pause = createPause(context.sleep); ; ) {
    await pause(signal);
    const session = await withRetries(context, () => context.calls.read(first.id, signal), signal);
    if (session.status !== 'processing') return session;
    context.onSession(session);
  }
}

/** Waits a little longer each time. @throws the reason of the signal */
function createPause(sleep: Sleep): (signal: AbortSignal) => Promise<void> {
  let ms = FIRST_POLL_MS;
  return async (signal) => {
    await sleep(ms, signal);
    signal.throwIfAborted();
    ms = Math.min(LONGEST_POLL_MS, ms * POLL_GROWTH);
  };
}

export interface WatchContext extends RetryContext {
  readonly calls: Pick<SessionCalls, 'read'>;
  readonly onSession: (session: UploadSession) => void;
  /** Tries to become the tab that uploads the session; null while another one is. */
  readonly acquire: () => Promise<(() => void) | null>;
}

export interface Watched {
  readonly session: UploadSession;
  /** Set when the other tab has released it and this one may continue. */
  readonly release: (() => void) | null;
}

/** Watches while another tab sends, until that has ended or the tab is closed. */
export async function watchSession(context: WatchContext, first: UploadSession, signal: AbortSignal): Promise<Watched> {
  let session = first;
  for (const pause = createPause(context.sleep); ; ) {
    context.onSession(session);
    if (hasEnded(session)) return { session, release: null };
    await pause(signal);
    const release = await context.acquire();
    try {
      session = await withRetries(context, () => context.calls.read(first.id, signal), signal);
    } catch (error) {
      release?.();
      throw error;
    }
    if (release !== null) return { session, release };
  }
}

/** Polling after a cancellation: interval and limit, ms. */
const CANCEL_POLL_MS = 250;
const CANCEL_LIMIT_MS = 30_000;

/** Cancels; the import may also have finished first. @throws ApiError, UploadError */
export async function cancelSession(
  context: RetryContext & { readonly calls: Pick<SessionCalls, 'cancel' | 'read'> },
  id: string,
  signal: AbortSignal,
): Promise<UploadSession> {
  let session = await withRetries(context, () => context.calls.cancel(id), signal);
  for (let waitedMs = 0; session.status === 'processing'; waitedMs += CANCEL_POLL_MS) {
    if (waitedMs >= CANCEL_LIMIT_MS) throw new UploadError('cancel_pending');
    await context.sleep(CANCEL_POLL_MS, signal);
    signal.throwIfAborted();
    session = await withRetries(context, () => context.calls.read(id, signal), signal);
  }
  return session;
}
