import type { ReactNode } from 'react';
import type { DataSource } from '../../platform/api/data-source.ts';
import { HeadHint } from '../display/head-hint.tsx';
import { SourceAge, SourceView } from '../feedback/source-view.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { DataTable } from './data-table.tsx';
import { ExportMenu } from './export-menu.tsx';
import { exportColumns, orderRows } from './rows.ts';
import { SkeletonRows } from './skeleton-rows.tsx';
import type { DataTableProps } from './types.ts';

interface TablePanelProps<R> extends Omit<DataTableProps<R>, 'rows' | 'label'> {
  readonly title: string;
  /** Beside the title: unit, scope, number of rows. */
  readonly subtitle?: ReactNode;
  readonly source: DataSource<readonly R[]>;
  readonly empty: { readonly title: string; readonly text: ReactNode; readonly action?: ReactNode };
  readonly errorTitle: string;
  readonly errorScope?: string;
  /** Where an older server may not have the data. */
  readonly unsupported?: { readonly title: string; readonly text: ReactNode; readonly action?: ReactNode };
  /** Right end of the header. */
  readonly actions?: ReactNode;
  /** Below the rows. */
  readonly foot?: ReactNode;
  /** Name of exported files; absent = no export. */
  readonly exportName?: string;
  /** Rows of the skeleton, about as many as expected. */
  readonly expectedRows?: number;
}

/**
 * A panel with head and table in its five states: loading, empty, failed, old, not supported. Takes every prop of
 * `DataTable` but `rows`.
 *
 *     <TablePanel title={t('models.title')} source={mapSource(fromQuery(query), (answer) => answer.model_stats)}
 *       empty={{ title: t('models.none'), text: t('models.noneText') }} errorTitle={t('models.failed')}
 *       exportName="models" columns={columns} rowKey={…} rowName={…} narrow={…} sort={sort} onSort={onSort} />
 */
export function TablePanel<R>(props: TablePanelProps<R>) {
  const { title, subtitle, source, empty, errorTitle, errorScope, unsupported, actions, foot, exportName } = props;
  const rows = source.data ?? [];
  return (
    <section className="panel table-panel" aria-busy={source.busy} aria-label={title}>
      <div className="table-head">
        <h2>{title}</h2>
        {subtitle !== undefined && <HeadHint>{subtitle}</HeadHint>}
        <SourceAge source={source} />
        <span className="spacer" />
        {actions}
        {exportName !== undefined && (
          <ExportMenu
            name={exportName}
            columns={exportColumns(props.columns)}
            rows={orderRows(props.columns, rows, props.sort ?? null)}
            square
          />
        )}
      </div>
      <SourceView
        source={source}
        loading={<SkeletonRows count={props.expectedRows ?? 8} />}
        errorTitle={errorTitle}
        errorScope={errorScope}
        unsupported={unsupported}
      >
        {(data) => (data.length === 0 ? <EmptyState {...empty} /> : <DataTable {...props} label={title} rows={data} />)}
      </SourceView>
      {foot !== undefined && source.data !== undefined && <div className="table-foot">{foot}</div>}
    </section>
  );
}
