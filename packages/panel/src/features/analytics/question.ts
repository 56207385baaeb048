import type { AnalyticsInclude, AnalyticsRequest, FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { type ResolvedRange, resolveRange } from '../../platform/range/range.ts';
import { accountName } from '../../platform/requests/account-names.ts';
import { searchQuery, toFilters } from '../../platform/requests/request-filters.ts';
import { WITHOUT_PARTS } from '../../platform/requests/row-parts.ts';
import { ANALYTICS_RANGES, type AnalyticsTab, type GranularityChoice, type Scope } from './analytics-search.ts';

const DAY_MS = 86_400_000;
/** Up to this range length hours are the default. */
const HOURS_UP_TO_MS = 7 * DAY_MS + 60_000;
/** Hours of a longer range are too many for a chart. */
const MAX_HOURS_MS = 200 * DAY_MS;

export function granularityFor(
  choice: GranularityChoice,
  range: Pick<ResolvedRange, 'fromMs' | 'toMs'>,
): 'hour' | 'day' {
  const length = range.toMs - range.fromMs;
  if (choice === 'day') return 'day';
  return length <= (choice === 'hour' ? MAX_HOURS_MS : HOURS_UP_TO_MS) ? 'hour' : 'day';
}

export const resolveScope = (scope: Scope, nowMs: number, zone: string): ResolvedRange =>
  resolveRange(scope.range, nowMs, zone, ANALYTICS_RANGES.rolling);

/** Matches no key: a filter without results. */
const NO_KEY = '-';

/** Hashes of client keys whose name or hash contains the keyword. */
export function keywordHashes(
  keyword: string,
  aliases: ReadonlyMap<string, string>,
  known: readonly string[],
): readonly string[] {
  const wanted = keyword.toLowerCase();
  const hashes = new Set([...aliases.keys(), ...known]);
  const found = [...hashes].filter(
    (hash) => hash.startsWith(wanted) || (aliases.get(hash) ?? '').toLowerCase().includes(wanted),
  );
  return found.length === 0 ? [NO_KEY] : found;
}

/** The scope with its keyword replaced by keys, for links to other pages. */
export function plainScope(scope: Scope, aliases: ReadonlyMap<string, string>, known: readonly string[]): Scope {
  if (scope.keyKeyword === '') return scope;
  const found = keywordHashes(scope.keyKeyword, aliases, known);
  const chosen = scope.lists.api_key_hash;
  const both = chosen.length === 0 ? found : found.filter((hash) => chosen.includes(hash));
  return { ...scope, keyKeyword: '', lists: { ...scope.lists, api_key_hash: both.length === 0 ? [NO_KEY] : both } };
}

/** A request without its sections. */
export function baseRequest(
  scope: Scope,
  { fromMs, toMs }: Pick<ResolvedRange, 'fromMs' | 'toMs'>,
  nowMs: number,
  zone: string,
  searchHash: string,
): AnalyticsRequest {
  const accounts = scope.lists.account.map((token) => accountName(token) ?? token);
  return {
    from_ms: Math.floor(fromMs),
    to_ms: Math.ceil(toMs),
    now_ms: Math.floor(nowMs),
    time_zone: zone,
    ...(scope.search === '' ? {} : { search_query: searchQuery(scope.search), search_api_key_hash: searchHash }),
    filters: toFilters(scope, accounts),
  };
}

/** Sums only. */
export const SUMS: AnalyticsInclude = { summary: true, summary_profile: 'compact' };
const LEVELS: AnalyticsInclude = { ...SUMS, summary_percentiles: true };

/** The first request of a tab. */
const TAB_INCLUDES: Readonly<Record<AnalyticsTab, AnalyticsInclude>> = {
  overview: {
    ...LEVELS,
    summary_comparison: true,
    timeline: true,
    anomaly_points: true,
    model_stats: true,
    channel_share: true,
    api_key_stats: true,
    ...WITHOUT_PARTS,
  },
  trends: { ...LEVELS, summary_comparison: true, timeline: true, anomaly_points: true },
  models: { ...SUMS, timeline: true, model_stats: true },
  apiKeys: { ...SUMS, api_key_stats: true, ...WITHOUT_PARTS },
  credentials: { ...SUMS, credential_stats: true, ...WITHOUT_PARTS },
  heatmap: { ...SUMS, heatmap: true },
  compare: { ...LEVELS, timeline: true, model_stats: true, api_key_stats: true, channel_share: true, ...WITHOUT_PARTS },
};

export const includeOf = (tab: AnalyticsTab, granularity: 'hour' | 'day'): AnalyticsInclude => ({
  ...TAB_INCLUDES[tab],
  granularity,
});

/** Filter values that occur in the range. */
export const NO_OPTIONS: FilterOptions = {};
