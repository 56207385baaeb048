import type { DashboardResponse } from '@manager/core/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '../../platform/api/data-source.ts';
import {
  formatCompact,
  formatCostSum,
  formatCount,
  formatDuration,
  formatExactCost,
  formatShare,
  formatTenths,
  NONE,
} from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { unpricedSearch } from '../../platform/requests/event-cost.ts';
import { briefCount, shortCost } from '../../platform/requests/sum-texts.ts';
import { Sparkline } from '../../ui/chart/sparkline.tsx';
import { type Stat, StatRow } from '../../ui/display/stats.tsx';

/** The six numbers of the day; each links to its requests. */
export function DashboardStats({ source }: { readonly source: DataSource<DashboardResponse> }) {
  const { t } = useText();
  const { data } = source;
  const today = data?.today;
  const recent = data?.rolling_30m;
  const to = (path: string, text: ReactNode, search: Record<string, string[]>): ReactNode => (
    <Link to={path} search={search} className="stat-link">
      {text}
    </Link>
  );
  const monitoring = (text: ReactNode, search: Record<string, string[]> = {}) => to('/monitoring', text, search);
  const analytics = (text: ReactNode) => to('/usage-analytics', text, { time_range: ['today'] });
  const of = (show: (day: NonNullable<typeof today>) => ReactNode) => (today === undefined ? undefined : show(today));
  const slots = data?.traffic_timeline ?? [];
  const withLine = (value: ReactNode, values: readonly number[], color: 'series-1' | 'series-8' | 'bad-fill') => (
    <span className="stat-line">
      {value}
      <Sparkline values={values} color={color} />
    </span>
  );
  const stats: readonly Stat[] = [
    {
      key: 'requests',
      label: t('dashboard.requestsToday'),
      value: of((day) =>
        withLine(
          monitoring(formatCount(day.total_calls)),
          slots.map(({ calls }) => calls),
          'series-1',
        ),
      ),
      qualifier:
        today !== undefined &&
        (today.failure_calls > 0 ? (
          <span className="tone-bad">{t('dashboard.failedCount', { failed: formatCount(today.failure_calls) })}</span>
        ) : (
          t('dashboard.noneFailed')
        )),
      important: true,
    },
    {
      key: 'rpm',
      label: t('dashboard.requestsPerMinute'),
      value: recent === undefined ? undefined : monitoring(perMinute(recent.rpm), { range: ['1h'] }),
      qualifier: t('dashboard.last30'),
    },
    {
      key: 'tpm',
      label: t('dashboard.tokensPerMinute'),
      value:
        recent === undefined
          ? undefined
          : withLine(
              analytics(formatCompact(recent.tpm)),
              slots.map(({ tokens }) => tokens),
              'series-8',
            ),
      qualifier: today !== undefined && t('dashboard.tokensToday', { tokens: formatCompact(today.total_tokens) }),
    },
    {
      key: 'cost',
      label: t('dashboard.costToday'),
      value: of((day) => analytics(shortCost(day, false))),
      ...(today === undefined ? {} : { title: formatCostSum(today.total_cost, today.unpriced_calls, formatExactCost) }),
      qualifier:
        today === undefined || today.unpriced_calls === 0 ? (
          t('dashboard.fromPrices')
        ) : (
          <Link to="/model-prices" search={unpricedSearch()} className="link">
            {t('stat.unpriced', { requests: briefCount(today.unpriced_calls) })}
          </Link>
        ),
    },
    {
      key: 'success',
      label: t('dashboard.successRate'),
      value: of((day) =>
        withLine(
          day.total_calls === 0 ? NONE : monitoring(withUnit(formatShare(day.success_rate)), { status: ['failed'] }),
          slots.map(({ failure }) => failure),
          'bad-fill',
        ),
      ),
      qualifier:
        today !== undefined &&
        t('dashboard.successOf', { good: formatCount(today.success_calls), all: formatCount(today.total_calls) }),
    },
    {
      key: 'latency',
      label: t('dashboard.meanLatency'),
      value: of((day) => analytics(withUnit(formatDuration(day.average_latency_ms)))),
      qualifier: today !== undefined && t('dashboard.zeroTokens', { requests: formatCount(today.zero_token_calls) }),
    },
  ];
  return <StatRow label={t('dashboard.today')} stats={stats} source={source} />;
}

/** An idle gateway has few requests, which is not a problem. */
function perMinute(rate: number): string {
  return rate < 100 ? formatTenths(rate) : formatCompact(rate);
}

/** The number is the largest element, not its unit. */
function withUnit(text: string): ReactNode {
  const [, number, unit] = /^([\d.,]+) ?(%|ms|s)$/.exec(text) ?? [];
  if (number === undefined) return text;
  return (
    <>
      {number}
      <small>{unit}</small>
    </>
  );
}
