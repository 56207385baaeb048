import { ApiError, type Hop } from '../../../platform/api/errors.ts';
import type { PrefixDigest } from './digest/prefix-digest.ts';
import { kindOf, UploadError } from './problem.ts';
import { createAttempts, isPassing, RETRY_WAITS_MS, type RetryContext, type Tries } from './retry.ts';
import type { UploadSession } from './session.ts';
import type { SessionCalls } from './session-calls.ts';
import type { SliceSize } from './slice-size.ts';
import type { ChangeCheck, UploadSource } from './source.ts';

/** A proxy refused a slice; smaller ones follow. */
export interface HopNotice {
  /** Null when nothing answered in time. */
  readonly hop: Hop | null;
  readonly sliceBytes: number;
}

export interface SendContext extends RetryContext {
  readonly calls: Pick<SessionCalls, 'chunk' | 'read'>;
  readonly source: UploadSource;
  readonly check: ChangeCheck;
  readonly digest: PrefixDigest;
  readonly slices: SliceSize;
  readonly onSession: (session: UploadSession) => void;
  readonly onHashed: (bytes: number) => void;
  readonly onSmallerSlice: (notice: HopNotice) => void;
}

/** What happened since the session's last progress. */
interface Step {
  readonly tries: Tries;
  conflicts: number;
}

/**
 * Sends the missing bytes, until the session is no longer `uploading`. Throws ApiError, UploadError, and the reason of the
 * signal.
 */
export async function sendRest(
  context: SendContext,
  first: UploadSession,
  signal: AbortSignal,
): Promise<UploadSession> {
  let session = first;
  const step: Step = { tries: createAttempts(context), conflicts: 0 };
  for (;;) {
    const prefix = await provePrefix(context, session, signal);
    if (session.status !== 'uploading') return session;
    const next = await sendOne(context, session, prefix, step, signal);
    if (next.received_bytes !== session.received_bytes) {
      step.tries.reset();
      step.conflicts = 0;
    }
    session = next;
    context.onSession(session);
  }
}

/**
 * Digest of what the server has, which must be the beginning of the file: checked after a resume, after each chunk, and when the
 * server lost bytes.
 */
export async function provePrefix(
  { source, digest, onHashed }: Pick<SendContext, 'source' | 'digest' | 'onHashed'>,
  session: UploadSession,
  signal: AbortSignal,
): Promise<string> {
  if (session.size_bytes !== source.size || session.received_bytes > source.size) throw new UploadError('other_file');
  if (session.received_bytes === 0) return digest.at(0);
  const ours = await digest.at(session.received_bytes, { signal, onProgress: onHashed });
  if (ours !== session.received_prefix_sha256) throw new UploadError('prefix_mismatch');
  return ours;
}

/** One slice; the session afterwards, with or without progress. */
async function sendOne(
  context: SendContext,
  session: UploadSession,
  prefixSha256: string,
  step: Step,
  signal: AbortSignal,
): Promise<UploadSession> {
  const { calls, source, check, slices } = context;
  const { id, received_bytes: offset, size_bytes, chunk_size_bytes } = session;
  await check.requireUnchanged(offset);
  signal.throwIfAborted();
  const bytes = slices.fit(Math.min(chunk_size_bytes, size_bytes - offset));
  if (bytes <= 0) throw new UploadError('protocol', { message: 'the server takes no bytes' });
  const body = source.slice(offset, offset + bytes);
  try {
    const answer = await calls.chunk(id, { offset, body, prefixSha256 }, signal);
    if (answer.received_bytes <= offset || answer.received_bytes > offset + bytes)
      throw new UploadError('protocol', { message: `${answer.received_bytes} bytes after ${offset} and ${bytes}` });
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    return recover(context, { session, bytes, error, step, signal });
  }
}

interface Failure {
  readonly session: UploadSession;
  /** Of the slice. */
  readonly bytes: number;
  readonly error: ApiError;
  readonly step: Step;
  readonly signal: AbortSignal;
}

async function recover(context: SendContext, failure: Failure): Promise<UploadSession> {
  const { session, bytes, error, step, signal } = failure;
  if (error.status === 413 && error.hop !== null) {
    if (!continueSmaller(context, bytes, error)) throw error;
    return session;
  }
  if (isPassing(error)) return tryAgain(context, failure);
  const kind = kindOf(error);
  // A lowered chunk size counts as a change too.
  if (kind !== 'session_conflict' && kind !== 'too_large') throw error;
  step.conflicts += 1;
  if (step.conflicts > 1) throw error;
  // The server may still be busy with the slice aborted here.
  await context.sleep(RETRY_WAITS_MS[0] ?? 0, signal);
  signal.throwIfAborted();
  return context.calls.read(session.id, signal);
}

/** Whether the slice arrived is unknown, so the session is read first, however long that takes. */
async function tryAgain(
  context: SendContext,
  { session, bytes, error, step, signal }: Failure,
): Promise<UploadSession> {
  let reason = error;
  for (;;) {
    await step.tries.waitAfter(reason, signal);
    let found: UploadSession;
    try {
      found = await context.calls.read(session.id, signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (!isPassing(cause)) throw cause;
      reason = cause;
      continue;
    }
    // The server was reachable, but not for this slice: it is too large for a proxy, or for its time limit.
    const isSize = (error.status === 502 && error.hop !== null) || error.kind === 'timeout';
    const stands = found.received_bytes === session.received_bytes;
    if (reason === error && isSize && stands && continueSmaller(context, bytes, error)) step.tries.reset();
    return found;
  }
}

function continueSmaller({ slices, onSmallerSlice }: SendContext, bytes: number, { hop }: ApiError): boolean {
  if (!slices.halve(bytes)) return false;
  onSmallerSlice({ hop, sliceBytes: slices.fit(bytes) });
  return true;
}
