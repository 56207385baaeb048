import {
  ACCOUNT_HISTORY_PATH,
  ACCOUNT_WINDOW_USAGE_PATH,
  HEADER_SNAPSHOTS_PATH,
} from '@manager/core/contract/constants';
import { ANALYTICS_PATH, type AnalyticsInclude } from '@manager/core/contract/monitoring/analytics';
import { MODEL_PRICES_PATH } from '@manager/core/contract/prices';
import type { ManagerProcess } from '../support/manager-process.ts';
import type { Call } from '../support/panel-calls/call.ts';
import { filterKinds, type Restriction } from '../support/panel-calls/filters.ts';
import { DAY_MS, HOUR_MS, refreshAt, todayStartMs } from '../support/panel-calls/moment.ts';
import type { Subjects } from '../support/panel-calls/subjects.ts';
import { HISTORY_DAYS, HISTORY_END_MS } from '../support/traffic.ts';

export interface HistoryQuestion {
  readonly name: string;
  readonly call: Call;
  /**
   * The same question for the lists of single requests alone, at or after the cutoff: what the lists of `call` contain once
   * everything before is deleted. Absent where the question has no such lists.
   */
  readonly remaining?: Call;
  /** Counts the newest raw rows, so deleting rows changes it. */
  readonly ofRawRows?: true;
}

/** Half of the events are older. Not on a bucket boundary of any zone, so that half a bucket is deleted. */
export const CUTOFF_MS = HISTORY_END_MS - (HISTORY_DAYS / 2) * DAY_MS + 1_234_567;

export interface Range {
  readonly from_ms: number;
  readonly to_ms: number;
}

export const WHOLE: Range = { from_ms: HISTORY_END_MS - (HISTORY_DAYS + 1) * DAY_MS, to_ms: HISTORY_END_MS + DAY_MS };
const AROUND: Range = { from_ms: CUTOFF_MS - 5 * DAY_MS - 777, to_ms: CUTOFF_MS + 5 * DAY_MS + 7_777 };
export const OLDER: Range = { from_ms: CUTOFF_MS - 20 * DAY_MS, to_ms: CUTOFF_MS - 3 * DAY_MS };
/** Ends at the cutoff. */
const NEWER: Range = { from_ms: CUTOFF_MS, to_ms: HISTORY_END_MS };
export const NEWEST: Range = { from_ms: HISTORY_END_MS - 2 * DAY_MS, to_ms: HISTORY_END_MS };

const ZONES = ['UTC', 'Asia/Kolkata', 'America/New_York'];

/** Every section that is a sum, a rank or a menu. */
const SUMS = {
  ...{ summary: true, summary_percentiles: true, summary_comparison: true, timeline: true, anomaly_points: true },
  ...{ hourly_distribution: true, heatmap: true, task_buckets: true, model_share: true, model_stats: true },
  ...{ channel_share: true, failure_sources: true, account_stats: true, credential_stats: true },
  ...{ credential_timeline: true, api_key_stats: true, api_key_timeline: true, filter_options: true },
} satisfies AnalyticsInclude;

/** For all accounts this would exceed the points of one answer. */
const SHORT_BUCKETS = { credential_timeline: false } satisfies AnalyticsInclude;

/** Sections that list single requests, which only raw rows have. */
const LISTS = {
  events_page: { limit: process.env.MANAGER_FULL_FAULTS === '1' ? 500 : 100 },
  recent_failures: 50,
} satisfies AnalyticsInclude;

/**
 * Questions about the whole history, both sides of the cutoff and its surroundings: all sections, every filter of the panel, and
 * the other pages with totals. Filter values are those of the newest events of `manager`.
 */
export async function historyQuestions(
  manager: ManagerProcess,
  subjects: Subjects,
): Promise<readonly HistoryQuestion[]> {
  const kinds = await filterKinds(manager, refreshAt(0));
  const zones = ZONES.map((time_zone) => ({ time_zone }));
  return [
    ...kinds.map((kind) => analytics(`whole history, ${kind.name}`, WHOLE, kind.restriction(0), {})),
    ...kinds.map((kind) => analytics(`around the cutoff, ${kind.name}`, AROUND, kind.restriction(0), {})),
    ...zones.map((zone) =>
      analytics(`whole history by hour, ${zone.time_zone}`, WHOLE, zone, { ...SHORT_BUCKETS, granularity: 'hour' }),
    ),
    ...zones.map((zone) =>
      analytics(`around, by 15 minutes, ${zone.time_zone}`, AROUND, zone, { ...SHORT_BUCKETS, granularity: '15m' }),
    ),
    analytics('older than the cutoff', OLDER, {}, { ...SHORT_BUCKETS, granularity: 'hour' }),
    analytics('older than the cutoff, some credentials', OLDER, someAccounts(subjects), { granularity: 'hour' }),
    analytics('since the cutoff', NEWER, {}, {}),
    analytics('newest days', NEWEST, {}, { ...SHORT_BUCKETS, granularity: '5m' }),
    { name: 'preview around the cutoff', call: preview(CUTOFF_MS - HOUR_MS), remaining: preview(CUTOFF_MS) },
    { name: 'menus', call: question(WHOLE, {}, { filter_selectors: true }) },
    { name: 'compact', call: question(WHOLE, {}, { summary: true, summary_profile: 'compact', model_stats: true }) },
    ...[HISTORY_END_MS, CUTOFF_MS + 6 * HOUR_MS, CUTOFF_MS - 10 * DAY_MS].map(dashboard),
    ...accounts(subjects),
    { name: 'newest headers', call: { path: `${HEADER_SNAPSHOTS_PATH}?days=365&limit=1000` } },
    { name: 'use of the prices', call: { path: `${MODEL_PRICES_PATH}/usage-summary` }, ofRawRows: true },
  ];
}

function someAccounts({ credentialIds: accountIds }: Subjects): Restriction {
  return { filters: { credential_ids: accountIds.slice(0, 50) } };
}

function analytics(name: string, range: Range, restriction: Restriction, include: AnalyticsInclude): HistoryQuestion {
  return {
    name,
    call: question(range, restriction, { ...SUMS, ...LISTS, ...include }),
    ...(range.to_ms > CUTOFF_MS
      ? { remaining: question({ ...range, from_ms: Math.max(range.from_ms, CUTOFF_MS) }, restriction, LISTS) }
      : {}),
  };
}

function question(range: Range, { laterMs: _laterMs, ...members }: Restriction, include: AnalyticsInclude): Call {
  const clock = { now_ms: Math.min(range.to_ms, HISTORY_END_MS), time_zone: 'America/New_York' };
  return { path: ANALYTICS_PATH, body: { ...range, ...clock, ...members, include } };
}

function preview(fromMs: number): Call {
  return question(NEWER, {}, { drilldown_preview: { from_ms: fromMs, to_ms: CUTOFF_MS + HOUR_MS, limit: 5_000 } });
}

function dashboard(nowMs: number): HistoryQuestion {
  const query = new URLSearchParams({
    today_start_ms: String(todayStartMs(nowMs)),
    now_ms: String(nowMs),
    top_models: '50',
    recent_failures: '20',
  });
  return {
    name: `dashboard of ${new Date(nowMs).toISOString().slice(0, 13)}`,
    call: { path: `/v0/management/dashboard/summary?${query}` },
  };
}

function accounts({ targets }: Subjects): HistoryQuestion[] {
  const batches = Array.from({ length: Math.ceil(targets.length / 200) }, (_, index) =>
    targets.slice(index * 200, (index + 1) * 200),
  );
  const windows = ({ from_ms, to_ms }: Range) =>
    targets.slice(0, 200).map((target, index) => {
      const about = { row_key: `window ${index}`, provider_window_id: 'window' };
      return { ...target, ...about, from_ms, to_ms };
    });
  return [
    ...batches.map((batch, number) => ({
      name: `history of accounts, batch ${number + 1}`,
      call: {
        path: ACCOUNT_HISTORY_PATH,
        body: { accounts: batch.map((target, index) => ({ ...target, row_key: `account ${index}` })) },
      },
    })),
    {
      name: 'windows of accounts',
      call: { path: ACCOUNT_WINDOW_USAGE_PATH, body: { windows: [...windows(AROUND), ...windows(OLDER)] } },
    },
  ];
}
