import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DataSource } from '../../../platform/api/data-source.ts';
import {
  formatCompact,
  formatCostSum,
  formatCount,
  formatDuration,
  formatExactCost,
  formatShare,
  NONE,
} from '../../../platform/format/format.ts';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { rangeText } from '../../../platform/range/labels.ts';
import { unpricedSearch } from '../../../platform/requests/event-cost.ts';
import { briefCount, unpricedTitle } from '../../../platform/requests/sum-texts.ts';
import { type Change, pointChange, relativeChange } from '../../../platform/wording/changes.ts';
import { judgeChange, type Verdict } from '../../../platform/wording/judge-change.ts';
import { Changed } from '../../../ui/display/change-text.tsx';
import { Explain } from '../../../ui/display/explain.tsx';
import { type Stat, StatRow } from '../../../ui/display/stats.tsx';
import { StaleText } from '../../../ui/feedback/states.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import type { Money } from '../money.ts';
import { monitoringSearch } from '../monitoring-search.ts';
import type { Before } from '../use-before.ts';
import type { Answered } from '../use-scope.ts';

/** Up to here a count is shown in full. */
const FULL_UP_TO = 9_999_999;
const count = (value: number): string => (value > FULL_UP_TO ? formatCompact(value) : formatCount(value));

/** Sums of the whole range and all filters, each with a link to its parts. */
export function UsageStats({
  source,
  money,
  before,
  short = false,
}: {
  readonly source: DataSource<Answered>;
  readonly money: Money;
  /** The comparison range. */
  readonly before?: Before | undefined;
  /** Leaves out what only some tabs load: percentiles and the comparison. */
  readonly short?: boolean;
}) {
  const { t, locale } = useText();
  const { data, error } = source;
  const missing = error === null ? undefined : NONE;
  const stale = data !== undefined && error !== null && source.atMs !== null;
  const sums = data?.answer.summary;
  const some = (sums?.total_calls ?? 0) > 0;
  // With a filter on one outcome, its share is meaningless.
  const rates = data?.scope.status === 'all';
  const failed = sums === undefined || !rates || sums.total_calls === 0 ? null : sums.failure_calls / sums.total_calls;
  const failedBefore =
    before === undefined || before.total_calls === 0 ? null : before.failure_calls / before.total_calls;

  const tile = (
    key: string,
    label: TextKey,
    explain: TextKey,
    show: (of: NonNullable<AnalyticsResponse['summary']>) => string,
    more: Partial<Stat> & {
      readonly change?: Change;
      readonly verdict?: Verdict;
      readonly failedOnly?: boolean;
    } = {},
  ): Stat => {
    const { change, verdict, failedOnly = false, ...rest } = more;
    const value = (): ReactNode => {
      if (data === undefined || sums === undefined) return missing;
      const scope = failedOnly ? { ...data.scope, status: 'failed' as const } : data.scope;
      return <RequestsLink search={monitoringSearch(scope, data)}>{show(sums)}</RequestsLink>;
    };
    return {
      key,
      label: t(label),
      value: value(),
      help: <Explain name={t(label)} text={explain} />,
      ...rest,
      qualifier: <Changed change={change} verdict={verdict} text={rest.qualifier} />,
    };
  };
  const was = (show: (of: Before) => string): Partial<Stat> => {
    if (before === undefined || data === undefined || short) return {};
    const range = rangeText({ fromMs: before.from_ms, toMs: before.to_ms }, data.zone, locale);
    return { qualifier: <span title={range}>{t('analytics.before', { value: show(before) })}</span> };
  };

  const requests = tile('requests', 'analytics.requests', 'explain.requests', (of) => count(of.total_calls), {
    ...(sums === undefined ? {} : { title: formatCount(sums.total_calls) }),
    ...was((of) => count(of.total_calls)),
    ...(stale ? { qualifier: <StaleNote atMs={source.atMs ?? 0} error={error} />, important: true } : {}),
    ...(before === undefined || sums === undefined
      ? {}
      : { change: relativeChange(sums.total_calls, before.total_calls) }),
  });
  const cost = tile('cost', 'analytics.cost', 'explain.cost', (of) => money.tile(of.total_cost, of.unpriced_calls), {
    label: `${t('analytics.cost')}${money.mark}`,
    ...(sums === undefined ? {} : { title: formatCostSum(sums.total_cost, sums.unpriced_calls, formatExactCost) }),
    ...was((of) => money.tile(of.total_cost, of.unpriced_calls)),
    ...(sums === undefined || sums.unpriced_calls === 0
      ? {}
      : {
          important: true,
          qualifier: (
            <Link
              to="/model-prices"
              search={unpricedSearch()}
              className="link"
              title={unpricedTitle(sums.unpriced_calls, t)}
            >
              {t('stat.unpriced', { requests: briefCount(sums.unpriced_calls) })}
            </Link>
          ),
        }),
    ...(before === undefined || sums === undefined
      ? {}
      : { change: relativeChange(sums.total_cost, before.total_cost) }),
  });
  const tokens = tile('tokens', 'analytics.tokens', 'explain.tokens', (of) => formatCompact(of.total_tokens), {
    ...(sums === undefined ? {} : { title: formatCount(sums.total_tokens) }),
    ...was((of) => formatCompact(of.total_tokens)),
    ...(before === undefined || sums === undefined
      ? {}
      : { change: relativeChange(sums.total_tokens, before.total_tokens) }),
  });
  const failure = tile('failure', 'analytics.failureRate', 'explain.failureRate', () => formatShare(failed), {
    failedOnly: true,
    ...(failed === null || failedBefore === null || short
      ? {}
      : {
          change: pointChange(failed, failedBefore),
          verdict: judgeChange({
            baseRequests: Math.min(sums?.total_calls ?? 0, before?.total_calls ?? 0),
            before: failedBefore,
            after: failed,
            good: 'down',
            share: true,
          }),
        }),
    qualifier:
      sums === undefined || !some
        ? ''
        : t('analytics.failedCount', { count: sums.failure_calls, value: count(sums.failure_calls) }),
  });
  const hits = tile(
    'hits',
    'stat.cacheHits',
    'explain.hitRate',
    (of) => (of.input_tokens === 0 ? NONE : formatShare(of.cache_hit_rate)),
    {
      qualifier:
        sums === undefined || sums.input_tokens === 0
          ? ''
          : t('stat.cached', { tokens: formatCompact(sums.cached_tokens + sums.cache_read_tokens) }),
    },
  );
  const unit = tile(
    'unit',
    'analytics.unitCost',
    'explain.unitCost',
    (of) => (some ? money.sum(of.average_cost_per_call * 1_000, of.unpriced_calls) : NONE),
    { label: `${t('analytics.unitCost')}${money.mark}` },
  );
  const latency = tile('p95', 'analytics.p95', 'explain.p95', (of) => formatDuration(of.p95_latency_ms), {
    qualifier: sums === undefined ? '' : t('analytics.ttftIs', { ttft: formatDuration(sums.p95_ttft_ms) }),
  });
  const stats = short
    ? [requests, cost, tokens, failure, hits, unit]
    : [requests, cost, tokens, failure, hits, unit, latency];
  return <StatRow label={t('analytics.sums')} stats={stats} />;
}

function StaleNote(props: Parameters<typeof StaleText>[0]) {
  return (
    <span className="tone-warn">
      <StaleText {...props} />
    </span>
  );
}
