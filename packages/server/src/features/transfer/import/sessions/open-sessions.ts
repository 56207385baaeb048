import { basename, dirname } from 'node:path';
import { AppError } from '@manager/core/contract/errors';
import { openPrivateDirectory } from '../../../../platform/files/private-directory.ts';
import { createLoop } from '../../../../platform/loop.ts';
import { stopPoint } from '../../../../platform/stop-point.ts';
import type { Importer } from '../importer.ts';
import type { ChunkContext } from './chunk.ts';
import type { JobContext } from './job.ts';
import { isId } from './record.ts';
import { checkRecovered, type RecoveryContext, recoverSessions } from './recovery.ts';
import { answerable, type ImportSession, isIdle, type SessionLog, SessionStopped } from './session.ts';
import { createSessionFiles, type SessionFiles, TEMPORARY } from './session-files.ts';

export interface OpenSessionsDeps {
  /** Directory of the session files; created if missing. */
  readonly directory: string;
  readonly chunkBytes: number;
  readonly ttlMs: number;
  readonly importer: Importer;
  readonly now: () => number;
  readonly log: SessionLog;
  /** Default 120,000. */
  readonly stallMs?: number;
  /** Default 10,000: well below the timeout of clients. */
  readonly checkWaitMs?: number;
}

/** Context of every action on an import session. */
export type SessionsContext = JobContext & ChunkContext & RecoveryContext;

export interface Opened {
  readonly context: SessionsContext;
  readonly sessions: Map<string, ImportSession>;
}

/** Keeps the sessions: opens and recovers them once, removes expired ones, ends their work. */
export interface OpenSessions {
  /** Recovers the sessions of an earlier process, and checks for expired ones regularly. Never throws. */
  start(): void;
  /** All sessions, without the expired ones. @throws AppError when they cannot be reached */
  open(): Promise<Opened>;
  /**
   * Runs an action on one session, which is not removed meanwhile. @throws AppError 404; errors of the action as answers
   */
  use<T>(id: string, action: (context: SessionsContext, session: ImportSession) => Promise<T>): Promise<T>;
  /** Ends all work at the next safe point: a job stays `processing` on disk, for the next start. */
  stop(): Promise<void>;
}

const LONGEST_CLEANUP_PAUSE_MS = 15 * 60_000;
const SHORTEST_CLEANUP_PAUSE_MS = 1_000;

export function createOpenSessions(deps: OpenSessionsDeps): OpenSessions {
  const { now, log } = deps;
  let opened: Promise<Opened> | null = null;
  let cleaning: Promise<void> | null = null;
  let stopping = false;
  /** Files that could not be removed in time. */
  const left = { records: new Set<string>(), parts: new Set<string>() };

  async function openDirectory(): Promise<Opened> {
    const directory = await openPrivateDirectory(dirname(deps.directory), basename(deps.directory), {
      temporary: TEMPORARY,
    });
    const files = createSessionFiles(directory);
    const context: SessionsContext = {
      ...deps,
      files,
      stallMs: deps.stallMs ?? 120_000,
      checkWaitMs: deps.checkWaitMs ?? 10_000,
      removePart: (session) => removeFile(files, 'parts', session.record.id),
    };
    const sessions = new Map<string, ImportSession>();
    for (const session of await recoverSessions(context)) {
      sessions.set(session.record.id, session);
      session.recovering = checkRecovered(context, session).finally(() => {
        session.recovering = null;
      });
    }
    return { context, sessions };
  }

  /** Never rejects. */
  async function removeFile(files: SessionFiles, kind: 'records' | 'parts', id: string): Promise<void> {
    try {
      await (kind === 'parts' ? files.removePart(id) : files.removeRecord(id));
      left[kind].delete(id);
    } catch (error) {
      if (!left[kind].has(id)) log.warn({ err: error, id }, 'a file of an import session cannot be removed; retrying');
      left[kind].add(id);
    }
  }

  async function cleanUp({ context, sessions }: Opened): Promise<void> {
    const { files } = context;
    for (const id of left.records) await removeFile(files, 'records', id);
    for (const id of left.parts) await removeFile(files, 'parts', id);
    for (const session of [...sessions.values()]) {
      const { id, status, expires_at_ms } = session.record;
      if (expires_at_ms > now() || status === 'processing' || !isIdle(session)) continue;
      // First, so that no request finds it any more.
      sessions.delete(id);
      await removeFile(files, 'records', id);
      stopPoint('import_record_removed');
      await removeFile(files, 'parts', id);
    }
  }

  async function open(): Promise<Opened> {
    if (stopping) throw new AppError('usage_import_session_unavailable');
    opened ??= openDirectory().catch((error: unknown) => {
      opened = null;
      throw answerable(error);
    });
    const current = await opened;
    cleaning ??= cleanUp(current).finally(() => {
      cleaning = null;
    });
    await cleaning;
    return current;
  }

  const pauseMs = Math.max(SHORTEST_CLEANUP_PAUSE_MS, Math.min(deps.ttlMs / 4, LONGEST_CLEANUP_PAUSE_MS));

  const cleaner = createLoop({
    async round() {
      await open();
      return pauseMs;
    },
    failed(error) {
      log.warn({ err: error instanceof Error ? error.cause : error }, 'import sessions cannot be used');
      return pauseMs;
    },
  });

  return {
    open,
    start: cleaner.start,
    async use(id, action) {
      const { context, sessions } = await open();
      const session = isId(id) ? sessions.get(id) : undefined;
      if (session === undefined) throw new AppError('usage_import_session_not_found');
      session.users += 1;
      try {
        return await action(context, session);
      } catch (error) {
        if (error instanceof SessionStopped) throw error.toAnswer();
        throw answerable(error);
      } finally {
        session.users -= 1;
      }
    },
    async stop() {
      stopping = true;
      await cleaner.stop();
      await cleaning;
      const current = await opened?.catch(() => null);
      if (current == null) return;
      const sessions = [...current.sessions.values()];
      for (const session of sessions) stopWork(session);
      await Promise.allSettled(sessions.map(({ completing }) => completing));
      // A job may have started meanwhile.
      for (const session of sessions) stopWork(session);
      await Promise.all(sessions.flatMap(({ job, steps, saves }) => [job?.ended, steps.idle(), saves.idle()]));
    },
  };
}

function stopWork({ chunk, check, job }: ImportSession): void {
  const stopped = new SessionStopped('shutdown');
  chunk?.abort(stopped);
  check?.abort(stopped);
  job?.abort.abort(stopped);
}
