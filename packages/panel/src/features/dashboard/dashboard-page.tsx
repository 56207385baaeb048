import { SimpleGrid } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { fromQuery, mapSource } from '../../platform/api/data-source.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useGatewayMisses } from '../../platform/queries/banner-queries.ts';
import { useGateway, useStatus } from '../../platform/queries/queries.ts';
import { writeRange } from '../../platform/range/range-url.ts';
import { REQUEST_RANGES } from '../../platform/requests/request-filters.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { CoverageNote } from '../../ui/feedback/coverage-note.tsx';
import { SourceAge, SourceView } from '../../ui/feedback/source-view.tsx';
import { Page } from '../../ui/page/page.tsx';
import { TokenMix } from '../../ui/requests/token-structure.tsx';
import { CollectorPanel } from './collector-panel.tsx';
import { DashboardStats } from './dashboard-stats.tsx';
import { AccountHealthTable, CostTable, FailureSourcesTable, FailuresTable } from './dashboard-tables.tsx';
import { isQuietDay, trafficChart, verdictOf } from './dashboard-view.ts';
import { HealthGrid } from './health-grid.tsx';
import { InventoryPanel } from './inventory-panel.tsx';
import { useDashboard } from './use-dashboard.ts';
import { useInventory } from './use-inventory.ts';
import { VerdictLine } from './verdict-line.tsx';

/** Consecutive failed reads of the gateway: a single one may be lost. */
const UNREACHABLE_FROM = 2;

const FAILED: UrlSearch = { status: ['failed'] };

/** Requests of today behind a part of the token mix. */
const MIX_LINKS: Partial<Record<TextKey, UrlSearch>> = {
  'cost.uncached': {},
  'mix.output': {},
  'tokens.cacheRead': { cache_status: ['read'] },
  'tokens.cacheCreation': { cache_status: ['creation'] },
};

/** Whether all is well, and today's cost, on one screen. */
export function DashboardPage() {
  const { t } = useText();
  const zone = useTimeZone();
  const navigate = useNavigate();
  const status = useStatus();
  const query = useDashboard(zone);
  const source = fromQuery(query);
  const { data } = query;
  const chart = useMemo(
    () => (data === undefined || isQuietDay(data) ? undefined : trafficChart(data, zone, t)),
    [data, zone, t],
  );
  const inventory = useInventory();
  const gateway = useGateway();
  const misses = useGatewayMisses();
  const verdict = data === undefined ? null : verdictOf(data, status.data, misses < UNREACHABLE_FROM);
  const refresh = () => {
    void query.refetch();
    void status.refetch();
    void gateway.refetch();
    inventory.refresh();
  };
  const openRequests = (fromMs: number, toMs: number) =>
    void navigate({ to: '/monitoring', search: writeRange({ name: 'custom', fromMs, toMs }, REQUEST_RANGES, {}) });
  const block = <span className="skeleton" style={{ display: 'block', height: 120 }} />;

  return (
    <Page
      title={t('nav.dashboard')}
      state={<CollectorStatus />}
      updated={t('dashboard.updated', { time: timeOfDay(source.atMs, zone) })}
      refresh={{ busy: source.busy, onRefresh: refresh }}
    >
      {/* The banner of a gateway that does not answer is the verdict. */}
      {(verdict === null ? query.isPending : verdict.fact !== 'verdict.unreachable') && (
        <VerdictLine verdict={verdict} />
      )}
      <CoverageNote coverage={data?.coverage} />
      <DashboardStats source={source} />
      <div className="split">
        <ChartPanel
          title={t('dashboard.traffic')}
          unit={t('dashboard.perHour')}
          source={mapSource(source, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
          height={280}
          empty={{ title: t('dashboard.noTraffic'), text: t('dashboard.noTrafficText') }}
          errorTitle={t('dashboard.failedToLoad')}
          exportName="traffic-today"
          onBucket={(index) => {
            const bucket = chart?.buckets[index];
            if (bucket !== undefined) openRequests(bucket.startMs, bucket.endMs);
          }}
          onRange={openRequests}
          legendLink={(id) => (id === 'failed' ? FAILED : {})}
        />
        <section className="panel" aria-label={t('inspection.title')}>
          <div className="panel-head">
            <h2>{t('inspection.title')}</h2>
            <span className="tiny ink-3">{t('inspection.perCell')}</span>
            <SourceAge source={source} />
          </div>
          <div className="panel-body">
            <SourceView source={source} loading={block} errorTitle={t('dashboard.failedToLoad')}>
              {(dashboard) =>
                isQuietDay(dashboard) ? (
                  <p className="ink-2">{t('dashboard.noTraffic')}</p>
                ) : (
                  <HealthGrid dashboard={dashboard} onOpen={openRequests} />
                )
              }
            </SourceView>
          </div>
          <div className="panel-head panel-line">
            <h2>{t('mix.title')}</h2>
          </div>
          <div className="panel-body">
            <SourceView source={source} loading={block} errorTitle={t('dashboard.failedToLoad')}>
              {({ today, token_mix }) => (
                <TokenMix sums={today} mix={token_mix} linkOf={(label) => MIX_LINKS[label] ?? null} />
              )}
            </SourceView>
          </div>
        </section>
      </div>
      <SimpleGrid minColWidth="min(100%, max(360px, 26%))">
        <CostTable source={source} />
        <AccountHealthTable source={source} />
        <FailuresTable source={source} />
        <CollectorPanel />
        <FailureSourcesTable source={source} />
        <InventoryPanel inventory={inventory} />
      </SimpleGrid>
    </Page>
  );
}
