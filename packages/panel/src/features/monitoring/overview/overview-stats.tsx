import type { Summary } from '@manager/core/contract/monitoring/sections';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  formatCompact,
  formatCost,
  formatCostSum,
  formatCount,
  formatExactCost,
  formatShare,
  NONE,
} from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { unpricedSearch } from '../../../platform/requests/event-cost.ts';
import { briefCount, shortCost, tokenRemarks, unpricedTitle } from '../../../platform/requests/sum-texts.ts';
import {
  type Change,
  changeText,
  type GoodDirection,
  relativeChange,
  signedTenths,
} from '../../../platform/wording/changes.ts';
import { judgeChange } from '../../../platform/wording/judge-change.ts';
import { VERDICT_TONES, VerdictWord } from '../../../ui/display/change-text.tsx';
import { type Stat, StatRow } from '../../../ui/display/stats.tsx';
import { StaleText } from '../../../ui/feedback/states.tsx';
import { usePhone } from '../../../ui/use-phone.ts';
import type { MonitoringSearch } from '../monitoring-search.ts';
import { ExplainedValue } from './explained-value.tsx';
import type { SumName } from './sum-explanation.ts';
import type { OverviewQuery } from './use-overview.ts';

/** Up to here a count is shown in full. */
const FULL_UP_TO = 9_999_999;

interface OverviewStatsProps {
  readonly overview: OverviewQuery;
  /** Sums of the comparison range; null = none. */
  readonly before: Summary | null;
  /** Range and filters in short. */
  readonly scope: string;
  /** The same in full, one per line. */
  readonly scopeLines: readonly string[];
  readonly search: MonitoringSearch;
  readonly onChange: (next: Partial<MonitoringSearch>) => void;
}

/** Sums of the whole range and all filters, whatever is loaded. Each explains its calculation. */
export function OverviewStats({ overview, before, scope, scopeLines, search, onChange }: OverviewStatsProps) {
  const { t } = useText();
  const narrow = usePhone();
  const { error } = overview;
  const summary = overview.data?.answer.summary;
  // Failed without data is not the same as loading.
  const missing = error === null ? undefined : NONE;
  const some = (summary?.total_calls ?? 0) > 0;
  // With a filter on one outcome, its share is meaningless.
  const rates = search.status === 'all';
  const count = (value: number) => (narrow || value > FULL_UP_TO ? formatCompact(value) : formatCount(value));
  const full = (value: number | undefined) => (value === undefined ? {} : { title: formatCount(value) });
  const share = (value: number, known: boolean) => (known ? <Share text={formatShare(value)} /> : NONE);
  const stale = summary !== undefined && error !== null;

  const tile = (key: SumName, label: string, show: (sums: Summary) => ReactNode): Stat => ({
    key,
    label,
    value:
      summary === undefined ? (
        missing
      ) : (
        <ExplainedValue name={key} label={label} sums={summary} scope={scopeLines} search={search} onChange={onChange}>
          {show(summary)}
        </ExplainedValue>
      ),
  });
  /** Change of a sum against the comparison range; before the usual third line. */
  const change = (value: (sums: Summary) => number, shown: (value: number) => string, usual: ReactNode = '') => {
    if (summary === undefined || before === null) return { qualifier: usual };
    return {
      important: true,
      qualifier: (
        <span title={t('monitoring.comparedValue', { value: shown(value(before)) })}>
          {changeText(relativeChange(value(summary), value(before)), t)}{' '}
          <span className="ink-3">· {shown(value(before))}</span>
        </span>
      ),
    };
  };
  /** `judged`: the share whose change is judged; that of successes changes little when failures double. */
  const points = (
    value: (sums: Summary) => number,
    usual: ReactNode,
    judged: { readonly value: (sums: Summary) => number; readonly good: GoodDirection } = { value, good: 'up' },
  ) => {
    if (summary === undefined || before === null || before.total_calls === 0) return { qualifier: usual };
    const verdict = judgeChange({
      baseRequests: Math.min(summary.total_calls, before.total_calls),
      before: judged.value(before),
      after: judged.value(summary),
      good: judged.good,
      share: true,
    });
    return {
      important: true,
      qualifier: (
        <span className={verdict === 'neutral' ? undefined : VERDICT_TONES[verdict]}>
          {t('monitoring.points', { points: signedTenths(value(summary) - value(before)) })}{' '}
          <VerdictWord verdict={verdict} />
        </span>
      ),
    };
  };

  const stats: readonly Stat[] = [
    {
      ...tile('requests', t('stat.requests'), (sums) => count(sums.total_calls)),
      ...(stale || missing === NONE || before === null
        ? {
            qualifier: stale ? (
              <StaleNote atMs={overview.atMs} error={error} />
            ) : missing === NONE ? (
              t('stat.notLoaded')
            ) : (
              scope
            ),
            important: stale || missing === NONE,
          }
        : change((sums) => sums.total_calls, count)),
      ...full(summary?.total_calls),
    },
    {
      ...tile('success', t('stat.success'), (sums) => share(sums.success_rate, some && rates)),
      ...(rates
        ? points(
            (sums) => sums.success_rate,
            some && summary !== undefined ? t('stat.succeeded', { requests: briefCount(summary.success_calls) }) : '',
            { value: (sums) => 1 - sums.success_rate, good: 'down' },
          )
        : {}),
    },
    {
      ...tile('failed', t('stat.failed'), (sums) => count(sums.failure_calls)),
      ...change((sums) => sums.failure_calls, count),
      tone: (summary?.failure_calls ?? 0) > 0 ? 'bad' : null,
      ...full(summary?.failure_calls),
    },
    {
      ...tile('cost', t(search.status === 'failed' ? 'stat.costFailed' : 'stat.cost'), (sums) =>
        shortCost(sums, narrow),
      ),
      ...change((sums) => sums.total_cost, formatCost),
      ...(summary === undefined
        ? {}
        : { title: formatCostSum(summary.total_cost, summary.unpriced_calls, formatExactCost) }),
      ...(summary === undefined || summary.unpriced_calls === 0
        ? {}
        : { important: true, qualifier: <Unpriced sums={summary} before={before} /> }),
    },
    {
      ...tile('tokens', t('stat.tokens'), (sums) => formatCompact(sums.total_tokens)),
      ...change((sums) => sums.total_tokens, formatCompact, summary && <TokensRemark sums={summary} />),
      ...full(summary?.total_tokens),
      wideOnly: true,
    },
    {
      ...tile('input', t('stat.input'), (sums) => formatCompact(sums.input_tokens)),
      ...change((sums) => sums.input_tokens, formatCompact),
      ...full(summary?.input_tokens),
      wideOnly: true,
    },
    {
      ...tile('output', t('stat.output'), (sums) => formatCompact(sums.output_tokens)),
      ...change(
        (sums) => sums.output_tokens,
        formatCompact,
        summary !== undefined && summary.reasoning_tokens > 0
          ? t('stat.reasoning', { tokens: formatCompact(summary.reasoning_tokens) })
          : '',
      ),
      ...full(summary?.output_tokens),
      wideOnly: true,
    },
    {
      ...tile('cached', t('stat.cacheHits'), (sums) => share(sums.cache_hit_rate, sums.input_tokens > 0)),
      ...points(
        (sums) => sums.cache_hit_rate,
        summary !== undefined && summary.input_tokens > 0
          ? t('stat.cached', { tokens: formatCompact(summary.cached_tokens + summary.cache_read_tokens) })
          : '',
      ),
      ...full(summary === undefined ? undefined : summary.cached_tokens + summary.cache_read_tokens),
      wideOnly: true,
    },
  ];
  return <StatRow label={t('stat.label')} compact stats={stats} />;
}

/** A sum that leaves requests out is marked. */
function Unpriced({ sums, before }: { readonly sums: Summary; readonly before: Summary | null }) {
  const { t } = useText();
  const change: Change = before === null ? { kind: 'none' } : relativeChange(sums.total_cost, before.total_cost);
  return (
    <>
      {change.kind !== 'none' && `${changeText(change, t)} · `}
      <Link to="/model-prices" search={unpricedSearch()} className="link" title={unpricedTitle(sums.unpriced_calls, t)}>
        {t('stat.unpriced', { requests: briefCount(sums.unpriced_calls) })}
      </Link>
    </>
  );
}

/** The most important note in short; all of them in the tooltip. */
function TokensRemark({ sums }: { readonly sums: Summary }) {
  const { t } = useText();
  const remarks = tokenRemarks(sums);
  const [first] = remarks;
  if (first === undefined) return null;
  return (
    <span title={remarks.map(({ text, value }) => t(text, { count: value, value: formatCount(value) })).join(' ')}>
      {t(first.short, { value: formatCompact(first.value) })}
    </span>
  );
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
