import type { ViewerAnalytics } from '@manager/core/contract/viewer-links/viewer';
import { useMemo } from 'react';
import { fromQuery, mapSource } from '../../platform/api/data-source.ts';
import { useAddress } from '../../platform/browser/address.ts';
import {
  formatCompact,
  formatCostSum,
  formatCount,
  formatDuration,
  formatShare,
} from '../../platform/format/format.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { type Stat, StatRow } from '../../ui/display/stats.tsx';
import { RangeControl } from '../../ui/range/range-control.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { useTableSort } from '../../ui/table/use-table-sort.ts';
import { usageChart } from './usage-chart.ts';
import { narrowUsage, USAGE_SORTS, usageColumns, type ViewerRow, viewerRows } from './usage-rows.tsx';
import { useViewerNames, useViewerUsage } from './use-viewer.ts';
import { ViewerPage } from './viewer-page.tsx';
import { VIEWER_ADDRESS, VIEWER_RANGES } from './viewer-search.ts';

const NO_CHART = { fromMs: 0, toMs: 0, buckets: [], lanes: [] };

/** Own usage: sums, their course, by model and by client key. */
export function ViewerUsagePage() {
  const { t } = useText();
  const zone = useTimeZone();
  const { search, change } = useAddress(VIEWER_ADDRESS);
  const source = fromQuery(useViewerUsage({ range: search.range, key: '', model: '', status: 'all' }, zone));
  const nameOf = useViewerNames();
  const { data } = source;
  const chart = useMemo(() => (data === undefined ? NO_CHART : usageChart(data, t)), [data, t]);
  const rows = useMemo(() => (data === undefined ? undefined : viewerRows(data.answer, nameOf, t)), [data, nameOf, t]);
  return (
    <ViewerPage
      title={t('clientKeys.use')}
      updated={t('dashboard.updated', { time: timeOfDay(source.atMs, zone) })}
      refresh={{ busy: source.busy, onRefresh: source.retry }}
    >
      <search className="filter-bar">
        <RangeControl rules={VIEWER_RANGES} value={search.range} onChange={(range) => change({ range })} steps />
      </search>
      <StatRow label={t('stat.label')} stats={statsOf(data?.answer, t)} />
      <ChartPanel
        title={t('analytics.trend')}
        unit={t(data?.answer.granularity === 'day' ? 'analytics.perDay' : 'analytics.perHour')}
        source={mapSource(source, () => chart)}
        height={280}
        phoneHeight={300}
        empty={{ title: t('analytics.empty'), text: t('analytics.emptyShort') }}
        errorTitle={t('analytics.loadFailed')}
        exportName="usage"
      />
      <UsageTable
        title={t('analytics.models')}
        nameLabel={t('analytics.model')}
        file="models"
        source={mapSource(source, () => rows?.models ?? [])}
      />
      <UsageTable
        title={t('analytics.keys')}
        nameLabel={t('analytics.key')}
        file="client-keys"
        source={mapSource(source, () => rows?.keys ?? [])}
      />
    </ViewerPage>
  );
}

interface UsageTableProps {
  readonly title: string;
  readonly nameLabel: string;
  readonly file: string;
  readonly source: Parameters<typeof TablePanel<ViewerRow>>[0]['source'];
}

function UsageTable({ title, nameLabel, file, source }: UsageTableProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const [sort, onSort] = useTableSort(USAGE_SORTS, { column: 'cost_usd', direction: 'desc' }, `${file}_sort`);
  const columns = useMemo(() => usageColumns(nameLabel, { t, zone, locale }), [nameLabel, t, zone, locale]);
  return (
    <TablePanel
      title={title}
      subtitle={source.data === undefined ? '' : formatCount(source.data.length)}
      source={source}
      empty={{ title: t('analytics.empty'), text: t('analytics.emptyShort') }}
      errorTitle={t('analytics.loadFailed')}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      narrow={(row) => narrowUsage(row, t)}
      sort={sort}
      onSort={onSort}
      exportName={file}
      expectedRows={4}
    />
  );
}

function statsOf(answer: ViewerAnalytics | undefined, t: Translate): readonly Stat[] {
  const now = answer?.summary;
  const before = answer?.comparison;
  const beforeText = (text: string | undefined) => text && t('report.beforeValue', { value: text });
  return [
    {
      key: 'requests',
      label: t('stat.requests'),
      value: now && formatCompact(now.calls),
      title: now && formatCount(now.calls),
      qualifier: beforeText(before && formatCompact(before.calls)),
    },
    {
      key: 'failed',
      label: t('stat.failed'),
      value: now && formatCount(now.failure_calls),
      qualifier: now && (now.calls === 0 ? '–' : formatShare(now.failure_calls / now.calls)),
    },
    {
      key: 'tokens',
      label: t('stat.tokens'),
      value: now && formatCompact(now.total_tokens),
      title: now && formatCount(now.total_tokens),
      qualifier: beforeText(before && formatCompact(before.total_tokens)),
    },
    {
      key: 'cost',
      label: t('stat.cost'),
      value: now && formatCostSum(now.cost, now.unpriced_calls),
      qualifier: beforeText(before && formatCostSum(before.cost, before.unpriced_calls)),
    },
    {
      key: 'cache',
      label: t('stat.cacheHits'),
      value: now && (now.input_tokens === 0 ? '–' : formatShare(now.cache_hit_rate)),
    },
    {
      key: 'latency',
      label: t('analytics.latency'),
      value: now && formatDuration(now.average_latency_ms),
      qualifier: now && t('viewer.p95', { value: formatDuration(now.p95_latency_ms) }),
    },
  ];
}
