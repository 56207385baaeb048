import { stopPoint } from '../../../../platform/stop-point.ts';
import { type ImportSession, type SessionContext, SessionStopped, update } from './session.ts';

/** Returns when the session is `cancelled`, had already ended, or is `processing` and being stopped. */
export function cancel(context: SessionContext, session: ImportSession): Promise<void> {
  const { status } = session.record;
  if (status === 'completed' || status === 'cancelled') return Promise.resolve();
  const run = async () => {
    try {
      await stopWork(context, session);
    } finally {
      session.cancelling = null;
    }
  };
  session.cancelling ??= run();
  return session.cancelling;
}

async function stopWork(context: SessionContext, session: ImportSession): Promise<void> {
  const stopped = new SessionStopped('cancellation');
  if (session.record.status === 'processing') return stopJob(context, session, stopped);
  if (session.chunk !== null) {
    // A crash must not bring the session back.
    await update(context, session, () => ({ cancel_requested: true })).catch((cause: unknown) => {
      context.log.warn({ err: cause, id: session.record.id }, 'the cancellation could not be stored before it started');
    });
    stopPoint('import_cancel_requested');
    session.chunk?.abort(stopped);
  }
  session.check?.abort(stopped);
  await session.completing?.catch(() => {});
  // The completion may have been faster.
  if (session.job !== null) return stopJob(context, session, stopped);
  await session.steps.run(() => finish(context, session));
}

async function stopJob(context: SessionContext, session: ImportSession, stopped: SessionStopped): Promise<void> {
  await update(context, session, ({ status }) => (status === 'processing' ? { cancel_requested: true } : null)).catch(
    (cause: unknown) => {
      context.log.warn({ err: cause, id: session.record.id }, 'the cancellation could not be stored before it started');
    },
  );
  stopPoint('import_job_cancel_requested');
  session.job?.abort.abort(stopped);
  session.check?.abort(stopped);
}

async function finish(context: SessionContext, session: ImportSession): Promise<void> {
  const cancelled = () =>
    update(context, session, ({ status }) =>
      status === 'completed' ? null : { status: 'cancelled', retryable: false, error: null, cancel_requested: false },
    );
  try {
    await cancelled();
  } catch {
    // A full disk is a reason to cancel: removing the bytes frees the space for the metadata.
    await context.removePart(session);
    await cancelled();
  }
  await context.removePart(session);
}
