import { AppError } from '@manager/core/contract/errors';
import { stopPoint } from '../../../../platform/stop-point.ts';
import { isDiskFull } from '../../../../sqlite/database-problem.ts';
import { type ImportCounts, type Importer, ImportInterrupted, ImportRefused, toImportResult } from '../importer.ts';
import { type BytesOnDisk, compareWithDisk, followDisk, lossOf, refusalOf } from './received-bytes.ts';
import { DISK_FULL, FILE_LOST, INTERRUPTED, type SessionRecord } from './record.ts';
import {
  conflict,
  type ImportSession,
  mismatch,
  resized,
  type SessionContext,
  SessionStopped,
  update,
} from './session.ts';

export interface JobContext extends SessionContext {
  readonly importer: Importer;
  /** Longest wait of a request for the check of its file; then the check continues in the job. */
  readonly checkWaitMs: number;
}

/** Starts the import of a completely received file. Returns when it is `processing`, or already was. */
export function complete(context: JobContext, session: ImportSession): Promise<void> {
  const begin = async () => {
    try {
      await beginJob(context, session);
    } finally {
      session.completing = null;
    }
  };
  session.completing ??= begin();
  return session.completing;
}

async function beginJob(context: JobContext, session: ImportSession): Promise<void> {
  if (!mayBegin(session)) return;
  const check = checkFile(context, session);
  // It may end long after the request did.
  check.catch(() => {});
  const found = await Promise.race([check, Bun.sleep(context.checkWaitMs).then(() => null)]);
  if (!mayBegin(session)) return;
  if (found !== null && found !== 'same') {
    await session.steps.run(() => followDisk(context, session, found));
    throw found === 'changed' ? mismatch() : resized();
  }
  await update(context, session, () => ({ status: 'processing', retryable: false, error: null, result: null }));
  stopPoint('import_processing_recorded');
  const abort = new AbortController();
  const ended = runJob(context, session, check, abort.signal).finally(() => {
    session.job = null;
  });
  session.job = { abort, ended };
}

/** False when there is nothing to do. @throws AppError 409 when an import cannot start */
function mayBegin(session: ImportSession): boolean {
  const { record, chunk, cancelling } = session;
  const { status, retryable } = record;
  if (status === 'processing' || status === 'completed') return false;
  if (cancelling !== null) throw conflict('the import session is being canceled');
  if (chunk !== null) throw conflict('a chunk of this import session is being received');
  if (status === 'ready' || (status === 'failed' && retryable)) return true;
  throw refusalOf(session);
}

function checkFile(context: JobContext, session: ImportSession): Promise<BytesOnDisk> {
  return session.steps.run(async () => {
    if (session.cancelling !== null) throw conflict('the import session is being canceled');
    return compareWithDisk(context, session);
  });
}

type End = Pick<SessionRecord, 'status' | 'retryable' | 'error'> & { readonly counts: ImportCounts | null };

/** Never rejects. */
async function runJob(
  context: JobContext,
  session: ImportSession,
  checked: Promise<BytesOnDisk>,
  signal: AbortSignal,
): Promise<void> {
  const { id } = session.record;
  const end = await importFile(context, session, checked, signal);
  if (end === null) return;
  const { counts, ...outcome } = end;
  const result = counts === null ? null : toImportResult(counts);
  stopPoint('import_ended');
  try {
    await update(context, session, () => ({ ...outcome, result, cancel_requested: false }));
  } catch (error) {
    context.log.warn({ err: error, id }, 'the end of an import cannot be stored');
    // A full disk blocks both the events and their final state.
    const text = outcome.retryable ? outcome.error : null;
    session.record = { ...session.record, status: 'failed', retryable: true, error: text ?? INTERRUPTED, result };
    return;
  }
  // The importer has logged the failures.
  context.log.info({ id, status: outcome.status, ...result, failures: undefined }, 'import session');
  stopPoint('import_end_recorded');
  if (!(outcome.status === 'failed' && outcome.retryable)) await context.removePart(session);
}

/** Null at shutdown: the next start finds it unchanged. */
async function importFile(
  context: JobContext,
  session: ImportSession,
  checked: Promise<BytesOnDisk>,
  signal: AbortSignal,
): Promise<End | null> {
  let counts: ImportCounts | null = null;
  try {
    if ((await checked) !== 'same') throw mismatch();
    counts = await context.importer.run(
      { kind: 'file', path: context.files.partPath(session.record.id) },
      {
        signal,
        onCounts: (current) => {
          counts = current;
          stopPoint('import_batch_committed');
        },
      },
    );
    return { status: 'completed', retryable: false, error: null, counts };
  } catch (error) {
    return endOf(context, session, error, signal, counts);
  }
}

function endOf(
  { log }: JobContext,
  session: ImportSession,
  error: unknown,
  signal: AbortSignal,
  counts: ImportCounts | null,
): End | null {
  if (error instanceof ImportRefused)
    return { status: 'failed', retryable: false, error: error.message, counts: error.counts };
  const soFar = error instanceof ImportInterrupted ? error.counts : counts;
  const stopped: unknown = signal.aborted ? signal.reason : error;
  if (stopped instanceof SessionStopped) {
    if (stopped.by === 'shutdown') return null;
    return { status: 'cancelled', retryable: false, error: null, counts: soFar };
  }
  log.warn({ err: error, id: session.record.id }, 'an import was interrupted');
  if (isLost(error)) return { status: 'failed', retryable: false, error: FILE_LOST, counts: soFar };
  return { status: 'failed', retryable: true, error: isFull(error) ? DISK_FULL : INTERRUPTED, counts: soFar };
}

function isFull(error: unknown): boolean {
  return error instanceof ImportInterrupted && isDiskFull(error.cause);
}

/** The bytes are missing or changed: found by a check that ended after its request, or by the reader. */
function isLost(error: unknown): boolean {
  if (error instanceof AppError) return true;
  return error instanceof ImportInterrupted && lossOf(error.cause) !== null;
}
