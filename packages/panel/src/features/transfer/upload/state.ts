import type { UploadProblem } from './problem.ts';
import type { RetryNotice } from './retry.ts';
import type { HopNotice } from './send.ts';
import type { ImportResult, UploadSession } from './session.ts';

export type UploadPhase =
  | 'idle'
  /** Asks the server, finds or makes the session. */
  | 'preparing'
  /** Compares the beginning of the file with what the server has: `hashedBytes`. */
  | 'hashing'
  | 'uploading'
  /** Nothing is sent until it is resumed; the tab keeps the session for itself. */
  | 'paused'
  /** Another tab sends this file. */
  | 'watching'
  /** All is received: the server imports, whether the panel is open or not. */
  | 'processing'
  | 'cancelling'
  | 'completed'
  | 'cancelled'
  /** `problem` says why, and whether it can go on. */
  | 'failed';

export interface UploadState {
  readonly phase: UploadPhase;
  readonly file: { readonly name: string; readonly sizeBytes: number } | null;
  /** As last heard from the server; null without sessions. */
  readonly session: UploadSession | null;
  readonly hashedBytes: number;
  /** What waits for its next try. */
  readonly retry: RetryNotice | null;
  /** Something on the way made it go on with smaller slices. */
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

/** The file stops going out when the page is left; what the server does goes on. */
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

const TAKES_A_PLACE: ReadonlySet<string> = new Set(['uploading', 'ready', 'processing']);

/** Also after a problem: a session that nobody goes on with still takes its place at the server. */
export function canCancel({ phase, session }: UploadState): boolean {
  if (phase === 'failed') return session !== null && (TAKES_A_PLACE.has(session.status) || session.retryable);
  return phase !== 'idle' && phase !== 'completed' && phase !== 'cancelled' && phase !== 'cancelling';
}

/** Phase of a session that is being worked with. */
export function phaseOf({ status }: UploadSession): UploadPhase {
  return status === 'uploading' ? 'uploading' : 'processing';
}
