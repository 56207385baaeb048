import type { ArchivePreview } from '@manager/core/contract/archives/runs';
import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { ApiError } from '../../platform/api/errors.ts';
import { pollPause } from '../../platform/api/poll.ts';
import { useServices } from '../../platform/api/services.ts';
import { isFollowed } from './runs/run-actions.ts';
import { archiveCalls, type Maintenance, type RunList } from './wire.ts';

const KEY = 'archives';
/** Polling intervals with and without an active stage, ms. */
const WORKING_MS = 5_000;
const QUIET_MS = 60_000;
/** Shortest polling interval of one active run, ms. */
const FOLLOWED_MS = 2_000;
const PREVIEW_KEPT_MS = 60_000;

export function useArchiveCalls() {
  const { client } = useServices();
  return useMemo(() => archiveCalls(client), [client]);
}

/** The run with an active stage or compaction, whoever started it; null = none. */
export function busyRunId({ active_lock, active_run, compacting_run }: Maintenance): string | null {
  if (active_lock !== undefined) return active_lock.run_id;
  const followed = [active_run, compacting_run].find((run) => run !== undefined && isFollowed(run));
  return followed?.id ?? null;
}

/** Work that is polled every few seconds is in progress. */
export function isWatched(maintenance: Maintenance, unwatched: string): boolean {
  const busy = busyRunId(maintenance);
  return busy !== null && busy !== unwatched;
}

/**
 * Whether the server has archives, and their state. A network error decides nothing. `unwatched` = a run that nobody watches any
 * more; '' = none.
 */
export function useMaintenance(unwatched: string) {
  const calls = useArchiveCalls();
  const queries = useQueryClient();
  const probe = useQuery({
    queryKey: [KEY, 'probe'],
    queryFn: ({ signal }) => calls.probe(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const maintenance = useQuery({
    queryKey: [KEY, 'maintenance'],
    queryFn: ({ signal }) => calls.maintenance(signal),
    enabled: probe.data === true,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) =>
      pollPause(state, state.data !== undefined && isWatched(state.data, unwatched) ? WORKING_MS : QUIET_MS),
  });
  const deleted = maintenance.data?.raw_deleted_event_count;
  const before = useRef(deleted);
  useEffect(() => {
    if (before.current !== undefined && deleted !== undefined && before.current !== deleted) {
      // Requests are missing in lists now, and their ranges have a note.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY });
    }
    before.current = deleted;
  }, [deleted, queries]);
  return { probe, maintenance };
}

/** The server is older, or another one answers. */
export function isForeign(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'shape' || error.status === 404 || error.status === 405);
}

/** Runs of a status and mode ('' = all), the newest first, page by page. */
export function useRuns(
  filter: { readonly status: string; readonly mode: string },
  unwatched: string,
  enabled: boolean,
) {
  const calls = useArchiveCalls();
  return useInfiniteQuery({
    queryKey: [KEY, 'list', filter.status, filter.mode],
    queryFn: ({ pageParam, signal }) => calls.list(filter, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last: RunList) => last.next_cursor,
    enabled,
    placeholderData: keepPreviousData<InfiniteData<RunList, string>>,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => {
      const runs = state.data?.pages.flatMap((page) => page.runs) ?? [];
      return pollPause(state, runs.some((run) => isFollowed(run) && run.id !== unwatched) ? WORKING_MS : QUIET_MS);
    },
  });
}

/** One run with its files; null = none with this id. */
export function useRun(id: string, unwatched: string) {
  const calls = useArchiveCalls();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: [KEY, 'run', id],
    queryFn: async ({ signal }) => {
      try {
        return await calls.read(id, signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    enabled: id !== '',
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => {
      const run = state.data?.run;
      return pollPause(state, run !== undefined && isFollowed(run) && id !== unwatched ? FOLLOWED_MS : QUIET_MS);
    },
  });
  const run = query.data?.run;
  const step = run === undefined ? '' : `${run.id} ${run.status} ${run.requested_stage ?? ''} ${run.compaction ?? ''}`;
  const before = useRef(step);
  useEffect(() => {
    const moved = before.current !== '' && step !== '' && before.current !== step;
    before.current = step;
    if (!moved) return;
    // Lists and sums show it at once, not with their next poll.
    for (const part of ['maintenance', 'list', 'preview', 'failed'])
      void queries.invalidateQueries({ queryKey: [KEY, part] });
  }, [step, queries]);
  return query;
}

/** A preview of what is older than the cutoff; it changes nothing. */
export function usePreview(cutoffMs: number | null) {
  const calls = useArchiveCalls();
  return useQuery({
    queryKey: [KEY, 'preview', cutoffMs],
    queryFn: ({ signal }): Promise<ArchivePreview> => calls.preview(cutoffMs ?? 0, signal),
    enabled: cutoffMs !== null,
    staleTime: PREVIEW_KEPT_MS,
  });
}

/** Changes the retention; the page shows what the server answered. */
export function useSaveRetention() {
  const calls = useArchiveCalls();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: calls.saveRetention,
    onSuccess: (retention) =>
      queries.setQueryData<Maintenance>([KEY, 'maintenance'], (known) =>
        known === undefined ? known : { ...known, retention },
      ),
    // It may have become locked, a run may have begun.
    onSettled: () => reread(queries),
  });
}

/** Applies an answer about a run before anything is reloaded. */
export const runKey = (id: string): readonly string[] => [KEY, 'run', id];

/** Reloads everything of this page, but not whether archives exist. */
export function reread(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: [KEY], predicate: ({ queryKey }) => queryKey[1] !== 'probe' });
}
