import type { HeatmapCell } from '@manager/core/contract/monitoring/sections';
import { Box, Group } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useAddressHref } from '../../../platform/browser/address.ts';
import { formatCompact, formatCount, formatShare, knownCost, NONE } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { usePreferences } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Block } from '../../../ui/feedback/block.tsx';
import { CoverageNote } from '../../../ui/feedback/coverage-note.tsx';
import { SourceAge, SourceView } from '../../../ui/feedback/source-view.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { moneyCells } from '../../../ui/table/money-column.ts';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import { ANALYTICS_ADDRESS } from '../analytics-search.ts';
import { useEmpty } from '../empty-text.tsx';
import type { Money } from '../money.ts';
import { includeOf } from '../question.ts';
import type { TabProps } from '../tab-props.ts';
import { UsageStats } from '../usage/usage-stats.tsx';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { HeatDrawer } from './heat-drawer.tsx';
import { cellKey, cellName, HeatGrid } from './heat-grid.tsx';
import { type HeatCell, heatRows, weekdayOrder } from './heat-view.ts';

/** Use of the gateway by hour of the week. */
export function HeatTab(props: TabProps) {
  const { change, zone, options, money } = props;
  const search = withKnownRate(props.search);
  const { t, locale } = useText();
  const { firstWeekday } = usePreferences();
  const unsupported = useUnsupported();
  const { scope, heat, scale } = search;
  const [asTable, setAsTable] = useState(false);
  const source = fromQuery(
    useAnalytics({
      part: 'heatmap',
      scope,
      zone,
      granularity: 'auto',
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: (cut) => includeOf('heatmap', cut),
    }),
  );
  const { data } = source;
  const empty = useEmpty(scope, (next) => change({ scope: next }));
  const rows = useMemo(
    () => heatRows(data?.answer.heatmap ?? [], heat, scale, weekdayOrder(locale, firstWeekday)),
    [data, heat, scale, locale, firstWeekday],
  );
  const format = heatFormat(heat, money);
  const toggle = (
    <Button
      kind="quiet"
      square
      aria-label={asTable ? t('chart.asChart') : t('chart.asTable')}
      aria-pressed={asTable}
      onClick={() => setAsTable(!asTable)}
    >
      <Icon name={asTable ? 'analytics' : 'table'} />
    </Button>
  );
  const controls = (
    <>
      <Segmented
        label={t('heat.measure')}
        value={heat}
        options={[
          { value: 'requests', label: t('analytics.requests') },
          { value: 'tokens', label: t('analytics.tokens') },
          { value: 'cost', label: t('analytics.cost') },
          ...(scope.status === 'all' ? [{ value: 'failureRate' as const, label: t('analytics.failureRate') }] : []),
        ]}
        onChange={(next) => change({ heat: next })}
      />
      <Segmented
        label={t('heat.scale')}
        value={scale}
        options={[
          { value: 'absolute', label: t('heat.absolute') },
          { value: 'byWeekday', label: t('heat.byWeekday') },
          { value: 'byHour', label: t('heat.byHour') },
        ]}
        onChange={(next) => change({ scale: next })}
      />
    </>
  );
  return (
    <>
      <CoverageNote coverage={data?.answer.coverage} />
      <UsageStats source={source} money={money} short />
      <Group>{controls}</Group>
      {asTable ? (
        <HeatTable source={source} money={money} empty={empty} openKey={search.open} change={change} toggle={toggle} />
      ) : (
        <section className="panel" aria-label={t('heat.title')} aria-busy={source.busy}>
          <div className="panel-head">
            <h2>{t('heat.title')}</h2>
            <span className="tiny ink-3 ellipsis">{zone}</span>
            <SourceAge source={source} />
            <span className="spacer" />
            {toggle}
          </div>
          <div className="panel-body">
            <SourceView
              source={source}
              loading={<Block height={248} />}
              errorTitle={t('analytics.loadFailed')}
              unsupported={unsupported}
            >
              {({ answer }) =>
                (answer.heatmap ?? []).length === 0 ? (
                  <EmptyState {...empty} />
                ) : (
                  <>
                    <HeatGrid
                      rows={rows}
                      measure={heat}
                      format={format}
                      openKey={search.open}
                      onOpen={(cell) => change({ open: cellKey(cell), day: 0 }, search.open !== '')}
                    />
                    <Box component="p" mt="sm" className="tiny ink-3">
                      {t(heat === 'failureRate' ? 'heat.legendRate' : 'heat.legend')}
                    </Box>
                  </>
                )
              }
            </SourceView>
          </div>
        </section>
      )}
      {search.open !== '' && data !== undefined && (
        <HeatDrawer
          {...props}
          search={search}
          answered={data}
          cell={rows.flat().find((cell) => cellKey(cell) === search.open)}
        />
      )}
    </>
  );
}

/** Where the scope leaves only one outcome, rates are meaningless: requests are shown instead. */
function withKnownRate(search: TabProps['search']): TabProps['search'] {
  return search.scope.status !== 'all' && search.heat === 'failureRate' ? { ...search, heat: 'requests' } : search;
}

function heatFormat(measure: TabProps['search']['heat'], money: Money): (value: number) => string {
  if (measure === 'failureRate') return formatShare;
  if (measure === 'cost') return money.format;
  return measure === 'tokens' ? formatCompact : formatCount;
}

/** The same hours as rows, and as files. */
function HeatTable({
  source,
  money,
  empty,
  openKey,
  change,
  toggle,
}: {
  readonly source: DataSource<Answered>;
  readonly money: Money;
  readonly empty: ReturnType<typeof useEmpty>;
  readonly openKey: string;
  readonly change: TabProps['change'];
  /** Back to the map. */
  readonly toggle: ReactNode;
}) {
  const hrefTo = useAddressHref(ANALYTICS_ADDRESS);
  const { t, locale } = useText();
  const unsupported = useUnsupported();
  const columns = useMemo<readonly TableColumn<HeatmapCell>[]>(
    () => [
      {
        id: 'time',
        label: t('heat.hour'),
        width: null,
        minWidth: 160,
        cell: (row) => cellName(row, locale),
        exported: (row) => `${row.weekday} ${row.hour}`,
      },
      number('requests', t('analytics.requests'), (row) => row.calls, formatCount),
      number('failed', t('analytics.failed'), (row) => row.failure, formatCount),
      number('tokens', t('analytics.tokens'), (row) => row.tokens, formatCompact),
      {
        ...number('cost_usd', `${t('analytics.cost')}${money.mark}`, (row) => row.cost, money.format),
        ...moneyCells((row) => knownCost(row.cost, row.unpriced_calls), { column: money.column }),
        exported: (row) => knownCost(row.cost, row.unpriced_calls),
      },
    ],
    [t, locale, money],
  );
  return (
    <TablePanel
      title={t('heat.title')}
      source={mapSource(source, ({ answer }) => answer.heatmap ?? [])}
      empty={empty}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      actions={toggle}
      columns={columns}
      rowKey={cellKey}
      rowName={(row) => cellName(row, locale)}
      narrow={(row: HeatCell | HeatmapCell) => ({
        main: cellName(row, locale),
        ...('calls' in row
          ? { value: formatCount(row.calls), valueBelow: money.sum(row.cost, row.unpriced_calls) }
          : { value: NONE }),
      })}
      href={(row) => hrefTo({ open: cellKey(row), day: 0 })}
      onOpen={(row) => change({ open: cellKey(row), day: 0 }, openKey !== '')}
      openKey={openKey === '' ? null : openKey}
      exportName="heat-map"
    />
  );
}

function number(
  id: string,
  label: string,
  value: (row: HeatmapCell) => number,
  format: (value: number) => string,
): TableColumn<HeatmapCell> {
  return { id, label, width: 104, right: true, cell: (row) => format(value(row)), exported: value };
}
