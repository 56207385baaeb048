import { coveredMs } from '@manager/core/time/covered';
import { Link } from '@tanstack/react-router';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useSpan } from '../feedback/states.tsx';
import type { ChartData, ChartSeries } from './types.ts';

/** Color and dash of a series. */
export function SeriesMark({ series }: { readonly series: Pick<ChartSeries, 'color' | 'dash' | 'kind'> }) {
  const color = `var(--${series.color})`;
  return (
    <svg width={18} height={10} viewBox="0 0 18 10" aria-hidden="true">
      {series.kind === 'bars' ? (
        <rect x="4" y="0" width="10" height="10" rx="2" fill={color} />
      ) : (
        <path d="M0 5h18" stroke={color} strokeWidth="2" strokeDasharray={series.dash?.join(' ')} />
      )}
    </svg>
  );
}

function GapMark() {
  return (
    <svg width={18} height={10} viewBox="0 0 18 10" aria-hidden="true">
      <path d="M2 10 12 0M7 10 17 0M-3 10 7 0" stroke="var(--mute)" strokeWidth="1.2" />
    </svg>
  );
}

/** Series in line order, then the gaps. With `onChoose` each is a button: of many lines the chosen ones keep their color. */
export function ChartLegend({
  data,
  chosen,
  onChoose,
  linkOf,
}: {
  readonly data: ChartData;
  readonly chosen?: ReadonlySet<string> | undefined;
  readonly onChoose?: ((id: string) => void) | undefined;
  /** Requests behind a series, for a link to each. */
  readonly linkOf?: ((id: string) => UrlSearch) | undefined;
}) {
  const { t } = useText();
  const span = useSpan();
  const missing = coveredMs(data.gaps ?? [], data.fromMs, data.toMs);
  // The title names the only series of a lane.
  const listed = data.lanes
    .filter((lane) => lane.series.length > 1 || linkOf !== undefined)
    .flatMap((lane) => lane.series);
  if (listed.length === 0 && missing === 0) return null;
  return (
    <ul className="chart-legend">
      {listed.map((series) => (
        <li key={series.id} title={series.label}>
          {linkOf !== undefined ? (
            <Link to="/monitoring" search={linkOf(series.id)} className="stat-link row">
              <SeriesMark series={series} />
              <span className="ellipsis">{series.label}</span>
            </Link>
          ) : onChoose === undefined ? (
            <>
              <SeriesMark series={series} />
              <span className="ellipsis">{series.label}</span>
            </>
          ) : (
            <button type="button" aria-pressed={chosen?.has(series.id) === true} onClick={() => onChoose(series.id)}>
              <SeriesMark series={series} />
              <span className="ellipsis">{series.label}</span>
            </button>
          )}
        </li>
      ))}
      {missing > 0 && (
        <li>
          <GapMark />
          {t('chart.gap', { span: span(missing) })}
        </li>
      )}
    </ul>
  );
}
