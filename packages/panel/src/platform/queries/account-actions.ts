import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { CandidateListResponse, CandidateResponse } from '@manager/core/contract/account-actions';
import { ACCOUNT_ACTIONS_PATH } from '@manager/core/contract/constants';
import { keepPreviousData, type Query, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../api/client.ts';
import { isUnsupported } from '../api/data-source.ts';
import { pollPause } from '../api/poll.ts';
import { useManaged, useServices } from '../api/services.ts';

/** First part of the query keys of the action queue. */
export const CANDIDATES_KEY = 'account-actions';
/** Rows per request. */
export const CANDIDATES_LIMIT = 200;

const POLL_MS = 60_000;

/** Items of a status, '' = all. */
export function listCandidates(client: Client, status: string, limit: number, signal?: AbortSignal) {
  const query = new URLSearchParams({ status, limit: String(limit) });
  return client.call<CandidateListResponse>(`${ACCOUNT_ACTIONS_PATH}?${query}`, { signal });
}

export function actOnCandidate(client: Client, id: number, command: CandidateCommand) {
  return command === 'delete'
    ? client.call<CandidateResponse>(`${ACCOUNT_ACTIONS_PATH}/${id}/auth-file`, { method: 'DELETE', timeoutMs: 60_000 })
    : client.call<CandidateResponse>(`${ACCOUNT_ACTIONS_PATH}/${id}/${command}`, { method: 'POST', timeoutMs: 60_000 });
}

/** Polls every minute, ±10 % so that many open panels do not poll at once, and on return to the tab when due. */
function usePolling() {
  const [spread] = useState(() => 0.9 + 0.2 * Math.random());
  return {
    staleTime: POLL_MS / 2,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }: Query<CandidateListResponse>) =>
      isUnsupported(state.error) ? (false as const) : Math.round(pollPause(state, POLL_MS) * spread),
  };
}

/** Items of a status ('' = all). */
export function useCandidates(status: string) {
  const { client } = useServices();
  const managed = useManaged();
  return useQuery({
    queryKey: [CANDIDATES_KEY, 'list', status],
    enabled: managed,
    queryFn: ({ signal }) => listCandidates(client, status, CANDIDATES_LIMIT, signal),
    placeholderData: keepPreviousData,
    ...usePolling(),
  });
}

/** Number of accounts that need a decision; 0 while unknown. */
export function usePendingCandidates(): number {
  const { client } = useServices();
  const managed = useManaged();
  const { data } = useQuery({
    queryKey: [CANDIDATES_KEY, 'count'],
    queryFn: ({ signal }) => listCandidates(client, 'pending', 1, signal),
    enabled: managed,
    ...usePolling(),
  });
  return data?.pendingCount ?? 0;
}
