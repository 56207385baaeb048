import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import type { UploadProblem } from './problem.ts';
import type { RetryNotice } from './retry.ts';
import type { HopNotice } from './send.ts';
import type { UploadSession } from './session.ts';

export type UploadPhase =
  | 'idle'
  /** Asks the server, finds or creates the session. */
  | 'preparing'
  /** Compares the beginning of the file with what the server has: `hashedBytes`. */
  | 'hashing'
  | 'uploading'
  /** Nothing is sent until it is resumed; the tab keeps the session locked. */
  | 'paused'
  /** Another tab sends this file. */
  | 'watching'
  /** Everything is received: the server imports, whether the panel is open or not. */
  | 'processing'
  | 'cancelling'
  | 'completed'
  | 'cancelled'
  /** `problem` has the reason, and whether it can be resumed. */
  | 'failed';

export interface UploadState {
  readonly phase: UploadPhase;
  readonly file: { readonly name: string; readonly sizeBytes: number } | null;
  /** The last known state of the session; null without sessions. */
  readonly session: UploadSession | null;
  readonly hashedBytes: number;
  /** The scheduled retry. */
  readonly retry: RetryNotice | null;
  /** A proxy made it continue with smaller slices. */
  readonly smaller: HopNotice | null;
  readonly problem: UploadProblem | null;
  /** Also of an import that ended early. */
  readonly result: ImportResult | null;
}

export const IDLE: UploadState = {
  phase: 'idle',
  file: null,
  session: null,
  hashedBytes: 0,
  retry: null,
  smaller: null,
  problem: null,
  result: null,
};

const LOST_ON_LEAVING: ReadonlySet<UploadPhase> = new Set(['preparing', 'hashing', 'uploading']);

/** Leaving the page stops the sending; the server's work continues. */
export function stopsOnLeaving({ phase }: UploadState): boolean {
  return LOST_ON_LEAVING.has(phase);
}

const AT_REST: ReadonlySet<UploadPhase> = new Set(['idle', 'completed', 'cancelled', 'failed']);

/** Another file may be started. */
export function isAtRest({ phase }: UploadState): boolean {
  return AT_REST.has(phase);
}

export function canResume({ phase, problem }: UploadState): boolean {
  return phase === 'paused' || (phase === 'failed' && problem?.resumable === true);
}

const TAKES_A_SLOT: ReadonlySet<string> = new Set(['uploading', 'ready', 'processing']);

/** Also after a problem: an abandoned session still takes a slot at the server. */
export function canCancel({ phase, session }: UploadState): boolean {
  if (phase === 'failed') return session !== null && (TAKES_A_SLOT.has(session.status) || session.retryable);
  return phase !== 'idle' && phase !== 'completed' && phase !== 'cancelled' && phase !== 'cancelling';
}

/** Phase of a session in progress. */
export function phaseOf({ status }: UploadSession): UploadPhase {
  return status === 'uploading' ? 'uploading' : 'processing';
}
