import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AvailabilityState } from '../../platform/accounts/availability.ts';
import { BUCKET_MS } from '../../platform/accounts/recent-buckets.ts';
import { useAccounts } from '../../platform/accounts/use-accounts.ts';
import { isUnsupported, mapSource } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { formatCount, formatShare, NONE } from '../../platform/format/format.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { readKeyUsage } from '../../platform/queries/key-usage.ts';
import { useGateway } from '../../platform/queries/queries.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { Facts } from '../../ui/display/facts.tsx';
import { StatRow } from '../../ui/display/stats.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { FleetTable, TroubledTable } from './gateway-tables.tsx';
import {
  fleetRows,
  gatewayVerdict,
  isFailing,
  type ProviderKeys,
  providerKeys,
  throughputChart,
  wholeUse,
} from './gateway-view.ts';
import { InventoryPanel } from './inventory-panel.tsx';
import { useInventory } from './use-inventory.ts';

const MINUTE_MS = 60_000;
const NO_KEYS: readonly ProviderKeys[] = [];

/** What the manager adds to this panel. */
function ManagerPanel() {
  const { t } = useText();
  return (
    <section className="panel" aria-label={t('gateway.manager')}>
      <div className="panel-head">
        <h2>{t('gateway.manager')}</h2>
      </div>
      <div className="panel-body">
        <p>{t('gateway.managerAdds')}</p>
        <p className="ink-3">{t('gateway.managerHow')}</p>
      </div>
    </section>
  );
}

/** Counts of provider keys; an older gateway has none. */
function useProviderKeys() {
  const { client } = useServices();
  return useQuery({
    queryKey: ['provider-key-use'],
    queryFn: async ({ signal }) => providerKeys(await readKeyUsage(client, signal)),
    refetchInterval: ({ state }) => (isUnsupported(state.error) ? false : MINUTE_MS),
    staleTime: MINUTE_MS / 2,
  });
}

/** State of a gateway without a manager, from its own counts: at most twenty buckets of ten minutes. */
export function GatewayDashboard() {
  const { t } = useText();
  const zone = useTimeZone();
  const accounts = useAccounts();
  const keys = useProviderKeys();
  const gateway = useGateway();
  const inventory = useInventory();
  const { source } = accounts;
  const bucketMs = useNow(BUCKET_MS / 10);
  const fleet = useMemo(
    () => (source.data === undefined ? undefined : fleetRows(source.data, keys.data ?? NO_KEYS)),
    [source.data, keys.data],
  );
  const use = useMemo(() => (fleet === undefined ? undefined : wholeUse(fleet)), [fleet]);
  const chart = useMemo(() => (use === undefined ? undefined : throughputChart(use, bucketMs, t)), [use, bucketMs, t]);
  const verdict =
    fleet === undefined || keys.isPending
      ? null
      : gatewayVerdict(fleet, {
          reached: source.error === null,
          keysKnown: keys.data !== undefined,
          reported: inventory.accounts.data?.failing,
        });
  const requests = use === undefined ? undefined : use.success + use.failed;
  const span = use === undefined || use.minutes === 0 ? '' : t('gateway.window', { minutes: use.minutes });
  const rows = source.data ?? [];
  const on = rows.filter(({ account }) => !account.listed.disabled).length;
  const inState = (wanted: AvailabilityState) =>
    rows.filter(({ availability }) => availability.state === wanted).length;
  const unconfirmed = inState('unconfirmed');
  const refresh = () => {
    accounts.refresh();
    for (const query of [keys, gateway]) void query.refetch();
    inventory.refresh();
  };
  useShortcuts({ r: refresh });
  return (
    <Page
      title={t('nav.dashboard')}
      updated={t('dashboard.updated', { time: timeOfDay(source.atMs, zone) })}
      refresh={{ busy: source.busy, onRefresh: refresh }}
    >
      {verdict !== null && (
        <Note
          tone={verdict.tone}
          fact={t(verdict.fact, verdict.values)}
          action={
            <Link to="/system" search={{}} className="row small ink-3 nowrap only-wide">
              {[
                t('dashboard.panelVersion', { version: __PANEL_VERSION__ }),
                gateway.data?.version ? `${t('system.upstream')} ${gateway.data.version}` : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </Link>
          }
        >
          {t(verdict.text, verdict.values)}
        </Note>
      )}
      {keys.error !== null && (
        <Note tone="wait" fact={t('gateway.keysLost')}>
          {t(isUnsupported(keys.error) ? 'gateway.keysOld' : failureText(keys.error).key)}
        </Note>
      )}
      <StatRow
        label={t('gateway.throughput')}
        source={source}
        stats={[
          {
            key: 'requests',
            label: t('dashboard.requests'),
            value: requests === undefined ? undefined : formatCount(requests),
            qualifier: span,
          },
          {
            key: 'failed',
            label: t('dashboard.failed'),
            value: use === undefined ? undefined : formatCount(use.failed),
            qualifier: span,
          },
          {
            key: 'success',
            label: t('dashboard.successRate'),
            value:
              use === undefined || requests === undefined
                ? undefined
                : requests === 0
                  ? NONE
                  : formatShare(use.success / requests),
            qualifier: span,
          },
          {
            key: 'accounts',
            label: t('gateway.working'),
            value:
              source.data === undefined ? undefined : (
                <Link to="/accounts" search={{}} className="stat-link">
                  {formatCount(inState('available'))}
                </Link>
              ),
            qualifier: [
              unconfirmed > 0 ? t('gateway.unconfirmed', { value: formatCount(unconfirmed) }) : '',
              t('gateway.ofAccounts', { on: formatCount(on), count: rows.length }),
            ]
              .filter(Boolean)
              .join(' · '),
          },
        ]}
      />
      <div className="split">
        <ChartPanel
          title={t('gateway.throughput')}
          unit={[t('gateway.perBucket'), span].filter(Boolean).join(' · ')}
          source={mapSource(source, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
          height={240}
          empty={
            fleet?.length === 0 && keys.data !== undefined
              ? { title: t('gateway.nothing'), text: t('gateway.nothingText') }
              : { title: t('gateway.noCounts'), text: t('gateway.noCountsText') }
          }
          errorTitle={t('gateway.failedToLoad')}
          exportName="throughput"
        />
        <Facts
          title={t('gateway.settings')}
          facts={(gateway.data?.settings ?? []).map(({ name, value }) => ({
            label: name,
            value: typeof value === 'boolean' ? t(value ? 'common.on' : 'common.off') : String(value),
          }))}
        />
      </div>
      <SimpleGrid minColWidth="min(100%, max(360px, 26%))">
        <FleetTable source={mapSource(source, () => fleet ?? [])} span={span} />
        <TroubledTable source={mapSource(source, (all) => all.filter(isFailing))} none={source.data?.length === 0} />
        <InventoryPanel inventory={inventory} />
      </SimpleGrid>
      <ManagerPanel />
    </Page>
  );
}
