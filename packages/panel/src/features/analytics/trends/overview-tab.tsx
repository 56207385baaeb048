import { Group, SimpleGrid } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useAddressHref } from '../../../platform/browser/address.ts';
import type { UrlSearch } from '../../../platform/browser/url-search.ts';
import { useHref } from '../../../platform/browser/use-href.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import { Block } from '../../../ui/feedback/block.tsx';
import { CoverageNote } from '../../../ui/feedback/coverage-note.tsx';
import { SourceAge, SourceView } from '../../../ui/feedback/source-view.tsx';
import { UnpricedNote } from '../../../ui/feedback/unpriced-note.tsx';
import { TokenMix } from '../../../ui/requests/token-structure.tsx';
import { ANALYTICS_ADDRESS, type AnalyticsTab, writeAnalyticsSearch } from '../analytics-search.ts';
import { GranularityChoice, RankChoice } from '../choices.tsx';
import { useEmpty } from '../empty-text.tsx';
import { measure } from '../measures.ts';
import { monitoringSearch, narrowed } from '../monitoring-search.ts';
import { includeOf } from '../question.ts';
import { moveRange, type TabProps } from '../tab-props.ts';
import { TopTable } from '../usage/top-table.tsx';
import { channelRows, keyRows, modelRow, providerRows, type UsageRow } from '../usage/usage-rows.ts';
import { UsageStats } from '../usage/usage-stats.tsx';
import { useNaming } from '../usage/use-naming.ts';
import { useBefore } from '../use-before.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { AnomalyTable } from './anomalies.tsx';
import { BucketDrawer } from './bucket-drawer.tsx';
import { insightsOf } from './insights.ts';
import { timelineChart } from './timeline-chart.ts';

const TREND = [measure('requests'), measure('failed'), measure('cost')];

/** Use of tokens and money, and the change since the previous time. */
export function OverviewTab(props: TabProps) {
  const { search, change, zone, options, money } = props;
  const { t } = useText();
  const unsupported = useUnsupported();
  const { scope, granularity, by } = search;
  const query = useAnalytics({
    part: 'overview',
    scope,
    zone,
    granularity,
    known: options.selectors?.api_key_hashes,
    enabled: !options.waiting,
    include: (cut) => includeOf('overview', cut),
  });
  const source = fromQuery(query);
  const { data } = query;
  const before = useBefore(scope, zone, options.selectors?.api_key_hashes, data);
  const chart = useMemo(
    () => (data === undefined ? undefined : timelineChart(data, TREND, t, money)),
    [data, t, money],
  );
  const empty = useEmpty(scope, (next) => change({ scope: next }));
  const naming = useNaming();
  const names = useMemo(() => {
    const { api_key_stats = [], channel_share = [] } = data?.answer ?? {};
    return {
      keys: keyRows(api_key_stats, naming),
      accounts: channelRows(channel_share, naming),
      providers: providerRows(channel_share, naming.noAccount),
    };
  }, [data, naming]);
  const openBucket = (ms: number) => change({ open: String(ms) }, search.open !== '');
  return (
    <>
      <CoverageNote coverage={data?.answer.coverage} />
      <UnpricedNote requests={data?.answer.summary?.unpriced_calls} />
      <UsageStats source={source} money={money} before={before} />
      <div className="split">
        <ChartPanel
          title={t('analytics.trend')}
          unit={t(data?.granularity === 'day' ? 'analytics.perDay' : 'analytics.perHour')}
          source={mapSource(source, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
          height={300}
          empty={empty}
          errorTitle={t('analytics.loadFailed')}
          unsupported={unsupported}
          exportName="usage-trend"
          onRange={moveRange(props, true)}
          actions={<GranularityChoice value={granularity} onChange={(next) => change({ granularity: next })} />}
          onBucket={(index) => {
            const bucket = chart?.buckets[index];
            if (bucket !== undefined) openBucket(bucket.startMs);
          }}
        />
        <section className="panel" aria-label={t('mix.title')}>
          <div className="panel-head">
            <h2>{t('mix.title')}</h2>
            <SourceAge source={source} />
          </div>
          <div className="panel-body">
            <SourceView
              source={source}
              loading={<Block height={96} />}
              errorTitle={t('analytics.loadFailed')}
              unsupported={unsupported}
            >
              {({ answer }) => <TokenMix sums={answer.summary} />}
            </SourceView>
          </div>
          <div className="panel-head panel-line">
            <h2>{t('insight.title')}</h2>
          </div>
          <div className="panel-body">
            <SourceView
              source={source}
              loading={<Block height={96} />}
              errorTitle={t('analytics.loadFailed')}
              unsupported={unsupported}
            >
              {({ answer }) => (
                <Insights search={search} found={insightsOf(answer, names, by, scope.status === 'all')} />
              )}
            </SourceView>
          </div>
        </section>
      </div>
      <Group justify="space-between">
        <h2>{t('analytics.rankTitle')}</h2>
        <RankChoice value={by} onChange={(next) => change({ by: next })} />
      </Group>
      <TopTables {...props} source={source} names={names} />
      <AnomalyTable
        source={source}
        money={money}
        onOpen={openBucket}
        openKey={search.open === '' ? null : search.open}
      />
      {search.open !== '' && data !== undefined && <BucketDrawer {...props} answered={data} />}
    </>
  );
}

/** The same scope in another tab, as a link. */
function tabSearch(search: TabProps['search'], tab: AnalyticsTab): (before: UrlSearch) => UrlSearch {
  return (before) => writeAnalyticsSearch({ ...search, tab, open: '' }, before);
}

const OF = { cost: 'insight.ofCost', requests: 'insight.ofRequests', tokens: 'insight.ofTokens' } as const;

function Insights({
  search,
  found,
}: {
  readonly search: TabProps['search'];
  readonly found: ReturnType<typeof insightsOf>;
}) {
  const { t } = useText();
  if (found.length === 0) return <p className="small ink-3">{t('insight.none')}</p>;
  return (
    <ul>
      {found.map(({ id, text, values, tab }) => (
        <Group component="li" justify="space-between" align="baseline" gap="md" wrap="nowrap" py="xs" key={id}>
          <span className="wrap">{t(text, { ...values, of: t(OF[search.by]) })}</span>
          <Link to="/usage-analytics" search={tabSearch(search, tab)} className="link nowrap">
            {t('insight.open')}
          </Link>
        </Group>
      ))}
    </ul>
  );
}

function TopTables({
  search,
  change,
  money,
  source,
  names,
}: TabProps & {
  readonly source: DataSource<Answered>;
  readonly names: { readonly keys: readonly UsageRow[]; readonly providers: readonly UsageRow[] };
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const { by } = search;
  /** Providers have no drawer: they link to their requests. */
  /** Requests of a provider, which has no detail; null = the row has one. */
  const requestsOf = (tab: AnalyticsTab, { key }: UsageRow) => {
    const { data } = source;
    if (tab !== 'credentials' || key === '' || data === undefined) return null;
    return { to: '/monitoring', search: monitoringSearch(narrowed(data.scope, { provider: [key] }), data) } as const;
  };
  const open = (tab: AnalyticsTab, row: UsageRow) => {
    const requests = requestsOf(tab, row);
    if (requests === null) change({ tab, open: row.key });
    else void navigate(requests);
  };
  const href = useHref();
  const hrefTo = useAddressHref(ANALYTICS_ADDRESS);
  const hrefOf = (tab: AnalyticsTab, row: UsageRow): string => {
    const requests = requestsOf(tab, row);
    return requests === null ? hrefTo({ tab, open: row.key }) : href(requests);
  };
  const tables: readonly {
    readonly title: TextKey;
    readonly name: TextKey;
    readonly tab: AnalyticsTab;
    readonly file: string;
    readonly rows: (answered: Answered) => readonly UsageRow[];
  }[] = [
    {
      title: 'analytics.topModels',
      name: 'analytics.model',
      tab: 'models',
      file: 'top-models',
      rows: ({ answer }) => (answer.model_stats ?? []).map(modelRow),
    },
    {
      title: 'analytics.topKeys',
      name: 'analytics.key',
      tab: 'apiKeys',
      file: 'top-client-keys',
      rows: () => names.keys,
    },
    {
      title: 'analytics.topProviders',
      name: 'analytics.provider',
      tab: 'credentials',
      file: 'top-providers',
      rows: () => names.providers,
    },
  ];
  return (
    <SimpleGrid minColWidth="min(100%, max(280px, 26%))">
      {tables.map(({ title, name, tab, file, rows }) => (
        <TopTable
          key={title}
          title={t(title)}
          nameLabel={t(name)}
          file={file}
          source={mapSource(source, (answered) => ({
            rows: rows(answered),
            summary: answered.answer.summary,
          }))}
          by={by}
          money={money}
          kind={tab}
          href={(row) => hrefOf(tab, row)}
          onOpen={(row) => open(tab, row)}
          all={
            <Link to="/usage-analytics" search={tabSearch(search, tab)} className="link">
              {t('analytics.showAll')}
            </Link>
          }
        />
      ))}
    </SimpleGrid>
  );
}
