import { Group } from '@mantine/core';
import { memo, useMemo } from 'react';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { type DataSource, mapSource } from '../../platform/api/data-source.ts';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import type { TableSort } from '../../platform/sort.ts';
import { accountTitle, type CellContext } from '../../ui/accounts/account-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ExportMenu } from '../../ui/table/export-menu.tsx';
import { Pager } from '../../ui/table/pager.tsx';
import type { ListPage } from '../../ui/table/pages.ts';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import { accountCard, accountColumns, cardHeight, type RowControls, rowHeight } from './account-columns.tsx';
import { accountExport } from './account-export.ts';
import { type AccountSort, type AccountsSearch, hasFilters, NO_FILTERS, PAGE_SIZES } from './accounts-search.ts';
import { useAccountHref } from './use-accounts-url.ts';

export interface AccountListProps {
  readonly source: DataSource<readonly AccountRow[]>;
  /** All that match the filters, in order. */
  readonly rows: readonly AccountRow[];
  readonly page: ListPage<AccountRow>;
  /** The tag of this group, '' = none; absent = the whole list. */
  readonly tag?: string;
  readonly search: AccountsSearch;
  readonly selected: ReadonlySet<string>;
  readonly controls: RowControls;
  readonly context: CellContext;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
  readonly onChange: (next: Partial<AccountsSearch>, replace?: boolean) => void;
  /** Adds accounts. */
  readonly onAdd: () => void;
}

const rowKey = ({ account }: AccountRow): string => account.key;
/** Below this width, px, as beside the drawer, columns leave too little room for names and bars. */
const CARDS_BELOW = 700;

/** Memoized: its rows are the slowest part of the page. */
export const AccountListPanel = memo(function AccountListPanel(props: AccountListProps) {
  const { source, rows, page, tag, search, selected, controls, context, onSelect, onChange, onAdd } = props;
  const { t } = useText();
  const { masker } = context;
  const hrefTo = useAccountHref();
  const columns = useMemo(() => accountColumns(context, controls), [context, controls]);
  const files = useMemo(() => accountExport(context), [context]);
  const sort: TableSort | null =
    search.sort === 'default' ? null : { column: search.sort, direction: search.direction };
  const onSort = (next: TableSort) =>
    onChange({ sort: next.column as AccountSort, direction: next.direction, page: 1 });
  const empty = hasFilters(search)
    ? {
        title: t('accounts.noMatch'),
        text: t('accountActions.filteredText'),
        action: <Button onClick={() => onChange(NO_FILTERS)}>{t('filter.clear')}</Button>,
      }
    : {
        title: t('accounts.none'),
        text: t('accounts.noneText'),
        action: (
          <>
            <Button kind="primary" onClick={onAdd}>
              {t('accountUpload.open')}
            </Button>
            <Button onClick={source.retry}>{t('refresh.now')}</Button>
          </>
        ),
      };
  return (
    <TablePanel
      title={
        tag === undefined ? t('nav.accounts') : tag === '' ? t('accounts.untagged') : `#${shown(masker.text(tag))}`
      }
      subtitle={
        source.data &&
        `${t('accounts.shownOf', { rows: formatCount(rows.length), all: formatCount(source.data.length) })}${context.managed ? ` · ${t('accounts.allTime')}` : ''}`
      }
      source={mapSource(source, () => page.rows)}
      columns={columns}
      rowKey={rowKey}
      rowName={(row) => accountTitle(row.account, masker)}
      narrow={(row) => accountCard(row, context, controls)}
      narrowHeight={cardHeight}
      twoLineBelow={CARDS_BELOW}
      rowHeight={rowHeight}
      sort={sort}
      onSort={onSort}
      href={(row) => hrefTo(rowKey(row))}
      onOpen={(row) => onChange({ account: rowKey(row) }, search.account !== '')}
      openKey={search.account === '' ? null : search.account}
      selection={{ keys: selected, onChange: onSelect }}
      keys={tag === undefined}
      empty={empty}
      errorTitle={t('accounts.loadFailed')}
      unsupported={{ title: t('accounts.old'), text: t('modelsTab.oldText') }}
      expectedRows={8}
      actions={
        <>
          {tag === undefined && (
            <Button onClick={onAdd}>
              <Icon name="plus" />
              {t('accountUpload.open')}
            </Button>
          )}
          <ExportMenu name="accounts" columns={files} rows={rows} square />
        </>
      }
      foot={
        tag === undefined && rows.length > 0 ? (
          <Foot page={page} count={rows.length} size={search.pageSize} onChange={onChange} />
        ) : undefined
      }
    />
  );
});

function Foot({
  page,
  count,
  size,
  onChange,
}: {
  readonly page: ListPage<AccountRow>;
  readonly count: number;
  readonly size: number;
  readonly onChange: AccountListProps['onChange'];
}) {
  const { t } = useText();
  return (
    <Group component="span" justify="space-between" gap="4px 16px" flex={1}>
      <Pager page={page} count={count} size={size} sizes={PAGE_SIZES} onChange={onChange} />
      <span className="row">
        <span className="bar" style={{ width: 44, flex: 'none' }} data-state="good" aria-hidden="true">
          <i style={{ width: '55%' }} />
          <u style={{ left: '73%' }} />
        </span>
        {t('accounts.barLegend')}
      </span>
    </Group>
  );
}
