import type { Coverage, Summary } from '@manager/core/contract/monitoring-sections';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useServices } from '../../app/services.ts';
import type { EventsQuery } from './use-live-events.ts';
import type { RefreshPart } from './use-live-refresh.ts';

export interface LiveSummary {
  /** Of the whole range and all filters; undefined before the first answer. */
  readonly summary: Summary | undefined;
  /** Set where the range reaches into archived history. */
  readonly coverage: Coverage | undefined;
  readonly error: unknown;
  /** Time of the last good answer, ms. */
  readonly atMs: number;
  readonly part: RefreshPart;
}

/** Sums of the live page. A new question drops the old answer and whatever is under way. */
export function useLiveSummary({
  key,
  buildQuery,
  enabled,
}: {
  readonly key: string;
  readonly buildQuery: () => Promise<EventsQuery>;
  readonly enabled: boolean;
}): LiveSummary {
  const { manager } = useServices();
  const run = useRef({ key, startedMs: 0, failures: 0 });
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['live-summary', key],
    enabled,
    // Sums of another moment must not stand there as if they were of this one.
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Pick<LiveSummary, 'coverage'> & { readonly summary: Summary }> => {
      run.current = { key, startedMs: Date.now(), failures: run.current.key === key ? run.current.failures : 0 };
      try {
        const query = await buildQuery();
        const answer = await manager.analytics(
          { ...query, include: { summary: true, summary_profile: 'compact' } },
          signal,
        );
        if (answer.summary === undefined) {
          throw new ApiError('shape', 'sums are missing', { path: 'monitoring/analytics', atMs: Date.now() });
        }
        run.current.failures = 0;
        return { summary: answer.summary, coverage: answer.coverage };
      } catch (failure) {
        if (!signal.aborted) run.current.failures += 1;
        throw failure;
      }
    },
  });
  const part = useMemo<RefreshPart>(
    () => ({
      refresh: () => {
        if (enabled) void refetch({ cancelRefetch: false });
      },
      startedMs: () => run.current.startedMs,
      failures: () => run.current.failures,
    }),
    [enabled, refetch],
  );
  return { summary: data?.summary, coverage: data?.coverage, error, atMs: dataUpdatedAt, part };
}
