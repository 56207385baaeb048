import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { pollPause } from '../../../platform/api/poll.ts';
import { useServices } from '../../../platform/api/services.ts';
import { readLog } from '../logs-api.ts';
import type { LogBuffer } from './log-buffer.ts';
import { canLoadOlder, nextBuffer } from './next-buffer.ts';

const LIVE_KEY = ['logs', 'live'] as const;

/** The gateway's log as far as it is loaded. One request at a time, for newer or for older lines. */
export function useLogFeed({ enabled, intervalMs }: { readonly enabled: boolean; readonly intervalMs: number }) {
  const { client, queries } = useServices();
  const olderWanted = useRef(false);
  const query = useQuery({
    queryKey: LIVE_KEY,
    queryFn: ({ signal }): Promise<LogBuffer> => {
      const before = queries.getQueryData<LogBuffer>(LIVE_KEY) ?? null;
      const older = olderWanted.current;
      olderWanted.current = false;
      return nextBuffer((question) => readLog(client, question, signal), before, older);
    },
    enabled,
    // Ten thousand lines are not compared, and leave the memory with the page.
    structuralSharing: false,
    gcTime: 0,
    refetchInterval: ({ state }) => (intervalMs === 0 ? false : pollPause(state, intervalMs)),
  });
  const { refetch, isFetching, data } = query;
  const loadOlder = useCallback(() => {
    if (data === undefined || !canLoadOlder(data)) return;
    olderWanted.current = true;
    if (!isFetching) void refetch();
  }, [data, isFetching, refetch]);
  // Older lines that were wanted while newer ones were loading.
  useEffect(() => {
    if (!isFetching && olderWanted.current && query.error === null) void refetch();
  }, [isFetching, refetch, query.error]);
  const restart = useCallback(() => queries.resetQueries({ queryKey: LIVE_KEY }), [queries]);
  return { query, loadOlder, restart };
}
