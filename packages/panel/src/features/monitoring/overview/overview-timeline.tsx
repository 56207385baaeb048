import { useMemo } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import type { ChartData } from '../../../ui/chart/types.ts';
import type { MonitoringSearch } from '../monitoring-search.ts';
import { BUCKET_TEXTS, overviewChart } from './overview-chart.ts';
import type { Overview, OverviewQuery } from './use-overview.ts';

const NO_DATA: ChartData = { fromMs: 0, toMs: 0, buckets: [], lanes: [] };

/** Requests of range and filters over time; a bar opens its bucket. */
export function OverviewTimeline({
  overview,
  compared,
  search,
  onChange,
}: {
  readonly overview: OverviewQuery;
  readonly compared: Overview | undefined;
  readonly search: MonitoringSearch;
  readonly onChange: (next: Partial<MonitoringSearch>) => void;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const { data } = overview;
  const { name } = search.range;
  const chart = useMemo(
    () => (data === undefined ? undefined : overviewChart(data, compared, name, zone, t)),
    [data, compared, name, zone, t],
  );
  return (
    <ChartPanel
      title={data === undefined ? t('stat.requests') : t(BUCKET_TEXTS[data.granularity])}
      source={{
        data: data === undefined ? undefined : (chart ?? NO_DATA),
        error: overview.error,
        atMs: overview.atMs === 0 ? null : overview.atMs,
        busy: overview.busy,
        retry: overview.part.refresh,
      }}
      height={84}
      empty={{ title: t('monitoring.noTimeline'), text: t('monitoring.noTimelineText') }}
      errorTitle={t('monitoring.timelineFailed')}
      exportName="requests-over-time"
      onRange={(fromMs, toMs) => onChange({ range: { name: 'custom', fromMs, toMs } })}
      onBucket={(index) => {
        const bucket = chart?.buckets[index];
        if (bucket === undefined) return;
        onChange({ range: { name: 'custom', fromMs: bucket.startMs, toMs: bucket.endMs } });
      }}
    />
  );
}
