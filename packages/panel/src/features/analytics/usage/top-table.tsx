import type { Summary } from '@manager/core/contract/monitoring/sections';
import { type ReactNode, useMemo } from 'react';
import { type DataSource, mapSource } from '../../../platform/api/data-source.ts';
import { formatCount, formatShare } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { unpricedTitle } from '../../../platform/requests/sum-texts.ts';
import { ShareBar } from '../../../ui/display/share-bar.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import type { AnalyticsTab, RankMeasure } from '../analytics-search.ts';
import type { Money } from '../money.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { narrowUsage, shareLabel } from './usage-columns.tsx';
import { knownValue, ranked, rankText, rankTotal, shareOf, type UsageRow } from './usage-rows.ts';
import { useExportedName } from './use-exported-name.ts';

const SHOWN = 5;

/** The first five of a list, with their share of the whole. */
export function TopTable({
  title,
  nameLabel,
  source,
  by,
  money,
  all,
  file,
  kind,
  onOpen,
  href,
}: {
  readonly title: string;
  readonly nameLabel: string;
  readonly source: DataSource<{ readonly rows: readonly UsageRow[]; readonly summary: Summary | undefined }>;
  readonly by: RankMeasure;
  readonly money: Money;
  readonly all: ReactNode;
  readonly file: string;
  readonly kind: AnalyticsTab;
  readonly onOpen: (row: UsageRow) => void;
  readonly href: (row: UsageRow) => string;
}) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const exportedName = useExportedName(kind);
  const summary = source.data?.summary;
  const count = source.data?.rows.length ?? 0;
  const columns = useMemo<readonly TableColumn<UsageRow>[]>(() => {
    const whole = rankTotal(summary, by);
    const label = { cost: 'analytics.cost', requests: 'analytics.requests', tokens: 'analytics.tokens' } as const;
    return [
      {
        id: 'name',
        label: nameLabel,
        width: null,
        minWidth: 110,
        cell: (row) => row.name,
        title: (row) => [row.name, row.detail].filter((part) => part !== '').join(' · '),
        exported: exportedName,
      },
      {
        id: by === 'cost' ? 'cost_usd' : by,
        label: by === 'cost' ? `${t(label.cost)}${money.mark}` : t(label[by]),
        width: 104,
        right: true,
        cell: (row) => rankText(row, by, money),
        title: (row) =>
          by === 'tokens' ? formatCount(row.tokens) : by === 'cost' ? unpricedTitle(row.unpriced, t) : undefined,
        exported: (row) => knownValue(row, by),
      },
      {
        id: 'share',
        label: t(shareLabel(by)),
        width: 124,
        priority: 1,
        cell: (row) => {
          const share = shareOf(row, whole, by);
          return <ShareBar share={share} text={formatShare(share)} />;
        },
        exported: (row) => shareOf(row, whole, by),
      },
    ];
  }, [t, by, money, summary, nameLabel, exportedName]);
  return (
    <TablePanel
      title={title}
      subtitle={count > SHOWN ? t('analytics.topOf', { shown: SHOWN, all: formatCount(count) }) : ''}
      source={mapSource(source, ({ rows }) => ranked(rows, by).slice(0, SHOWN))}
      empty={{ title: t('analytics.empty'), text: t('analytics.emptyShort') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      columns={columns}
      rowKey={(row) => row.key}
      rowName={(row) => row.name}
      narrow={(row) => narrowUsage(row, { t, money, by, summary })}
      twoLineBelow={240}
      href={href}
      onOpen={onOpen}
      actions={all}
      exportName={file}
      expectedRows={SHOWN}
    />
  );
}
