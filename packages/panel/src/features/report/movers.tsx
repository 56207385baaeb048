import { costColumn, formatCompact, formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { signed } from '../../platform/wording/changes.ts';
import { RowChange } from './report-columns.tsx';
import { growthOf, movers, type ReportRow } from './report-rows.ts';
import type { ReportMeasure } from './report-search.ts';

const MOST = 5;

/** The rows that grew and shrank most. */
export function Movers({ rows, measure }: { readonly rows: readonly ReportRow[]; readonly measure: ReportMeasure }) {
  const { t } = useText();
  const { risers, fallers } = movers(rows, measure, MOST);
  if (risers.length + fallers.length === 0) return null;
  const cost = costColumn([...risers, ...fallers].map((row) => Math.abs(growthOf(row, 'cost') ?? 0)));
  const show = (row: ReportRow) => {
    const growth = growthOf(row, measure) ?? 0;
    const amount = Math.abs(growth);
    const text =
      measure === 'cost' ? cost(amount) : measure === 'requests' ? formatCount(amount) : formatCompact(amount);
    return signed(growth, text);
  };
  return (
    <div className="report-movers">
      {(
        [
          ['report.risers', risers],
          ['report.fallers', fallers],
        ] as const
      ).map(([title, moved]) => (
        <section className="panel" key={title} aria-label={t(title)}>
          <div className="panel-head">
            <h2>{t(title)}</h2>
          </div>
          <ul>
            {moved.map((row) => (
              <li key={row.key}>
                <span className="ellipsis" title={row.name}>
                  {row.name}
                </span>
                <span className="right">{show(row)}</span>
                <span className="right">
                  <RowChange row={row} measure={measure} />
                </span>
              </li>
            ))}
            {moved.length === 0 && <li className="ink-3">{t('report.noMovers')}</li>}
          </ul>
        </section>
      ))}
    </div>
  );
}
