import { useMemo } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import type { TableSort } from '../../platform/sort.ts';
import { fittedColumns } from '../../ui/table/fitted-columns.ts';
import { orderRows } from '../../ui/table/rows.ts';
import type { TableColumn } from '../../ui/table/types.ts';
import type { ReportRow } from './report-rows.ts';

interface PrintTableProps {
  readonly title: string;
  readonly columns: readonly TableColumn<ReportRow>[];
  readonly rows: readonly ReportRow[];
  readonly sort: TableSort | null;
}

const partsOf = ({ parts }: ReportRow) => parts;

/** Every row with its parts, for paper: the table of the screen has only what is in view. */
export function PrintTable({ title, columns: given, rows, sort }: PrintTableProps) {
  const { t } = useText();
  const columns = useMemo(() => fittedColumns(given, rows, partsOf), [given, rows]);
  const line = (row: ReportRow, className: string) =>
    columns.map(({ id, right, cell }) => (
      <td key={id} className={right ? `right ${className}` : className}>
        {cell(row)}
      </td>
    ));
  return (
    <section className="panel report-paper">
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            {columns.map(({ id, label, right }) => (
              <th key={id} scope="col" className={right ? 'right' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {orderRows(columns, rows, sort).map((row) => (
          <tbody key={row.key}>
            <tr>{line(row, 'report-whole')}</tr>
            {orderRows(columns, row.parts, sort).map((part) => (
              <tr key={part.key}>{line(part, 'report-part')}</tr>
            ))}
          </tbody>
        ))}
        <tbody>
          <tr>
            {columns.map(({ id, right, total }, index) => (
              <td key={id} className={right ? 'right report-whole' : 'report-whole'}>
                {index === 0 ? t('analytics.total') : total}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  );
}
