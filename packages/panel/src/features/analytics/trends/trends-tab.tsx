import { Menu } from '@mantine/core';
import { useMemo } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  formatTenths,
  NONE,
} from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import { bucketName } from '../../../ui/chart/names.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Explain } from '../../../ui/display/explain.tsx';
import { type Stat, StatRow } from '../../../ui/display/stats.tsx';
import { CoverageNote } from '../../../ui/feedback/coverage-note.tsx';
import { UnpricedNote } from '../../../ui/feedback/unpriced-note.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { GranularityChoice } from '../choices.tsx';
import { useEmpty } from '../empty-text.tsx';
import { MEASURE_IDS, type Measure, type MeasureId, measure, measureName } from '../measures.ts';
import type { Money } from '../money.ts';
import { includeOf } from '../question.ts';
import { moveRange, type TabProps } from '../tab-props.ts';
import { UsageStats } from '../usage/usage-stats.tsx';
import { useBefore } from '../use-before.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { AnomalyTable } from './anomalies.tsx';
import { BucketDrawer } from './bucket-drawer.tsx';
import { timelineChart, timelineView } from './timeline-chart.ts';
import { chosenMeasures, MAX_SERIES, meanOf, peakOf, toggledSeries } from './trends-view.ts';

const LANE_HEIGHT = 92;
const MEAN_EXPLAINED = 'explain.mean';

/** Any measures over time, one lane each. */
export function TrendsTab(props: TabProps) {
  const { search, change, zone, options, money } = props;
  const { t } = useText();
  const unsupported = useUnsupported();
  const { scope, granularity, series } = search;
  const query = useAnalytics({
    part: 'trends',
    scope,
    zone,
    granularity,
    known: options.selectors?.api_key_hashes,
    enabled: !options.waiting,
    include: (cut) => includeOf('trends', cut),
  });
  const source = fromQuery(query);
  const { data } = query;
  const before = useBefore(scope, zone, options.selectors?.api_key_hashes, data);
  const measures = useMemo(() => chosenMeasures(series), [series]);
  const chart = useMemo(
    () => (data === undefined ? undefined : timelineChart(data, measures, t, money)),
    [data, measures, t, money],
  );
  const empty = useEmpty(scope, (next) => change({ scope: next }));
  const openBucket = (ms: number) => change({ open: String(ms) }, search.open !== '');
  return (
    <>
      <CoverageNote coverage={data?.answer.coverage} />
      <UnpricedNote requests={data?.answer.summary?.unpriced_calls} />
      <UsageStats source={source} money={money} before={before} />
      <PeakStats source={source} money={money} onOpen={openBucket} />
      <ChartPanel
        title={t('analytics.trend')}
        unit={t(data?.granularity === 'day' ? 'analytics.perDay' : 'analytics.perHour')}
        source={mapSource(source, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
        height={48 + measures.length * LANE_HEIGHT}
        phoneHeight={Math.max(220, 40 + measures.length * 72)}
        empty={empty}
        errorTitle={t('analytics.loadFailed')}
        unsupported={unsupported}
        exportName="usage-trend"
        onRange={moveRange(props, true)}
        actions={
          <>
            <SeriesMenu
              shown={measures}
              money={money}
              onToggle={(id) => change({ series: toggledSeries(measures, id) })}
            />
            <GranularityChoice value={granularity} onChange={(next) => change({ granularity: next })} />
          </>
        }
        onBucket={(index) => {
          const bucket = chart?.buckets[index];
          if (bucket !== undefined) openBucket(bucket.startMs);
        }}
      />
      <AnomalyTable
        source={source}
        money={money}
        onOpen={openBucket}
        openKey={search.open === '' ? null : search.open}
      />
      {search.open !== '' && data !== undefined && <BucketDrawer {...props} answered={data} />}
    </>
  );
}

function SeriesMenu({
  shown,
  money,
  onToggle,
}: {
  readonly shown: readonly Measure[];
  readonly money: Money;
  readonly onToggle: (id: MeasureId) => void;
}) {
  const { t } = useText();
  const full = shown.length >= MAX_SERIES;
  return (
    <Menu position="bottom-end" width={240} closeOnItemClick={false}>
      <Menu.Target>
        <Button kind="quiet">
          {t('analytics.series', { count: shown.length })}
          <Icon name="chevronDown" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('analytics.seriesHint', { count: MAX_SERIES })}</Menu.Label>
        {MEASURE_IDS.map((id) => {
          const chosen = shown.some((one) => one.id === id);
          return (
            <Menu.CheckboxItem key={id} checked={chosen} disabled={!chosen && full} onChange={() => onToggle(id)}>
              {measureName(measure(id), money, t)}
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The largest and the mean bucket, without the incomplete one. */
function PeakStats({
  source,
  money,
  onOpen,
}: {
  readonly source: DataSource<Answered>;
  readonly money: Money;
  readonly onOpen: (bucketMs: number) => void;
}) {
  const { t, locale } = useText();
  const { data, error } = source;
  const missing = error === null ? undefined : NONE;
  const view = useMemo(() => (data === undefined ? undefined : timelineView(data)), [data]);
  const peak = (key: string, label: string, id: MeasureId, format: (value: number) => string): Stat => {
    if (view === undefined || data === undefined) return { key, label, value: missing };
    const found = peakOf(view, id);
    if (found === null) return { key, label, value: NONE, qualifier: t('analytics.noPeak') };
    return {
      key,
      label,
      value: (
        <button type="button" className="stat-link" onClick={() => onOpen(found.bucket.startMs)}>
          {format(found.value)}
        </button>
      ),
      qualifier: bucketName(found.bucket, data.zone, locale),
    };
  };
  const mean = view === undefined ? null : meanOf(view, 'requests');
  const meanCost = view === undefined ? null : meanOf(view, 'cost');
  const day = data?.granularity === 'day';
  const stats: readonly Stat[] = [
    peak('peak', t('analytics.peakRequests'), 'requests', formatCount),
    {
      key: 'mean',
      label: t(day ? 'analytics.meanPerDay' : 'analytics.meanPerHour'),
      value: view === undefined ? missing : mean === null ? NONE : mean < 10 ? formatTenths(mean) : formatCompact(mean),
      help: <Explain name={t(day ? 'analytics.meanPerDay' : 'analytics.meanPerHour')} text={MEAN_EXPLAINED} />,
      qualifier: meanCost === null ? '' : t('analytics.meanCost', { cost: money.format(meanCost) }),
    },
    peak('peakCost', `${t('analytics.peakCost')}${money.mark}`, 'cost', money.format),
    peak('peakFailure', t('analytics.peakFailure'), 'failureRate', formatShare),
    peak('peakP95', t('analytics.peakP95'), 'p95', formatDuration),
  ];
  return <StatRow label={t('analytics.peaks')} stats={stats} />;
}
