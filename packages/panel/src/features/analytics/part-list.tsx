import { useText } from '../../i18n/index.ts';
import { formatCompact, formatCount, formatShare } from '../../ui/format.ts';
import type { RankMeasure } from './analytics-search.ts';
import type { Money } from './money.ts';
import { ShareBar } from './parts.tsx';
import { ranked, rankValue, type UsageRow } from './usage-rows.ts';

/** More parts than this are summed up in a last line. */
const MOST = 12;

/** What a whole is made of, largest first, in a drawer. */
export function PartList({
  title,
  rows,
  by,
  total,
  money,
}: {
  readonly title: string;
  readonly rows: readonly UsageRow[];
  readonly by: RankMeasure;
  readonly total: number;
  readonly money: Money;
}) {
  const { t } = useText();
  if (rows.length === 0) return null;
  const ordered = ranked(rows, by);
  const shownRows = ordered.slice(0, MOST);
  const rest = ordered.slice(MOST);
  const text = (row: Pick<UsageRow, 'calls' | 'cost' | 'tokens'>): string => {
    const value = rankValue(row, by);
    return by === 'cost' ? money.format(value) : by === 'requests' ? formatCount(value) : formatCompact(value);
  };
  const share = (value: number): number | null => (total <= 0 ? null : value / total);
  const restValue = rest.reduce((sum, row) => sum + rankValue(row, by), 0);
  return (
    <section>
      <h2>{title}</h2>
      <ul className="part-list">
        {shownRows.map((row) => (
          <li key={row.key}>
            <span className="ellipsis" title={row.name}>
              {row.name}
              {row.detail !== '' && <span className="ink-3"> {row.detail}</span>}
            </span>
            <span className="right">{text(row)}</span>
            <ShareBar share={share(rankValue(row, by))} text={formatShare(share(rankValue(row, by)))} />
          </li>
        ))}
        {rest.length > 0 && (
          <li className="ink-2">
            <span>{t('analytics.others', { count: rest.length })}</span>
            <span className="right">{by === 'cost' ? money.format(restValue) : formatCompact(restValue)}</span>
            <ShareBar share={share(restValue)} text={formatShare(share(restValue))} />
          </li>
        )}
      </ul>
    </section>
  );
}
