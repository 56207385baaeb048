import type {
  ViewerAnalytics,
  ViewerAnalyticsRequest,
  ViewerResponse,
} from '@manager/core/contract/viewer-links/viewer';
import { VIEWER_ANALYTICS_PATH, VIEWER_PATH, VIEWER_REQUESTS_DEFAULT } from '@manager/core/contract/viewer-links/words';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Client } from '../../platform/api/client.ts';
import { useServices } from '../../platform/api/services.ts';
import { hashPrefix } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { type ResolvedRange, resolveRange } from '../../platform/range/range.ts';
import { VIEWER_RANGES, type ViewerSearch } from './viewer-search.ts';

const REFRESH_MS = 60_000;
const HOURS_UP_TO_MS = 7 * 86_400_000 + 60_000;

const ask = (client: Client, body: ViewerAnalyticsRequest, signal: AbortSignal): Promise<ViewerAnalytics> =>
  client.call(VIEWER_ANALYTICS_PATH, { method: 'POST', body, signal });

/** What the link covers. */
export function useViewer() {
  const { client } = useServices();
  return useQuery({
    queryKey: ['viewer'],
    queryFn: ({ signal }): Promise<ViewerResponse> => client.call(VIEWER_PATH, { signal }),
    refetchInterval: 5 * REFRESH_MS,
  });
}

/** Names of client keys: as the operator named them, else the beginning of the hash. */
export function useViewerNames(): (hash: string) => string {
  const { t } = useText();
  const { data } = useViewer();
  return useMemo(() => {
    const names = new Map((data?.keys ?? []).map(({ api_key_hash, name }) => [api_key_hash, name]));
    return (hash) => {
      const name = names.get(hash);
      if (name !== undefined) return shown(name);
      return hash === '' ? t('analytics.noKey') : hashPrefix(hash);
    };
  }, [data, t]);
}

export interface ViewerUsage {
  readonly answer: ViewerAnalytics;
  readonly range: ResolvedRange;
  readonly nowMs: number;
  readonly zone: string;
}

function baseRequest(
  { key, model, status }: Omit<ViewerSearch, 'range'>,
  range: ResolvedRange,
  nowMs: number,
  zone: string,
) {
  return {
    from_ms: Math.floor(range.fromMs),
    to_ms: Math.ceil(range.toMs),
    now_ms: Math.floor(nowMs),
    time_zone: zone,
    api_key_hashes: key === '' ? [] : [key],
    models: model === '' ? [] : [model],
    status,
  } satisfies ViewerAnalyticsRequest;
}

/** Sums, timeline, models and client keys of the range, again every minute. */
export function useViewerUsage(search: ViewerSearch, zone: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: ['viewer', 'usage', search, zone],
    queryFn: async ({ signal }): Promise<ViewerUsage> => {
      const nowMs = client.now();
      const range = resolveRange(search.range, nowMs, zone, VIEWER_RANGES.rolling);
      const request: ViewerAnalyticsRequest = {
        ...baseRequest(search, range, nowMs, zone),
        granularity: range.toMs - range.fromMs <= HOURS_UP_TO_MS ? 'hour' : 'day',
        include: { summary: true, comparison: true, timeline: true, models: true, keys: true },
      };
      return { answer: await ask(client, request, signal), range, nowMs, zone };
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

interface PageParam {
  /** '' = the first page. */
  readonly cursor: string;
  /** When the first page was asked for; its own is not known before. */
  readonly nowMs?: number;
}

/** Names of all models of the range, to choose from: whichever is chosen, the others stay. */
export function useViewerModels(search: ViewerSearch, zone: string) {
  const { client } = useServices();
  const { model: _, ...others } = search;
  return useQuery({
    queryKey: ['viewer', 'models', others, zone],
    queryFn: async ({ signal }) => {
      const nowMs = client.now();
      const range = resolveRange(others.range, nowMs, zone, VIEWER_RANGES.rolling);
      const request = { ...baseRequest({ ...others, model: '' }, range, nowMs, zone), include: { models: true } };
      const { models = [] } = await ask(client, request, signal);
      return models.map(({ model }) => model);
    },
    placeholderData: keepPreviousData,
  });
}

/** Requests, newest first, in pages. */
export function useViewerRequests(search: ViewerSearch, zone: string) {
  const { client } = useServices();
  return useInfiniteQuery({
    queryKey: ['viewer', 'requests', search, zone],
    queryFn: async ({ signal, pageParam }) => {
      const { cursor, nowMs = client.now() } = pageParam;
      const range = resolveRange(search.range, nowMs, zone, VIEWER_RANGES.rolling);
      const request: ViewerAnalyticsRequest = {
        ...baseRequest(search, range, nowMs, zone),
        include: { requests: { limit: VIEWER_REQUESTS_DEFAULT * 2, cursor } },
      };
      return { answer: await ask(client, request, signal), nowMs };
    },
    // All pages belong to the range of the first, whose end is the time at which it is asked for: a refresh asks for all again.
    initialPageParam: { cursor: '' } as PageParam,
    getNextPageParam: ({ answer: { requests }, nowMs }) =>
      requests?.next_cursor == null ? undefined : { cursor: requests.next_cursor, nowMs },
    placeholderData: keepPreviousData,
  });
}
