import { useMemo } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import type { ChartData } from '../../../ui/chart/types.ts';
import type { LiveSearch } from '../monitoring-search.ts';
import { BUCKET_TEXTS, liveChart } from './overview-chart.ts';
import type { LiveOverview, Overview } from './use-overview.ts';

const NO_DATA: ChartData = { fromMs: 0, toMs: 0, buckets: [], lanes: [] };

/** Requests of range and filters over time; a bar opens its bucket. */
export function LiveTimeline({
  live,
  compared,
  search,
  onChange,
}: {
  readonly live: LiveOverview;
  readonly compared: Overview | undefined;
  readonly search: LiveSearch;
  readonly onChange: (next: LiveSearch) => void;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const { data } = live;
  const { name } = search.range;
  const chart = useMemo(
    () => (data === undefined ? undefined : liveChart(data, compared, name, zone, t)),
    [data, compared, name, zone, t],
  );
  return (
    <ChartPanel
      title={data === undefined ? t('stat.requests') : t(BUCKET_TEXTS[data.granularity])}
      source={{
        data: data === undefined ? undefined : (chart ?? NO_DATA),
        error: live.error,
        atMs: live.atMs === 0 ? null : live.atMs,
        busy: live.busy,
        retry: live.part.refresh,
      }}
      height={84}
      empty={{ title: t('live.noTimeline'), text: t('live.noTimelineText') }}
      errorTitle={t('live.timelineFailed')}
      exportName="requests-over-time"
      onBucket={(index) => {
        const bucket = chart?.buckets[index];
        if (bucket === undefined) return;
        onChange({ ...search, range: { name: 'custom', fromMs: bucket.startMs, toMs: bucket.endMs } });
      }}
    />
  );
}
