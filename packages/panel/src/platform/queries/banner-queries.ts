import type { ArchiveListResponse, ArchiveRun } from '@manager/core/contract/archives/runs';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useManaged, useServices } from '../api/services.ts';

const MINUTE_MS = 60_000;
const NO_RUNS: readonly ArchiveRun[] = [];

/** Consecutive answers of the settings request without the gateway's part. */
export const UPSTREAM_MISSES_KEY = ['upstream-misses'];

export function useGatewayMisses(): number {
  const { data } = useQuery<number>({ queryKey: UPSTREAM_MISSES_KEY, queryFn: skipToken });
  return data ?? 0;
}

/** Failed archive runs; none where the manager has no archives. */
export function useFailedArchiveRuns(): readonly ArchiveRun[] {
  const { client } = useServices();
  const managed = useManaged();
  const { data } = useQuery({
    queryKey: ['archives', 'failed'],
    queryFn: ({ signal }) =>
      client.call<ArchiveListResponse>('v0/management/usage/archives?status=failed&limit=20', { signal }),
    enabled: managed,
    staleTime: 10 * MINUTE_MS,
    refetchInterval: 10 * MINUTE_MS,
  });
  return data?.runs ?? NO_RUNS;
}
