import { useMemo } from 'react';
import { type DataSource, mapSource } from '../../platform/api/data-source.ts';
import { useText } from '../../platform/i18n/index.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { bucketName } from '../../ui/chart/names.ts';
import { timeTicks } from '../../ui/chart/time-ticks.ts';
import type { ChartData } from '../../ui/chart/types.ts';
import { dayOf } from './period.ts';
import { reportChart } from './report-chart.ts';
import { MEASURE_LABELS } from './report-columns.tsx';
import type { ReportSearch } from './report-search.ts';
import type { Reported } from './use-report.ts';

interface DailyChartProps {
  readonly source: DataSource<Reported>;
  readonly search: ReportSearch;
  readonly onChange: (next: Partial<ReportSearch>) => void;
}

const NO_DATA: ChartData = { fromMs: 0, toMs: 0, buckets: [], lanes: [] };

/** Days of the period and of the one before; a day or a dragged range becomes the period. */
export function DailyChart({ source, search, onChange }: DailyChartProps) {
  const { t, locale } = useText();
  const { data } = source;
  const chart = useMemo(() => (data === undefined ? NO_DATA : reportChart(data, t)), [data, t]);
  const { zone, measure } = data?.search ?? search;
  // Days of the report, whatever the zone of the panel is.
  const axis = useMemo(
    () => ({
      ticks: (fromMs: number, toMs: number, most: number) => timeTicks(fromMs, toMs, most, zone, locale),
      name: (bucket: { readonly startMs: number; readonly endMs: number }) => bucketName(bucket, zone, locale),
    }),
    [zone, locale],
  );
  const open = (fromMs: number, toMs: number) =>
    onChange({ period: { kind: 'days', from: dayOf(fromMs, zone), to: dayOf(toMs - 1, zone) } });
  return (
    <ChartPanel
      title={t(MEASURE_LABELS[measure])}
      unit={t('report.perDay')}
      source={mapSource(source, () => chart)}
      height={160}
      empty={{ title: t('analytics.empty'), text: t('report.emptyText') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={{ title: t('analytics.old'), text: t('analytics.oldText') }}
      exportName={`report-days-${measure}`}
      axis={axis}
      onBucket={(index) => {
        const bucket = chart.buckets[index];
        if (bucket !== undefined) open(bucket.startMs, bucket.endMs);
      }}
      onRange={open}
    />
  );
}
