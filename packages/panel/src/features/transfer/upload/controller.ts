import { cancelSession } from './follow.ts';
import { type ProblemKind, toProblem, type UploadProblem } from './problem.ts';
import { createRateMeter, percentOf, secondsLeft } from './rate.ts';
import { hasEnded, type UploadSession } from './session.ts';
import type { UploadSource } from './source.ts';
import { canCancel, canResume, IDLE, isAtRest, type UploadState } from './state.ts';
import { createUploadJob, type JobDeps, type JobEnd, type UploadJob } from './upload-job.ts';

export interface ControllerDeps extends JobDeps {
  /** Browser time, ms. */
  readonly clock: () => number;
  readonly publish: (state: UploadState) => void;
}

/** Becomes outdated while nothing arrives, so pages poll it every second. */
interface UploadProgress {
  /** Confirmed by the server. */
  readonly sentBytes: number;
  /** Whole, rounded down. */
  readonly percent: number;
  /** Mean of 10 s; null while unknown. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

/** One upload at a time for the whole panel: it continues on other pages. */
export interface UploadController {
  readonly state: () => UploadState;
  readonly progress: () => UploadProgress;
  /** False while another file is in progress. @param picked a session from the list that this file belongs to */
  readonly start: (source: UploadSource, picked?: UploadSession) => boolean;
  /** Stops sending; false where nothing is being sent. */
  readonly pause: () => boolean;
  /** Resumes after a pause or a temporary problem. */
  readonly resume: () => boolean;
  /** Cancels the upload or import at the server too. Imported events stay. */
  readonly cancel: () => Promise<void>;
  /** Drops a finished upload. */
  readonly dismiss: () => boolean;
  /** Aborts at once, for a sign-out; the file can be resumed later. */
  readonly stop: () => void;
}

/** Why a run was aborted. */
type StopReason = 'pause' | 'cancel' | 'stop';

const PAUSABLE: ReadonlySet<UploadState['phase']> = new Set(['preparing', 'hashing', 'uploading', 'watching']);
/** The session cannot be used again, so the next upload of the file starts over. */
const FORGET: ReadonlySet<ProblemKind> = new Set(['prefix_mismatch', 'session_gone', 'session_expired']);

interface Active {
  readonly source: UploadSource;
  readonly job: UploadJob;
  abort: AbortController;
  running: Promise<void>;
}

export function createUploadController(deps: ControllerDeps): UploadController {
  const rate = createRateMeter();
  let state = IDLE;
  let active: Active | null = null;

  function update(changes: Partial<UploadState>): void {
    state = { ...state, ...changes };
    if (changes.session && state.phase === 'uploading') rate.note(deps.clock(), changes.session.received_bytes);
    deps.publish(state);
  }

  function run(current: Active): void {
    current.abort = new AbortController();
    current.running = work(current, current.abort.signal);
  }

  /** Never rejects. */
  async function work(current: Active, signal: AbortSignal): Promise<void> {
    rate.reset();
    update({ problem: null, retry: null });
    try {
      const end = await current.job.run(signal);
      if (current === active) finish(current, end);
    } catch (error) {
      if (current !== active) return;
      const reason: StopReason | null = signal.aborted ? signal.reason : null;
      if (reason === 'pause') update({ phase: 'paused', retry: null });
      else if (reason === null) fail(current, toProblem(error));
    }
  }

  function finish({ job }: Active, end: JobEnd): void {
    if (end.kind === 'result') {
      job.close({ forget: true });
      update({ phase: 'completed', result: end.result, retry: null });
      return;
    }
    const { session } = end;
    const changes = { session, result: session.result ?? null, retry: null };
    if (hasEnded(session)) job.close({ forget: true });
    else job.release();
    if (session.status === 'completed') update({ ...changes, phase: 'completed' });
    else if (session.status === 'cancelled') update({ ...changes, phase: 'cancelled' });
    else update({ ...changes, phase: 'failed', problem: importFailed(session) });
  }

  function fail({ job }: Active, problem: UploadProblem): void {
    if (problem.resumable) job.release();
    else job.close({ forget: FORGET.has(problem.kind) });
    update({ phase: 'failed', problem, retry: null });
  }

  async function stopRun(current: Active, reason: StopReason): Promise<void> {
    current.abort.abort(reason);
    await current.running;
  }

  async function cancelAtServer(current: Active, session: UploadSession): Promise<void> {
    const retries = { sleep: deps.sleep, onRetry: (retry: UploadState['retry']) => update({ retry }) };
    current.abort = new AbortController();
    try {
      const ended = await cancelSession({ ...retries, calls: deps.calls }, session.id, current.abort.signal);
      if (current === active) finish(current, { kind: 'session', session: ended });
    } catch (error) {
      if (current !== active || current.abort.signal.aborted) return;
      const problem = toProblem(error);
      // A missing session is the intended result.
      if (problem.kind !== 'session_gone') {
        fail(current, problem);
        return;
      }
      current.job.close({ forget: true });
      update({ phase: 'cancelled', session: null, retry: null });
    }
  }

  return {
    state: () => state,
    progress: () => {
      const sentBytes = state.session?.received_bytes ?? 0;
      const sizeBytes = state.file?.sizeBytes ?? 0;
      const bytesPerSecond = state.phase === 'uploading' ? rate.bytesPerSecond(deps.clock()) : null;
      return {
        sentBytes,
        percent: percentOf(sentBytes, sizeBytes),
        bytesPerSecond,
        secondsLeft: secondsLeft(sizeBytes - sentBytes, bytesPerSecond),
      };
    },
    start: (source, picked) => {
      if (!isAtRest(state)) return false;
      active?.job.close({ forget: false });
      const job = createUploadJob(deps, source, picked ?? null, (changes) => {
        // An aborted run ends later.
        if (job === active?.job) update(changes);
      });
      active = { source, job, abort: new AbortController(), running: Promise.resolve() };
      update({ ...IDLE, phase: 'preparing', file: { name: source.name, sizeBytes: source.size } });
      run(active);
      return true;
    },
    pause: () => {
      if (active === null || !PAUSABLE.has(state.phase)) return false;
      active.abort.abort('pause' satisfies StopReason);
      return true;
    },
    resume: () => {
      const current = active;
      if (current === null || !canResume(state)) return false;
      run(current);
      return true;
    },
    cancel: async () => {
      const current = active;
      if (current === null || !canCancel(state)) return;
      await stopRun(current, 'cancel');
      if (current !== active) return;
      const session = current.job.session();
      if (session === null) {
        // If a session exists after all, its resume entry finds it.
        current.job.close({ forget: false });
        update({ phase: 'cancelled', retry: null });
        return;
      }
      update({ phase: 'cancelling', problem: null, retry: null });
      await cancelAtServer(current, session);
    },
    dismiss: () => {
      if (!isAtRest(state)) return false;
      active?.job.close({ forget: false });
      active = null;
      update(IDLE);
      return true;
    },
    stop: () => {
      const current = active;
      active = null;
      current?.abort.abort('stop' satisfies StopReason);
      current?.job.close({ forget: false });
      update(IDLE);
    },
  };
}

function importFailed(session: UploadSession): UploadProblem {
  return { kind: 'import_failed', message: session.error ?? '', status: 0, hop: null, resumable: session.retryable };
}
