import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatShare,
  knownCost,
  NONE,
} from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { unpricedSearch } from '../../../platform/requests/event-cost.ts';
import { WITHOUT_PARTS } from '../../../platform/requests/row-parts.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import { Block } from '../../../ui/feedback/block.tsx';
import { CoverageNote } from '../../../ui/feedback/coverage-note.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { UnpricedNote } from '../../../ui/feedback/unpriced-note.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import { GranularityChoice } from '../choices.tsx';
import { DetailDrawer, Facts } from '../detail-drawer.tsx';
import { useEmpty } from '../empty-text.tsx';
import { measure } from '../measures.ts';
import { monitoringSearch, narrowed } from '../monitoring-search.ts';
import { includeOf } from '../question.ts';
import { moveRange, type TabProps } from '../tab-props.ts';
import { timelineChart } from '../trends/timeline-chart.ts';
import { useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { PartList } from './part-list.tsx';
import { channelRows, keyRows, modelRow, rankTotal } from './usage-rows.ts';
import { UsageStats } from './usage-stats.tsx';
import { UsageTable } from './usage-table.tsx';
import { useNaming } from './use-naming.ts';

const TREND = [measure('requests'), measure('cost')];

/** Every model of the range; one of them in detail. */
export function ModelsTab(props: TabProps) {
  const { search, change, zone, options, money } = props;
  const { t } = useText();
  const unsupported = useUnsupported();
  const { scope, granularity, by } = search;
  const source = fromQuery(
    useAnalytics({
      part: 'models',
      scope,
      zone,
      granularity,
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: (cut) => includeOf('models', cut),
    }),
  );
  const { data } = source;
  const rows = useMemo(
    () =>
      data === undefined
        ? undefined
        : { rows: (data.answer.model_stats ?? []).map(modelRow), summary: data.answer.summary },
    [data],
  );
  const chart = useMemo(
    () => (data === undefined ? undefined : timelineChart(data, TREND, t, money)),
    [data, t, money],
  );
  const empty = useEmpty(scope, (next) => change({ scope: next }));
  return (
    <>
      <CoverageNote coverage={data?.answer.coverage} />
      <UnpricedNote requests={data?.answer.summary?.unpriced_calls} />
      <UsageStats source={source} money={money} short />
      <ChartPanel
        title={t('analytics.trend')}
        unit={t(data?.granularity === 'day' ? 'analytics.perDay' : 'analytics.perHour')}
        source={mapSource(source, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
        height={200}
        empty={empty}
        errorTitle={t('analytics.loadFailed')}
        unsupported={unsupported}
        exportName="usage-trend"
        onRange={moveRange(props)}
        actions={<GranularityChoice value={granularity} onChange={(next) => change({ granularity: next })} />}
      />
      <UsageTable
        kind="models"
        title={t('analytics.models')}
        nameLabel={t('analytics.model')}
        detailLabel={null}
        source={mapSource(source, () => rows ?? { rows: [], summary: undefined })}
        by={by}
        onBy={(next) => change({ by: next })}
        zone={zone}
        money={money}
        empty={empty}
        file="models"
        openKey={search.open}
        onOpen={(row) => change({ open: row.key }, search.open !== '')}
        times={false}
      />
      {search.open !== '' && <ModelDrawer {...props} />}
    </>
  );
}

/** Details of a model by its own request: its timeline, and who used it. */
function ModelDrawer({ search, change, zone, options, money, slot }: TabProps) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const { open: model, by, granularity } = search;
  const scope = useMemo(() => narrowed(search.scope, { model: [model] }), [search.scope, model]);
  const source = fromQuery(
    useAnalytics({
      part: 'model',
      scope,
      zone,
      granularity,
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: (cut) => ({
        summary: true,
        summary_profile: 'compact',
        summary_percentiles: true,
        timeline: true,
        api_key_stats: true,
        ...WITHOUT_PARTS,
        channel_share: true,
        granularity: cut,
      }),
    }),
  );
  const { data } = source;
  const naming = useNaming();
  const chart = useMemo(
    () => (data === undefined ? undefined : timelineChart(data, TREND, t, money)),
    [data, t, money],
  );
  return (
    <DetailDrawer
      slot={slot}
      label={t('analytics.model')}
      title={shown(model)}
      onClose={() => change({ open: '' })}
      foot={
        data !== undefined && (
          <RequestsLink search={monitoringSearch(data.scope, data)} className="link">
            {t('analytics.openRequests')}
          </RequestsLink>
        )
      }
    >
      <SourceView
        source={source}
        loading={
          <section>
            <Block height={320} />
          </section>
        }
        errorTitle={t('analytics.loadFailed')}
        unsupported={unsupported}
      >
        {({ answer }) => {
          const { summary, api_key_stats = [], channel_share = [] } = answer;
          if (summary === undefined || summary.total_calls === 0) {
            return <EmptyState title={t('analytics.notInRange')} text={t('analytics.notInRangeText')} />;
          }
          return (
            <>
              <section>
                <Facts
                  facts={[
                    [t('analytics.requests'), formatCount(summary.total_calls)],
                    [
                      t('analytics.failureRate'),
                      formatShare(scope.status === 'all' ? summary.failure_calls / summary.total_calls : null),
                    ],
                    [
                      `${t('analytics.cost')}${money.mark}`,
                      knownCost(summary.total_cost, summary.unpriced_calls) === null ? (
                        <NoPrice key="price" model={model} />
                      ) : (
                        money.sum(summary.total_cost, summary.unpriced_calls)
                      ),
                    ],
                    [
                      `${t('analytics.unitCost')}${money.mark}`,
                      money.sum(summary.average_cost_per_call * 1_000, summary.unpriced_calls),
                    ],
                    [t('analytics.tokens'), formatCompact(summary.total_tokens)],
                    [
                      t('analytics.tokensPerRequest'),
                      formatCount(Math.round(summary.total_tokens / summary.total_calls)),
                    ],
                    [t('stat.cacheHits'), summary.input_tokens === 0 ? NONE : formatShare(summary.cache_hit_rate)],
                    [t('analytics.p95'), formatDuration(summary.p95_latency_ms)],
                    [t('analytics.ttft'), formatDuration(summary.p95_ttft_ms)],
                  ]}
                />
              </section>
              <ChartPanel
                title={t('analytics.trend')}
                source={mapSource(source, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
                height={180}
                empty={{ title: t('analytics.empty'), text: t('analytics.emptyShort') }}
                errorTitle={t('analytics.loadFailed')}
                unsupported={unsupported}
                exportName="model-trend"
                onRange={moveRange({ search, change })}
              />
              <PartList
                title={t('analytics.keys')}
                rows={keyRows(api_key_stats, naming)}
                by={by}
                total={rankTotal(summary, by)}
                money={money}
              />
              <PartList
                title={t('analytics.accounts')}
                rows={channelRows(channel_share, naming)}
                by={by}
                total={rankTotal(summary, by)}
                money={money}
              />
            </>
          );
        }}
      </SourceView>
    </DetailDrawer>
  );
}

function NoPrice({ model }: { readonly model: string }) {
  const { t } = useText();
  return (
    <Link to="/model-prices" search={unpricedSearch(model)} className="link">
      {t('analytics.noPrice')}
    </Link>
  );
}
