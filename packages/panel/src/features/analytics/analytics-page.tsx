import { useIsFetching } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { TabLinks } from '../../ui/controls/tabs.tsx';
import { ViewsMenu } from '../../ui/controls/views-menu.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { ANALYTICS_TABS, type AnalyticsSearch, type AnalyticsTab, writeAnalyticsSearch } from './analytics-search.ts';
import { CompareTab } from './compare/compare-tab.tsx';
import { useDocked } from './detail-drawer.tsx';
import { HeatTab } from './heat/heat-tab.tsx';
import { useMoney } from './money.ts';
import { MoneyMenu } from './money-menu.tsx';
import { resolveScope } from './question.ts';
import { ScopeBar, ScopeChips } from './scope-bar.tsx';
import type { TabProps } from './tab-props.ts';
import { OverviewTab } from './trends/overview-tab.tsx';
import { TrendsTab } from './trends/trends-tab.tsx';
import { AccountsTab } from './usage/accounts-tab.tsx';
import { KeysTab } from './usage/keys-tab.tsx';
import { ModelsTab } from './usage/models-tab.tsx';
import { useAnalyticsUrl } from './use-analytics-url.ts';
import { useScopeOptions } from './use-scope.ts';

const TABS: Readonly<
  Record<AnalyticsTab, { readonly label: TextKey; readonly view: (props: TabProps) => React.ReactNode }>
> = {
  overview: { label: 'analytics.overview', view: OverviewTab },
  trends: { label: 'analytics.trends', view: TrendsTab },
  models: { label: 'analytics.models', view: ModelsTab },
  apiKeys: { label: 'analytics.keys', view: KeysTab },
  credentials: { label: 'analytics.accounts', view: AccountsTab },
  heatmap: { label: 'analytics.heatmap', view: HeatTab },
  compare: { label: 'analytics.compare', view: CompareTab },
};

/** Use of tokens and money, in any range. */
export function AnalyticsPage() {
  const { t } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  const money = useMoney();
  const docked = useDocked();
  const { search, change } = useAnalyticsUrl();
  const url: UrlSearch = useSearch({ strict: false });
  const input = useRef<HTMLInputElement>(null);
  const [menuOpen, setMenuOpen] = useState(false);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const { tab, scope } = search;
  const own = tab === 'compare';
  const options = useScopeOptions(scope, zone, menuOpen, !own);
  const { refresh, busy, atMs } = useRefresh();
  const moving = own || resolveScope(scope, client.now(), zone).moving;
  const open = search.open !== '' && !own;
  useReturnFocus(search.open);
  const close = () => change({ open: '', day: 0 });
  useShortcuts({
    r: refresh,
    '/': () => input.current?.focus(),
    ...(open ? { Escape: close } : {}),
  });
  const Tab = TABS[tab].view;
  return (
    <Page
      title={t('nav.analytics')}
      state={<CollectorStatus />}
      actions={<MoneyMenu money={money} />}
      updated={t(moving ? 'analytics.updated' : 'analytics.updatedOnce', { time: timeOfDay(atMs, zone) })}
      refresh={{ busy, onRefresh: refresh }}
      docked={docked}
      tabs={<TabBar search={search} />}
      drawer={open && <div ref={setSlot} style={{ display: 'contents' }} />}
    >
      {!own && (
        <>
          <ScopeBar
            scope={scope}
            onChange={(next, replace) => change({ scope: next }, replace)}
            options={options}
            open={menuOpen}
            onOpen={setMenuOpen}
            input={input}
            views={<ViewsMenu path="/usage-analytics" search={url} />}
          />
          <ScopeChips scope={scope} onChange={(next) => change({ scope: next })} options={options} />
        </>
      )}
      <Tab search={search} change={change} zone={zone} options={options} money={money} slot={slot} />
    </Page>
  );
}

function TabBar({ search }: { readonly search: AnalyticsSearch }) {
  const { t } = useText();
  return (
    <TabLinks label={t('analytics.views')} chosen={search.tab} className="analytics-tabs">
      {ANALYTICS_TABS.map((tab) => (
        <Link
          key={tab}
          to="/usage-analytics"
          // The drawer and the sort order belong to a tab.
          search={({ sort: _, ...before }: UrlSearch) =>
            writeAnalyticsSearch({ ...search, tab, open: '', day: 0 }, before)
          }
          className="tab"
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={tab === search.tab ? 'page' : undefined}
        >
          {t(TABS[tab].label)}
        </Link>
      ))}
    </TabLinks>
  );
}

/** All requests of the page at once, and the time of the newest answer. */
function useRefresh() {
  const { queries } = useServices();
  const busy = useIsFetching({ queryKey: ['analytics'] }) > 0;
  const active = queries.getQueryCache().findAll({ queryKey: ['analytics'], type: 'active' });
  const atMs = active.reduce((newest, { state }) => Math.max(newest, state.dataUpdatedAt), 0);
  return { busy, atMs, refresh: () => void queries.refetchQueries({ queryKey: ['analytics'], type: 'active' }) };
}

/** When the drawer closes, the row that opened it is focused again. */
function useReturnFocus(open: string): void {
  const before = useRef(open);
  useEffect(() => {
    const key = before.current;
    before.current = open;
    if (open !== '' || key === '') return;
    requestAnimationFrame(() => {
      const row = document.querySelector(`[data-row="${CSS.escape(key)}"]`);
      if (row instanceof HTMLElement) row.focus({ preventScroll: true });
    });
  }, [open]);
}
