import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isUnsupported } from '../../../platform/api/data-source.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { useStore } from '../../../platform/store.ts';
import { useTransfers } from '../transfers.ts';
import { cancelSession } from '../upload/follow.ts';
import { toProblem, type UploadProblem } from '../upload/problem.ts';
import type { UploadSession } from '../upload/session.ts';
import { sleep } from '../upload/sleep.ts';
import { canCancel } from '../upload/state.ts';
import { isActive } from './session-view.ts';

const KEY = 'import-sessions';
/** Polling intervals with and without active work, ms. */
const ACTIVE_MS = 3_000;
const QUIET_MS = 30_000;

/** The latest sessions of a status ('' = all) with the server's limits. */
export function useImportSessions(status: string) {
  const { uploads } = useTransfers();
  const queries = useQueryClient();
  const { phase, session } = useStore(uploads.store);
  const query = useQuery({
    queryKey: [KEY, status],
    queryFn: () => uploads.calls.list(status === '' ? {} : { status }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (isUnsupported(state.error)) return false;
      return state.data?.sessions.some(isActive) === true ? ACTIVE_MS : QUIET_MS;
    },
  });
  // Changes by this tab appear in the list at once.
  const step = `${phase} ${session?.status ?? ''}`;
  useEffect(() => {
    if (step !== 'idle ') void queries.invalidateQueries({ queryKey: [KEY] });
  }, [step, queries]);
  return query;
}

/** One session that the list may not contain; null = deleted at the server. */
export function useImportSession(id: string, enabled: boolean) {
  const { uploads } = useTransfers();
  return useQuery({
    queryKey: [KEY, 'one', id],
    queryFn: async ({ signal }) => {
      try {
        return await uploads.calls.read(id, signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled,
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? ACTIVE_MS : false),
  });
}

export interface SessionWork {
  /** Ids of sessions that are being changed. */
  readonly busy: ReadonlySet<string>;
  /** The last failed change. */
  readonly failure: { readonly session: UploadSession; readonly problem: UploadProblem } | null;
  readonly cancel: (session: UploadSession) => Promise<void>;
  /** Lets the server import what it has received. */
  readonly finish: (session: UploadSession) => Promise<void>;
  readonly forgetFailure: () => void;
}

/** Actions on a session that do not need its file. */
export function useSessionWork(): SessionWork {
  const { uploads } = useTransfers();
  const queries = useQueryClient();
  const [busy, setBusy] = useState<SessionWork['busy']>(new Set());
  const [failure, setFailure] = useState<SessionWork['failure']>(null);

  async function work(session: UploadSession, call: () => Promise<unknown>): Promise<void> {
    setFailure(null);
    setBusy((before) => new Set(before).add(session.id));
    try {
      await call();
    } catch (error) {
      const problem = toProblem(error);
      // A missing session is as good as a canceled one.
      if (problem.kind !== 'session_gone') setFailure({ session, problem });
    } finally {
      setBusy((before) => new Set([...before].filter((id) => id !== session.id)));
      await queries.invalidateQueries({ queryKey: [KEY] });
    }
  }

  return {
    busy,
    failure,
    cancel: (session) =>
      work(session, async () => {
        const { controller, calls } = uploads;
        const state = controller.state();
        // The upload of this tab has to stop as well.
        if (state.session?.id === session.id && canCancel(state)) await controller.cancel();
        else await cancelSession({ calls, sleep, onRetry: () => {} }, session.id, new AbortController().signal);
      }),
    finish: (session) => work(session, () => uploads.calls.complete(session.id)),
    forgetFailure: () => setFailure(null),
  };
}
