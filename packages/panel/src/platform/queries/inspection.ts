import { detailWithKeys } from '@manager/core/accounts/inspection/codex/reasons';
import type {
  InspectionActionsRequest,
  InspectionActionsResponse,
  InspectionRun,
  InspectionRunDetail,
  InspectionRunList,
} from '@manager/core/contract/inspection/runs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallOptions, Client } from '../api/client.ts';
import { isUnsupported } from '../api/data-source.ts';
import { pollPause, sizedPause } from '../api/poll.ts';
import { useServices } from '../api/services.ts';

const PATH = 'v0/management/codex-inspection';
/** First part of the query keys of inspections. */
export const INSPECTION_KEY = 'inspection';
/** A batch is answered when its last action has ended. */
const LONG_MS = 600_000;
export const ACTIVE_POLL_MS = 2_000;
const IDLE_POLL_MS = 30_000;

export function inspectionCalls(client: Client) {
  return {
    start: () => runDetail(client, 'run', { method: 'POST', timeoutMs: LONG_MS }),
    cancel: (runId: string) => runDetail(client, `runs/${runId}/cancel`, { method: 'POST', timeoutMs: 60_000 }),
    act: async (runId: string, body: InspectionActionsRequest): Promise<InspectionActionsResponse> => {
      const { outcomes, detail } = await client.call<InspectionActionsResponse>(`${PATH}/runs/${runId}/actions`, {
        method: 'POST',
        body,
        timeoutMs: LONG_MS,
      });
      return { outcomes, detail: detailWithKeys(detail) };
    },
  };
}

async function runDetail(client: Client, path: string, options: CallOptions): Promise<InspectionRunDetail> {
  return detailWithKeys(await client.call<InspectionRunDetail>(`${PATH}/${path}`, options));
}

export const runsKey = (limit: number) => [INSPECTION_KEY, 'runs', limit];
/** @param runId as in the address */
export const runKey = (runId: string) => [INSPECTION_KEY, 'run', runId];

/** ±10 %, so that many open panels do not poll at once. */
function useSpread(): number {
  return useState(() => 0.9 + 0.2 * Math.random())[0];
}

/** Pause until an active run is requested with all its results, ms. */
export function detailPause({ results, logs }: InspectionRunDetail): number {
  return sizedPause(results.length + logs.length, ACTIVE_POLL_MS, IDLE_POLL_MS);
}

/**
 * The newest runs; a newly started scheduled run appears within half a minute. `following`: an active run has too many results to
 * poll them, so the list provides its progress.
 */
export function useInspectionRuns(limit: number, following = false) {
  const { client } = useServices();
  const spread = useSpread();
  return useQuery({
    queryKey: runsKey(limit),
    queryFn: ({ signal }) => client.call<InspectionRunList>(`${PATH}/runs?limit=${limit}`, { signal }),
    placeholderData: keepPreviousData,
    staleTime: IDLE_POLL_MS / 2,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) =>
      isUnsupported(state.error)
        ? false
        : Math.round(pollPause(state, following ? ACTIVE_POLL_MS : IDLE_POLL_MS) * spread),
  });
}

/**
 * One run with results and log, polled every two seconds while it or actions on it are active, and less often when it is large.
 * `runId` as in the address, '' = none.
 */
export function useInspectionRun(runId: string, acting: boolean) {
  const { client } = useServices();
  const spread = useSpread();
  return useQuery({
    queryKey: runKey(runId),
    queryFn: ({ signal }) => runDetail(client, `runs/${runId}`, { signal }),
    enabled: runId !== '',
    structuralSharing: (before, after) => newerDetail(before as InspectionRunDetail | undefined, after),
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) =>
      state.data !== undefined && (acting || state.data.run.active)
        ? Math.round(pollPause(state, detailPause(state.data)) * spread)
        : false,
  });
}

/** Of two answers about one run the newer one counts, in whatever order they arrive. */
function newerDetail(before: InspectionRunDetail | undefined, after: unknown): unknown {
  const later = after as InspectionRunDetail;
  return before !== undefined && isNewer(before.run, later.run) ? before : later;
}

export function isNewer(run: InspectionRun, other: InspectionRun): boolean {
  return run.id === other.id && run.updatedAtMs > other.updatedAtMs;
}
