import type { EventRow, FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { Stack } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { formatCompact } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { setPreferences } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Tabs, useTabIds } from '../../ui/controls/tabs.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Breakdown } from './breakdown/breakdown-panel.tsx';
import { USUAL_COLUMNS } from './list/columns.ts';
import type { CellContext } from './list/event-cells.tsx';
import type { DisplayEntry } from './list/event-list.ts';
import { EventListView, LoadedRows } from './list/event-list-view.tsx';
import { NoRows } from './list/no-rows.tsx';
import type { LoadedEvents } from './list/use-events.ts';
import { ViewMenu } from './list/view-menu.tsx';
import { rememberView, type useView } from './list/view-preferences.ts';
import { MONITORING_TABS, type MonitoringSearch, type MonitoringTab } from './monitoring-search.ts';
import type { OverviewQuery } from './overview/use-overview.ts';

const TAB_LABELS = {
  realtime: 'monitoring.realtime',
  accounts: 'monitoring.accounts',
  keys: 'monitoring.keys',
  models: 'monitoring.models',
  failures: 'monitoring.failures',
} as const;

interface MonitoringPanelProps {
  readonly search: MonitoringSearch;
  readonly onChange: (next: Partial<MonitoringSearch>, replace?: boolean) => void;
  readonly overview: OverviewQuery;
  readonly comparison: OverviewQuery;
  /** Counts of the range; undefined = unknown, or filters hide part of it. */
  readonly selectors: FilterOptions | undefined;
  readonly events: LoadedEvents;
  readonly entries: readonly DisplayEntry[];
  readonly rangeName: string;
  readonly context: CellContext;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly reveal: { readonly hash: string } | null;
  readonly openHash: string | null;
  readonly activeHash: string | null;
  readonly onOpen: (event: EventRow) => void;
  readonly onActive: (event: EventRow) => void;
  readonly view: ReturnType<typeof useView>;
  readonly viewOpen: boolean;
  readonly onView: (open: boolean) => void;
  readonly rowHeight: number;
}

/** The newest requests, or the same ones grouped by account, client key, model or cause. */
export function MonitoringPanel(props: MonitoringPanelProps) {
  const { t } = useText();
  const { search, onChange, overview, comparison, events, view, context } = props;
  const ids = useTabIds();
  const { tab } = search;
  const counts = tabCounts(props);
  const failedOnly = search.status === 'failed';
  const empty = (
    <NoRows search={search} onChange={onChange} rangeName={props.rangeName} coverage={overview.data?.answer.coverage} />
  );
  const realtime = tab === 'realtime';
  /** Receives a table's controls for the right end of the header. */
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const head = (
    <div className="table-head monitoring-head">
      <Tabs<MonitoringTab>
        label={t('monitoring.views')}
        tabs={MONITORING_TABS.map((value) => {
          const count = counts[value];
          return {
            value,
            label: t(TAB_LABELS[value]),
            ...(count === undefined ? {} : { count: formatCompact(count) }),
          };
        })}
        value={tab}
        onChange={(next) => onChange({ tab: next, sort: '', page: 1 })}
        ids={ids}
      />
      <span className="spacer" />
      {realtime && <LoadedRows events={events} />}
      <Button
        kind="quiet"
        aria-pressed={failedOnly}
        onClick={() => onChange({ status: failedOnly ? 'all' : 'failed' })}
      >
        <Icon name="filter" />
        {t('filter.failedOnly')}
      </Button>
      <span className="only-wide">
        <ViewMenu
          open={props.viewOpen}
          onOpen={props.onView}
          columns={realtime ? (view.columns ?? USUAL_COLUMNS) : undefined}
          density={view.density}
          masked={context.masker.on}
          onColumns={(columns) => {
            rememberView({ columns });
            onChange({ columns });
          }}
          onDensity={(density) => {
            setPreferences({ density });
            onChange({ density: density === 'compact' ? null : density });
          }}
        />
      </span>
      <span ref={setSlot} className="row" />
    </div>
  );
  const shared = { search, onChange, rowHeight: props.rowHeight, empty };
  return (
    <section
      className="panel table-panel monitoring-table"
      aria-busy={realtime ? events.busy : overview.busy}
      aria-label={t(TAB_LABELS[tab])}
    >
      {head}
      <Stack gap={0} miw={0} role="tabpanel" id={ids.panel} aria-labelledby={ids.tab(tab)}>
        {realtime ? (
          <EventListView
            events={events}
            entries={props.entries}
            empty={empty}
            columns={view.columns ?? undefined}
            rowHeight={props.rowHeight}
            context={context}
            scroller={props.scroller}
            reveal={props.reveal}
            openHash={props.openHash}
            activeHash={props.activeHash}
            onOpen={props.onOpen}
            onActive={props.onActive}
          />
        ) : (
          <Breakdown key={tab} {...shared} overview={overview} comparison={comparison} slot={slot} />
        )}
      </Stack>
    </section>
  );
}

/** Number of items in each tab. The menus know it for the whole range only, so with filters only the failures have a number. */
function tabCounts({ overview, selectors }: MonitoringPanelProps): Partial<Record<MonitoringTab, number>> {
  const answer = overview.data?.answer;
  const counts = {
    accounts: selectors?.account_count,
    keys: selectors?.api_key_count,
    models: selectors?.models?.length,
    failures: answer?.summary?.failure_calls,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
