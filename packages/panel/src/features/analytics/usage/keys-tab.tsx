import { useMemo } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { formatCompact, formatCount, formatDuration, formatShare, NONE } from '../../../platform/format/format.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import { CoverageNote } from '../../../ui/feedback/coverage-note.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import { DetailDrawer, Facts } from '../detail-drawer.tsx';
import { useEmpty } from '../empty-text.tsx';
import { GranularityChoice } from '../granularity-choice.tsx';
import { measure } from '../measures.ts';
import { monitoringSearch, narrowed } from '../monitoring-search.ts';
import { includeOf } from '../question.ts';
import type { TabProps } from '../tab-props.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { entityChart } from './entity-chart.ts';
import { PartList } from './part-list.tsx';
import {
  accountLabel,
  failureRate,
  type KeyRow,
  keyRows,
  modelRow,
  ranked,
  rankValue,
  unitCost,
} from './usage-rows.ts';
import { UsageStats } from './usage-stats.tsx';
import { UsageTable } from './usage-table.tsx';
import { useNaming } from './use-naming.ts';

/** Default and maximum number of lines. */
const FIRST_LINES = 4;
const MOST_LINES = 8;

/** Every client key, and some of them over time. */
export function KeysTab(props: TabProps) {
  const { search, change, zone, options, money } = props;
  const { t } = useText();
  const { scope, granularity, by } = search;
  const source = fromQuery(
    useAnalytics({
      part: 'keys',
      scope,
      zone,
      granularity: 'auto',
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: (cut) => includeOf('apiKeys', cut),
    }),
  );
  const { data } = source;
  const naming = useNaming();
  const rows = useMemo(
    () => (data === undefined ? undefined : keyRows(data.answer.api_key_stats ?? [], naming)),
    [data, naming],
  );
  const order = useMemo(
    () =>
      ranked(
        (rows ?? []).filter(({ hash }) => hash !== ''),
        by,
      ),
    [rows, by],
  );
  const chosen = useMemo(() => {
    const known = search.lines.filter((hash) => order.some((row) => row.hash === hash));
    const first = order.slice(0, FIRST_LINES).map(({ hash }) => hash);
    return (known.length > 0 ? known : first).slice(0, MOST_LINES);
  }, [search.lines, order]);
  const empty = useEmpty(scope, (next) => change({ scope: next }));
  const open = rows?.find((row) => row.key === search.open);
  return (
    <>
      <CoverageNote coverage={data?.answer.coverage} />
      <UsageStats source={source} money={money} short />
      <KeyLines {...props} source={source} order={order} chosen={chosen} granularityChoice={granularity} />
      <UsageTable
        kind="apiKeys"
        title={t('analytics.keys')}
        nameLabel={t('analytics.key')}
        detailLabel={rows?.some(({ detail }) => detail !== '') ? t('analytics.account') : null}
        source={mapSource(source, ({ answer }) => ({ rows: rows ?? [], summary: answer.summary }))}
        by={by}
        onBy={(next) => change({ by: next })}
        zone={zone}
        money={money}
        empty={empty}
        file="client-keys"
        openKey={search.open}
        onOpen={(row) => change({ open: row.key }, search.open !== '')}
        times
        selection={{
          keys: new Set(chosen),
          onChange: (keys) => {
            const hashes = order.filter(({ hash }) => keys.has(hash)).map(({ hash }) => hash);
            change({ lines: hashes.slice(0, MOST_LINES) }, true);
          },
        }}
      />
      {search.open !== '' && data !== undefined && (
        <KeyDrawer {...props} answered={data} row={open} onStep={stepper(rows ?? [], props)} />
      )}
    </>
  );
}

function stepper(rows: readonly KeyRow[], { search, change }: TabProps): (step: 1 | -1) => void {
  return (step) => {
    const order = ranked(rows, search.by);
    const next = order[order.findIndex(({ key }) => key === search.open) + step];
    if (next !== undefined) change({ open: next.key }, true);
  };
}

function KeyLines({
  search,
  change,
  zone,
  money,
  source: table,
  order,
  chosen,
  granularityChoice,
}: TabProps & {
  readonly source: DataSource<Answered>;
  readonly order: readonly KeyRow[];
  readonly chosen: readonly string[];
  readonly granularityChoice: TabProps['search']['granularity'];
}) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const { by } = search;
  const plain = table.data?.scope ?? search.scope;
  const scope = useMemo(() => narrowed(plain, { api_key_hash: chosen }), [plain, chosen]);
  const query = useAnalytics({
    part: 'key-lines',
    scope,
    zone,
    granularity: granularityChoice,
    enabled: chosen.length > 0,
    include: (granularity) => ({ api_key_timeline: true, timeline: true, granularity }),
  });
  const lines = fromQuery(query);
  // Nothing to load without keys; the table shows why.
  const source: DataSource<unknown> = chosen.length > 0 ? lines : { ...table, data: table.data };
  const { data } = lines;
  const chart = useMemo(() => {
    if (data === undefined || chosen.length === 0) return undefined;
    const points = Map.groupBy(data.answer.api_key_timeline ?? [], ({ api_key_hash }) => api_key_hash);
    const drawn = chosen.flatMap((hash) => {
      const look = order.findIndex((row) => row.hash === hash);
      const row = order[look];
      return row === undefined ? [] : [{ name: row.name, look, points: points.get(hash) ?? [] }];
    });
    return entityChart(data, drawn, data.answer.gaps, [measure(by)], t, money);
  }, [data, chosen, order, by, t, money]);
  return (
    <ChartPanel
      title={t('analytics.keyLines')}
      unit={`${t(BY_LABELS[by])}${by === 'cost' ? money.mark : ''} · ${t(data?.granularity === 'day' ? 'analytics.perDay' : 'analytics.perHour')}`}
      source={mapSource(source, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
      height={260}
      empty={{ title: t('analytics.noKeyLines'), text: t('analytics.noKeyLinesText') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      exportName="client-key-trend"
      actions={<GranularityChoice value={granularityChoice} onChange={(next) => change({ granularity: next })} />}
    />
  );
}

const BY_LABELS = {
  cost: 'analytics.cost',
  requests: 'analytics.requests',
  tokens: 'analytics.tokens',
} as const;

function KeyDrawer({
  search,
  change,
  zone,
  money,
  slot,
  answered,
  row,
  onStep,
}: TabProps & {
  readonly answered: Answered;
  readonly row: KeyRow | undefined;
  readonly onStep: (step: 1 | -1) => void;
}) {
  const { t, locale } = useText();
  const naming = useNaming();
  const close = () => change({ open: '' });
  if (row === undefined) {
    return (
      <DetailDrawer slot={slot} label={t('analytics.key')} title={t('analytics.key')} onClose={close}>
        <EmptyState title={t('analytics.notInRange')} text={t('analytics.notInRangeText')} />
      </DetailDrawer>
    );
  }
  const { by } = search;
  const { stats, hash } = row;
  const contexts = (stats.contexts ?? []).map((context) => ({
    key: context.id,
    name: accountLabel(context, naming),
    plainName: context.id,
    detail: context.auth_provider_snapshot ?? '',
    calls: context.calls,
    failed: context.failure_calls,
    tokens: context.total_tokens,
    cost: context.cost,
    unpriced: context.unpriced_calls ?? 0,
    input: null,
    output: null,
    hitRate: null,
    latencyMs: context.average_latency_ms,
    lastSeenMs: context.last_seen_ms,
  }));
  return (
    <DetailDrawer
      slot={slot}
      label={t('analytics.key')}
      title={row.name}
      subtitle={
        hash === '' ? row.detail : <span className="mono">{naming.masker.on ? naming.masker.key(hash) : hash}</span>
      }
      onStep={onStep}
      onClose={close}
      foot={
        hash !== '' && (
          <RequestsLink
            search={monitoringSearch(narrowed(answered.scope, { api_key_hash: [hash] }), answered)}
            className="link"
          >
            {t('analytics.openRequests')}
          </RequestsLink>
        )
      }
    >
      <section>
        <Facts
          facts={[
            [t('analytics.requests'), formatCount(row.calls)],
            [t('analytics.failureRate'), formatShare(search.scope.status === 'all' ? failureRate(row) : null)],
            [`${t('analytics.cost')}${money.mark}`, money.sum(row.cost, row.unpriced)],
            [`${t('analytics.unitCost')}${money.mark}`, money.sum(unitCost(row) ?? 0, row.unpriced)],
            [t('analytics.tokens'), formatCompact(row.tokens)],
            [t('stat.cacheHits'), row.hitRate === null ? NONE : formatShare(row.hitRate)],
            [t('analytics.meanLatency'), formatDuration(row.latencyMs)],
            [t('analytics.lastSeen'), dateAndTime(row.lastSeenMs, zone, locale)],
          ]}
        />
      </section>
      <PartList
        title={t('analytics.models')}
        rows={(stats.models ?? []).map(modelRow)}
        by={by}
        total={rankValue(row, by)}
        money={money}
      />
      <PartList title={t('analytics.accounts')} rows={contexts} by={by} total={rankValue(row, by)} money={money} />
    </DetailDrawer>
  );
}
