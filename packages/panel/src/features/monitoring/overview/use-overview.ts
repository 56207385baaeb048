import type { AnalyticsInclude, AnalyticsResponse, Granularity } from '@manager/core/contract/monitoring/analytics';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ApiError } from '../../../platform/api/errors.ts';
import { useServices } from '../../../platform/api/services.ts';
import type { CompareChoice } from '../../../platform/range/range.ts';
import { FIRST_IDENTITY, MOST_PARTS } from '../../../platform/requests/row-parts.ts';
import { type LinkedEvent, linkedEventKey, type SoughtEvent } from '../drawer/use-event-by-hash.ts';
import type { EventsQuery } from '../list/use-events.ts';
import type { MonitoringTab } from '../monitoring-search.ts';
import type { RefreshPart } from '../use-monitoring-refresh.ts';
import { timelineGranularity } from './granularity.ts';

/** One answer: sums and timeline of the whole range and all filters, and the list of the open tab. */
export interface Overview {
  readonly answer: AnalyticsResponse;
  /** Time of its request, ms. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly granularity: Granularity;
  readonly tab: MonitoringTab;
}

export interface OverviewQuery {
  /** undefined before the first answer. */
  readonly data: Overview | undefined;
  readonly error: unknown;
  /** Time of the last successful answer, ms. */
  readonly atMs: number;
  readonly busy: boolean;
  readonly part: RefreshPart;
}

/** Maximum failures in one answer. */
const MAX_FAILURES = 500;

/** Only what is on screen. */
const TAB_BLOCKS: Readonly<Record<MonitoringTab, AnalyticsInclude>> = {
  realtime: {},
  accounts: { account_stats: true },
  keys: { api_key_stats: true },
  models: { model_stats: true },
  failures: { failure_sources: true, recent_failures: MAX_FAILURES, model_stats: true },
};

/** Below each row as many as can be looked through; the rest is summed up. */
const SHOWN_PARTS: Partial<Readonly<Record<MonitoringTab, AnalyticsInclude>>> = {
  accounts: { models_limit: 20 },
  keys: MOST_PARTS,
};

interface OverviewOptions {
  /** Changes with everything that changes the answer but time and tab. */
  readonly key: string;
  readonly tab: MonitoringTab;
  /** null = nothing to load. */
  readonly buildQuery: () => Promise<EventsQuery | null>;
  readonly enabled: boolean;
  /** The event of a link: where it matches the filters, this request returns it too. */
  readonly linked?: LinkedEvent | null;
  /** Every model and account of a row, so that each one that is listed elsewhere is found. */
  readonly allParts?: boolean;
}

/** All events of one millisecond. */
const MAX_AT_ONCE = 100;

const previewOf = ({ atMs }: LinkedEvent): AnalyticsInclude =>
  atMs === null ? {} : { drilldown_preview: { from_ms: atMs, to_ms: atMs + 1, limit: MAX_AT_ONCE } };

/** Sums, timeline and table of the monitoring page. A new question drops the old answer and everything in flight. */
export function useOverview({
  key,
  tab,
  buildQuery,
  enabled,
  linked = null,
  allParts = false,
}: OverviewOptions): OverviewQuery {
  const { manager, queries } = useServices();
  const run = useRef({ key, startedMs: 0, failures: 0 });
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ['monitoring-overview', key, tab],
    enabled,
    // Sums of another question must not appear as if they belonged to this one.
    gcTime: 0,
    staleTime: 0,
    // Another tab of the same question: its sums and its timeline are the same.
    placeholderData: (before: Overview | null | undefined, query) => (query?.queryKey[1] === key ? before : undefined),
    queryFn: async ({ signal }): Promise<Overview | null> => {
      run.current = { key, startedMs: Date.now(), failures: run.current.key === key ? run.current.failures : 0 };
      try {
        const query = await buildQuery();
        if (query === null) return null;
        const { from_ms, to_ms, now_ms } = query;
        const [fromMs, toMs, nowMs] = [from_ms ?? 1, to_ms ?? Date.now(), now_ms ?? Date.now()];
        const granularity = timelineGranularity(fromMs, toMs);
        const sought = linked !== null && queries.getQueryData(linkedEventKey(linked)) === undefined ? linked : null;
        const include = {
          summary: true,
          summary_profile: 'compact',
          timeline: true,
          granularity,
          ...TAB_BLOCKS[tab],
          ...(allParts ? FIRST_IDENTITY : SHOWN_PARTS[tab]),
          ...(sought === null ? {} : previewOf(sought)),
        };
        const answer = await manager.analytics({ ...query, include }, signal);
        const row = answer.drilldown_preview?.items.find(({ event_hash }) => event_hash === sought?.hash);
        if (sought !== null && row !== undefined) {
          queries.setQueryData<SoughtEvent>(linkedEventKey(sought), { row, alone: false });
        }
        if (answer.summary === undefined) {
          throw new ApiError('shape', 'sums are missing', { path: 'monitoring/analytics', atMs: Date.now() });
        }
        run.current.failures = 0;
        return { answer, fromMs, toMs, nowMs, granularity: answer.granularity, tab };
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
  return { data: data ?? undefined, error, atMs: dataUpdatedAt, busy: isFetching, part };
}

/** The same question about the comparison range. */
export function useComparison({
  compare,
  key,
  ...options
}: OverviewOptions & { readonly compare: CompareChoice }): OverviewQuery {
  return useOverview({
    ...options,
    allParts: true,
    key: `with ${JSON.stringify(compare)} ${key}`,
    enabled: options.enabled && compare.kind !== 'none',
  });
}
