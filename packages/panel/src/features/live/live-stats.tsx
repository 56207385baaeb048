import type { Summary } from '@manager/core/contract/monitoring-sections';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/index.ts';
import { formatCompact, formatCost, formatCount, formatShare, NONE } from '../../ui/format.ts';
import { StaleText } from '../../ui/states.tsx';
import { type Stat, StatRow } from '../../ui/stats.tsx';
import { unpricedSearch } from './event-cost.ts';
import { shortCost, tokenRemarks } from './summary-view.ts';
import type { LiveSummary } from './use-live-summary.ts';

/** Up to here a count stands in full. */
const FULL_UP_TO = 9_999_999;

/** Sums of the whole range and all filters, whatever is loaded. */
export function LiveStats({
  live,
  scope,
  onFailed,
}: {
  readonly live: LiveSummary;
  /** Range and filters, in words. */
  readonly scope: string;
  /** Shows the failed requests; null = they are shown already. */
  readonly onFailed: (() => void) | null;
}) {
  const { t } = useText();
  const narrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const { summary, error } = live;
  // Failed with nothing to show is not the same as on its way.
  const missing = error === null ? undefined : NONE;
  const some = (summary?.total_calls ?? 0) > 0;
  const of = (show: (sums: Summary) => ReactNode): ReactNode | undefined =>
    summary === undefined ? missing : show(summary);
  const count = (value: number) => (narrow || value > FULL_UP_TO ? formatCompact(value) : formatCount(value));
  const full = (value: number | undefined) => (value === undefined ? {} : { title: formatCount(value) });
  const share = (value: number, known: boolean) => (known ? <Share text={formatShare(value)} /> : NONE);
  const stale = summary !== undefined && error !== null;

  /** A sum that leaves requests out says so. */
  const costRemark = (sums: Summary | undefined): Partial<Stat> => {
    if (sums === undefined) return {};
    const title = { title: formatCost(sums.total_cost) };
    if (sums.unpriced_calls === 0) return title;
    return {
      ...title,
      important: true,
      qualifier: (
        <Link
          to="/model-prices"
          search={unpricedSearch()}
          className="link"
          title={t('stat.unpricedText', { count: sums.unpriced_calls, value: formatCount(sums.unpriced_calls) })}
        >
          {t('stat.unpriced', { requests: count(sums.unpriced_calls) })}
        </Link>
      ),
    };
  };

  /** The gravest remark in short; all of them in the title. */
  const tokensRemark = (sums: Summary | undefined): Partial<Stat> => {
    const remarks = sums === undefined ? [] : tokenRemarks(sums);
    const [first] = remarks;
    if (first === undefined) return {};
    return {
      qualifier: (
        <span title={remarks.map(({ text, value }) => t(text, { count: value, value: formatCount(value) })).join(' ')}>
          {t(first.short, { value: formatCompact(first.value) })}
        </span>
      ),
    };
  };

  const stats: readonly Stat[] = [
    {
      key: 'requests',
      label: t('stat.requests'),
      value: of((sums) => count(sums.total_calls)),
      qualifier: stale ? <StaleNote atMs={live.atMs} error={error} /> : missing === NONE ? t('stat.notLoaded') : scope,
      important: stale || missing === NONE,
      ...full(summary?.total_calls),
    },
    {
      key: 'success',
      label: t('stat.success'),
      value: of((sums) => share(sums.success_rate, some)),
      qualifier: some && summary !== undefined ? t('stat.succeeded', { requests: count(summary.success_calls) }) : '',
    },
    {
      key: 'failed',
      label: t('stat.failed'),
      value: of(({ failure_calls: failed }) =>
        failed > 0 && onFailed !== null ? (
          <button
            type="button"
            className="stat-link"
            aria-label={t('stat.showFailed', { requests: count(failed) })}
            onClick={onFailed}
          >
            {count(failed)}
          </button>
        ) : (
          count(failed)
        ),
      ),
      tone: (summary?.failure_calls ?? 0) > 0 ? 'bad' : null,
      ...full(summary?.failure_calls),
    },
    {
      key: 'cost',
      label: t('stat.cost'),
      value: of((sums) => shortCost(sums, narrow)),
      ...costRemark(summary),
    },
    {
      key: 'tokens',
      label: t('stat.tokens'),
      value: of((sums) => formatCompact(sums.total_tokens)),
      ...full(summary?.total_tokens),
      ...tokensRemark(summary),
      wideOnly: true,
    },
    {
      key: 'input',
      label: t('stat.input'),
      value: of((sums) => formatCompact(sums.input_tokens)),
      ...full(summary?.input_tokens),
      wideOnly: true,
    },
    {
      key: 'output',
      label: t('stat.output'),
      value: of((sums) => formatCompact(sums.output_tokens)),
      qualifier:
        summary !== undefined && summary.reasoning_tokens > 0
          ? t('stat.reasoning', { tokens: formatCompact(summary.reasoning_tokens) })
          : '',
      ...full(summary?.output_tokens),
      wideOnly: true,
    },
    {
      key: 'cached',
      label: t('stat.cacheHits'),
      value: of((sums) => share(sums.cache_hit_rate, sums.input_tokens > 0)),
      qualifier:
        summary !== undefined && summary.input_tokens > 0
          ? t('stat.cached', { tokens: formatCompact(summary.cached_tokens + summary.cache_read_tokens) })
          : '',
      ...full(summary === undefined ? undefined : summary.cached_tokens + summary.cache_read_tokens),
      wideOnly: true,
    },
  ];
  return <StatRow label={t('stat.label')} compact stats={stats} />;
}

function StaleNote(props: Parameters<typeof StaleText>[0]) {
  return (
    <span className="tone-warn">
      <StaleText {...props} />
    </span>
  );
}

function Share({ text }: { readonly text: string }) {
  return (
    <>
      {text.slice(0, -1)}
      <small>%</small>
    </>
  );
}
