import type { DashboardResponse } from '@manager/core/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/index.ts';
import { Sparkline } from '../../ui/chart/sparkline.tsx';
import type { DataSource } from '../../ui/data-source.ts';
import {
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatExactCost,
  formatShare,
} from '../../ui/format.ts';
import { type Stat, StatRow } from '../../ui/stats.tsx';

/** The six numbers of the day; each leads to the requests behind it. */
export function DashboardStats({ source }: { readonly source: DataSource<DashboardResponse> }) {
  const { t } = useText();
  const { data } = source;
  const today = data?.today;
  const recent = data?.rolling_30m;
  const link = (text: string, search: Record<string, string[]> = {}): ReactNode => (
    <Link to="/monitoring" search={search} className="stat-link">
      {text}
    </Link>
  );
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
          link(formatCount(day.total_calls)),
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
      value: recent === undefined ? undefined : perMinute(recent.rpm),
      qualifier: t('dashboard.last30'),
    },
    {
      key: 'tpm',
      label: t('dashboard.tokensPerMinute'),
      value:
        recent === undefined
          ? undefined
          : withLine(
              formatCompact(recent.tpm),
              slots.map(({ tokens }) => tokens),
              'series-8',
            ),
      qualifier: today !== undefined && t('dashboard.tokensToday', { tokens: formatCompact(today.total_tokens) }),
    },
    {
      key: 'cost',
      label: t('dashboard.costToday'),
      value: of((day) => link(formatCost(day.total_cost))),
      ...(today === undefined ? {} : { title: formatExactCost(today.total_cost) }),
      qualifier: t('dashboard.fromPrices'),
    },
    {
      key: 'success',
      label: t('dashboard.successRate'),
      value: of((day) =>
        withLine(
          day.total_calls === 0 ? '–' : formatShare(day.success_rate),
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
      value: of((day) => formatDuration(day.average_latency_ms)),
      qualifier: today !== undefined && t('dashboard.zeroTokens', { requests: formatCount(today.zero_token_calls) }),
    },
  ];
  return <StatRow label={t('dashboard.today')} stats={stats} />;
}

/** An idle gateway has few requests, which is no problem. */
function perMinute(rate: number): string {
  return rate < 100 ? rate.toFixed(1) : formatCompact(rate);
}
