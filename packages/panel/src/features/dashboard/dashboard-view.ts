import type { ChannelHealth, DashboardResponse, HealthPoint } from '@manager/core/contract/dashboard';
import type { StatusResponse } from '@manager/core/contract/system/status';
import {
  durationTone,
  failingFirst,
  failsOften,
  formatCompact,
  formatCount,
  formatShare,
  formatTenths,
  successTone,
  type Tone,
} from '../../platform/format/format.ts';
import { nextDay } from '../../platform/format/time.ts';
import type { TextKey, TextValues, Translate } from '../../platform/i18n/index.ts';
import { chartBuckets } from '../../ui/chart/buckets.ts';
import { chartGaps } from '../../ui/chart/gaps.ts';
import { FIXED_COLORS } from '../../ui/chart/series-style.ts';
import type { ChartData, ChartSeries } from '../../ui/chart/types.ts';

const HOUR_MS = 3_600_000;
const MAX_ACCOUNTS = 5;

export interface Verdict {
  readonly tone: 'ok' | 'warn' | 'bad' | 'wait';
  readonly fact: TextKey;
  readonly text: TextKey;
  readonly values?: TextValues;
  /** The account with the highest failure rate. */
  readonly worst?: ChannelHealth;
  /** How many other accounts fail often, of those in the answer; `4+` where there may be more. */
  readonly others?: { readonly count: number; readonly text: string };
}

/** One sentence about now, the most important state first: gateway not answering, not collecting, failing, quiet. */
export function verdictOf(
  dashboard: DashboardResponse,
  status: StatusResponse | undefined,
  gatewayAnswers = true,
): Verdict {
  const { today, rolling_30m: recent } = dashboard;
  const collector = status?.collector;
  const refused = collector?.keyRefused !== undefined;
  const unreachable = collector?.collector === 'error' && collector.lastError.startsWith('connect');
  // For the manager, a refused key looks like no answer.
  if (!refused && (unreachable || !gatewayAnswers)) {
    return { tone: 'bad', fact: 'verdict.unreachable', text: 'verdict.unreachableText' };
  }
  if (refused || collector?.collector === 'error') {
    return { tone: 'bad', fact: 'verdict.notCollecting', text: 'verdict.notCollectingText' };
  }
  if (collector?.collector === 'stopped') return { tone: 'wait', fact: 'verdict.off', text: 'verdict.offText' };
  const failed = today.total_calls === 0 ? 0 : today.failure_calls / today.total_calls;
  const tone = today.total_calls === 0 ? null : successTone(1 - failed);
  const [worst, ...others] = accountHealth(dashboard).filter((row) => failsOften(counts(row)));
  if (tone !== null || worst !== undefined) {
    return {
      tone: tone ?? 'warn',
      fact: 'verdict.degraded',
      text: 'verdict.degradedText',
      values: { share: formatShare(failed), failed: formatCount(today.failure_calls) },
      ...(worst === undefined ? {} : { worst }),
      ...(others.length === 0
        ? {}
        : {
            others: { count: others.length, text: `${others.length}${others.length < MAX_ACCOUNTS - 1 ? '' : '+'}` },
          }),
    };
  }
  if (today.total_calls === 0) return { tone: 'wait', fact: 'verdict.quiet', text: 'verdict.quietText' };
  const rate = recent.rpm < 10 ? formatTenths(recent.rpm) : formatCount(Math.round(recent.rpm));
  return { tone: 'ok', fact: 'verdict.healthy', text: 'verdict.healthyText', values: { rate } };
}

const counts = ({ calls, failures: failed }: ChannelHealth) => ({ calls, failed });

/** Accounts of the day, by failures: the manager includes them with those that need attention. */
export function accountHealth(dashboard: DashboardResponse): readonly ChannelHealth[] {
  const { channel_health: rows, failing_channels: failing = [] } = dashboard;
  const named = new Set(failing.map(({ auth_index }) => auth_index));
  const all = [...failing, ...rows.filter(({ auth_index }) => !named.has(auth_index))];
  return failingFirst(all, counts).slice(0, MAX_ACCOUNTS);
}

/** State of an account: by its success rate and latency. A few failures among many successes are only a warning. */
export function accountTone(row: {
  readonly failures: number;
  readonly failure_rate: number;
  readonly average_latency_ms: number | null;
}): Tone {
  const tones = [successTone(1 - row.failure_rate), durationTone(row.average_latency_ms)];
  if (tones.includes('bad')) return 'bad';
  return tones.includes('warn') || row.failures > 0 ? 'warn' : null;
}

/** Nothing happened today, and nothing is missing: there is nothing to draw. */
export function isQuietDay({ today, gaps }: DashboardResponse): boolean {
  return today.total_calls === 0 && (gaps ?? []).length === 0;
}

/** Requests, failed requests and tokens of the day in lanes. */
export function trafficChart(dashboard: DashboardResponse, zone: string, t: Translate): ChartData {
  const fromMs = dashboard.window.today_start_ms;
  const nowMs = dashboard.window.now_ms;
  const range = { fromMs, toMs: nextDay(fromMs, zone) };
  const slots = dashboard.traffic_timeline.filter(({ bucket_ms }) => bucket_ms < range.toMs);
  const buckets = chartBuckets(
    slots.map(({ bucket_ms }) => ({ bucket_ms, bucket_end_ms: Math.min(bucket_ms + HOUR_MS, range.toMs) })),
    range,
    nowMs,
  );
  const bars = (
    id: 'requests' | 'failed' | 'tokens',
    label: TextKey,
    value: (slot: (typeof slots)[number]) => number,
  ): ChartSeries => ({
    id,
    label: t(label),
    color: FIXED_COLORS[id],
    kind: 'bars',
    values: slots.map((slot) => (slot.bucket_ms > nowMs ? null : value(slot))),
    format: formatCount,
  });
  const lane = (series: ChartSeries, weight: number) => ({
    id: series.id,
    title: series.label,
    axis: formatCompact,
    whole: true,
    weight,
    series: [series],
  });
  return {
    ...range,
    nowMs,
    buckets,
    gaps: chartGaps(dashboard.gaps, range, nowMs, t),
    lanes: [
      lane(
        bars('requests', 'dashboard.requests', (slot) => slot.calls),
        3,
      ),
      lane(
        bars('failed', 'dashboard.failed', (slot) => slot.failure),
        1,
      ),
      lane(
        bars('tokens', 'dashboard.tokens', (slot) => slot.tokens),
        2,
      ),
    ],
  };
}

/** Cells of the health grid by hour (columns) and ten minutes (rows); those past the real midnight are left out. */
export function healthColumns(dashboard: DashboardResponse, zone: string): readonly (readonly HealthPoint[])[] {
  const end = nextDay(dashboard.window.today_start_ms, zone);
  const { points } = dashboard.today_request_health_timeline;
  const shown = points.filter(({ bucket_ms }) => bucket_ms < end);
  return Array.from({ length: Math.ceil(shown.length / 6) }, (_, hour) => shown.slice(hour * 6, hour * 6 + 6));
}

/** The last columns of the grid, up to now. */
export function lastHours(
  columns: readonly (readonly HealthPoint[])[],
  hours: number,
): readonly (readonly HealthPoint[])[] {
  const begun = columns.filter(([first]) => first !== undefined && first.tone !== 'future').length;
  const end = Math.max(begun, Math.min(hours, columns.length));
  return columns.slice(Math.max(end - hours, 0), end);
}

/** Whether the day is longer than the grid. */
export function exceedsGrid(dashboard: DashboardResponse, zone: string): boolean {
  const { today_start_ms: start } = dashboard.window;
  return nextDay(start, zone) - start > 24 * HOUR_MS;
}
