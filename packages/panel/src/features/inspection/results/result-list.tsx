import type { InspectionResult, InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { useMemo } from 'react';
import { type DataSource, mapSource } from '../../../platform/api/data-source.ts';
import { type AddressState, useAddressHref } from '../../../platform/browser/address.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import { useTableSort } from '../../../ui/table/use-table-sort.ts';
import { hasFilters, INSPECTION_ADDRESS, type InspectionSearch, NO_FILTERS } from '../inspection-search.ts';
import {
  accountText,
  RESULT_COLUMN_IDS,
  type ResultCellContext,
  resultColumns,
  resultNarrow,
} from './result-columns.tsx';

interface ResultListProps {
  readonly source: DataSource<InspectionRunDetail>;
  readonly rows: readonly InspectionResult[];
  readonly search: InspectionSearch;
  readonly context: ResultCellContext;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
  readonly onChange: AddressState<InspectionSearch>['change'];
}

const rowKey = ({ id }: InspectionResult): string => String(id);

export function ResultList({ source, rows, search, context, selected, onSelect, onChange }: ResultListProps) {
  const hrefTo = useAddressHref(INSPECTION_ADDRESS);
  const { t } = useText();
  const [sort, onSort] = useTableSort(RESULT_COLUMN_IDS, { column: 'action', direction: 'asc' });
  const columns = useMemo(() => resultColumns(context), [context]);
  const run = source.data?.run;
  const empty = hasFilters(search)
    ? {
        title: t('inspection.filtered'),
        text: t('inspection.filteredText'),
        action: <Button onClick={() => onChange(NO_FILTERS)}>{t('filter.clear')}</Button>,
      }
    : run?.active === true
      ? { title: t('inspection.noResultYet'), text: t('inspection.noResultYetText') }
      : { title: t('inspection.noResult'), text: t('inspection.noResultText') };
  return (
    <TablePanel
      title={t('inspection.results')}
      subtitle={t('inspection.shownOf', { count: rows.length, all: source.data?.results.length ?? 0 })}
      source={mapSource(source, () => rows)}
      columns={columns}
      rowKey={rowKey}
      rowName={(result) => accountText(result, context.masker)}
      narrow={(result) => resultNarrow(result, context)}
      sort={sort}
      onSort={onSort}
      href={(result) => hrefTo({ result: rowKey(result) })}
      onOpen={(result) => onChange({ result: rowKey(result) }, search.result !== '')}
      openKey={search.result === '' ? null : search.result}
      selection={{ keys: selected, onChange: onSelect }}
      keys
      empty={empty}
      errorTitle={t('inspection.runFailed')}
      errorScope={t('error.otherPanels')}
      exportName="health-inspection"
      expectedRows={8}
    />
  );
}
