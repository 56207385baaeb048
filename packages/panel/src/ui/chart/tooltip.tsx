import { NONE } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { SeriesMark } from './legend.tsx';
import type { ChartBucket, ChartData, ChartSeries } from './types.ts';
import { type ChartView, middle } from './view.ts';

const valueText = (series: ChartSeries, index: number): string => {
  const value = series.values[index] ?? null;
  return value === null ? NONE : series.format(value);
};

const POINT = {
  position: 'absolute',
  width: 8,
  height: 8,
  margin: '-4px 0 0 -4px',
  borderRadius: '50%',
  border: '1.5px solid var(--surface)',
  pointerEvents: 'none',
} as const;

/** A bucket as one sentence, for screen readers. */
export function spokenBucket(data: ChartData, index: number, name: (bucket: ChartBucket) => string): string {
  const bucket = data.buckets[index];
  if (bucket === undefined) return '';
  const values = data.lanes.flatMap((lane) =>
    lane.series.map((series) => `${series.label} ${valueText(series, index)}`),
  );
  return [name(bucket), ...values].join(', ');
}

/** Values of the bucket under the cursor: time with zone, then shape, name, value; at most one line of context. */
export function ChartTooltip({
  view,
  index,
  name,
  zone,
}: {
  readonly view: ChartView;
  readonly index: number;
  readonly name: (bucket: ChartBucket) => string;
  /** '' = the labels are not times. */
  readonly zone: string;
}) {
  const { t } = useText();
  const bucket = view.data.buckets[index];
  if (bucket === undefined) return null;
  const x = view.xOf(middle(bucket, view.data));
  const gap = view.data.gaps?.find((one) => one.fromMs < bucket.endMs && one.toMs > bucket.startMs);
  const context = gap?.text ?? (bucket.partial === true ? t('chart.partial') : null);
  const onLeft = x > view.width / 2;
  const room = (onLeft ? x : view.width - x) - 12;
  const side = {
    maxWidth: Math.min(320, room - 4),
    ...(onLeft ? { right: view.width - room } : { left: view.width - room }),
  };
  return (
    <>
      {view.lanes.flatMap((lane) =>
        lane.lines.flatMap(({ series, points }) => {
          const point = points.find((one) => Math.abs(one.x - x) < 0.5);
          if (point === undefined || point.y === null) return [];
          const style = { ...POINT, left: point.x, top: point.y, background: `var(--${series.color})` };
          return [<span key={`${lane.lane.id} ${series.id}`} style={style} />];
        }),
      )}
      <div className="chart-tooltip small" style={side} aria-hidden="true">
        <div className="medium nowrap" style={{ marginBottom: 4 }}>
          {name(bucket)} <span className="ink-3">{zone}</span>
        </div>
        {view.data.lanes.flatMap((lane) =>
          lane.series.map((series) => (
            <div className="chart-tooltip-row" key={`${lane.id} ${series.id}`}>
              <SeriesMark series={series} />
              <span className="ellipsis">{series.label}</span>
              <span className="medium">{valueText(series, index)}</span>
            </div>
          )),
        )}
        {context !== null && (
          <div className="ink-3" style={{ marginTop: 4 }}>
            {context}
          </div>
        )}
      </div>
    </>
  );
}
