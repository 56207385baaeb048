import { Box, Group } from '@mantine/core';
import { formatShare } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { ShareBar } from '../../../ui/display/share-bar.tsx';
import type { RankMeasure } from '../analytics-search.ts';
import type { Money } from '../money.ts';
import { ranked, rankText, shareOf, type UsageRow } from './usage-rows.ts';

/** More parts are summed up in a last line. */
const MOST = 12;

/** Parts of a whole, largest first, in a drawer. */
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
  const summed = (of: (row: UsageRow) => number) => rest.reduce((sum, row) => sum + of(row), 0);
  const others = {
    calls: summed(({ calls }) => calls),
    tokens: summed(({ tokens }) => tokens),
    cost: summed(({ cost }) => cost),
    unpriced: summed(({ unpriced }) => unpriced),
  };
  const share = (row: typeof others) => {
    const value = shareOf(row, total, by);
    return (
      <Box w={132}>
        <ShareBar share={value} text={formatShare(value)} />
      </Box>
    );
  };
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {shownRows.map((row) => (
          <Group component="li" gap="md" mih={28} key={row.key}>
            <span className="ellipsis" style={{ flex: 1 }} title={row.name}>
              {row.name}
              {row.detail !== '' && <span className="ink-3"> {row.detail}</span>}
            </span>
            <span className="right">{rankText(row, by, money)}</span>
            {share(row)}
          </Group>
        ))}
        {rest.length > 0 && (
          <Group component="li" gap="md" mih={28} className="ink-2">
            <span style={{ flex: 1 }}>{t('analytics.others', { count: rest.length })}</span>
            <span className="right">{rankText(others, by, money)}</span>
            {share(others)}
          </Group>
        )}
      </ul>
    </section>
  );
}
