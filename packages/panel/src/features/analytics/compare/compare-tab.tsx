import { SimpleGrid } from '@mantine/core';
import { type CSSProperties, useMemo } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { NONE } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { rangeText } from '../../../platform/range/labels.ts';
import { unpricedTitle } from '../../../platform/requests/sum-texts.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import type { ChartData } from '../../../ui/chart/types.ts';
import { Changed, judgedFrom } from '../../../ui/display/change-text.tsx';
import { Explain } from '../../../ui/display/explain.tsx';
import { type Stat, StatRow } from '../../../ui/display/stats.tsx';
import { Shape } from '../../../ui/display/status.tsx';
import { CoverageNote } from '../../../ui/feedback/coverage-note.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { UnpricedNote } from '../../../ui/feedback/unpriced-note.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import { COMPARE_PARTS } from '../analytics-search.ts';
import { GranularityChoice, PartChoice } from '../choices.tsx';
import { type Measure, measure, measureName } from '../measures.ts';
import type { TabProps } from '../tab-props.ts';
import { useExportedName } from '../usage/use-exported-name.ts';
import { useNaming } from '../usage/use-naming.ts';
import type { Answered } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { offsetAxis } from './compare-axis.ts';
import { CompareBar } from './compare-bar.tsx';
import { entityIn, entityValue, partRows } from './compare-entities.ts';
import { MetricTable, PairTable } from './compare-tables.tsx';
import { comparable, compareChart, isMoving, type MetricRow, metricRows, pairRows } from './compare-view.ts';
import { useCompare } from './use-compare.ts';

const MAIN = measure('requests');
const SMALL = [measure('cost'), measure('failureRate'), measure('p95')];
const PARTS = 8;
const TILES = {
  requests: 'explain.requests',
  cost_usd: 'explain.cost',
  tokens: 'explain.tokens',
  failure_rate: 'explain.failureRate',
  p95_latency_ms: 'explain.p95',
} as const;

interface Both {
  readonly a: Answered;
  readonly b: Answered;
}

/** Both answers as one source: stale or failed if either is. */
function bothOf(a: DataSource<Answered>, b: DataSource<Answered>): DataSource<Both> {
  const data = a.data === undefined || b.data === undefined ? undefined : { a: a.data, b: b.data };
  return {
    data,
    error: a.error ?? b.error,
    atMs: a.atMs === null || b.atMs === null ? null : Math.min(a.atMs, b.atMs),
    busy: a.busy || b.busy,
    retry: () => {
      a.retry();
      b.retry();
    },
  };
}

/** The measures need more columns than the parts of one. */
const SIDES = { '--second': '7fr', alignItems: 'start' } as CSSProperties;

/** Compares any two times, models, client keys or accounts. */
export function CompareTab(props: TabProps) {
  const { search, change, zone, money } = props;
  const { t, locale } = useText();
  const compared = useCompare(props);
  const { mode, by } = search;
  const [sourceA, sourceB] = [fromQuery(compared.a), fromQuery(compared.b)];
  const [dataA, dataB] = [sourceA.data, sourceB.data];
  const both = useMemo(
    () => (dataA === undefined || dataB === undefined ? undefined : { a: dataA, b: dataB }),
    [dataA, dataB],
  );
  const joined = bothOf(sourceA, sourceB);
  const source: DataSource<Both> = compared.ready
    ? { ...joined, data: both }
    : { ...fromQuery(compared.list), data: undefined };
  const nameOf = (side: 'a' | 'b'): string => {
    const entity = mode === 'periods' ? null : entityIn(compared.views[side].scope);
    const label =
      entity === null ? undefined : compared.entities.find(({ value }) => value === entityValue(entity))?.label;
    return label ?? (entity === null ? rangeText(compared.resolved[side], zone, locale) : side.toUpperCase());
  };
  const [nameA, nameB] = [nameOf('a'), nameOf('b')];
  const axis = useMemo(() => offsetAxis(t), [t]);
  const metrics = useMemo(() => (both === undefined ? undefined : metricRows(both.a, both.b, money)), [both, money]);
  const some = comparable(both?.a, both?.b);
  const bar = (
    <CompareBar
      mode={mode}
      onMode={compared.onMode}
      a={compared.views.a}
      b={compared.views.b}
      before={compared.before}
      onSide={compared.onSide}
      onSwap={compared.onSwap}
      entities={compared.entities}
    />
  );
  if (!compared.ready && compared.list.data !== undefined) {
    return (
      <>
        {bar}
        <section className="panel">
          <EmptyState title={t('compare.tooFew')} text={t('compare.tooFewText')} />
        </section>
      </>
    );
  }
  const names = { a: nameA, b: nameB };
  const chart = { source, names, axis, money };
  const partial = both !== undefined && (isMoving(both.a) || isMoving(both.b));
  return (
    <>
      {bar}
      <CoverageNote coverage={dataA?.answer.coverage ?? dataB?.answer.coverage} />
      <UnpricedNote
        requests={(dataA?.answer.summary?.unpriced_calls ?? 0) + (dataB?.answer.summary?.unpriced_calls ?? 0)}
      />
      <CompareStats source={source} metrics={metrics} requests={compared.requests} money={money} />
      <CompareChart
        {...chart}
        measure={MAIN}
        height={260}
        unit={t(compared.granularity === 'day' ? 'compare.alignedDays' : 'compare.alignedHours')}
        actions={<GranularityChoice value={search.granularity} onChange={(next) => change({ granularity: next })} />}
      />
      <SimpleGrid minColWidth="min(100%, max(280px, 26%))">
        {SMALL.map((one) => (
          <CompareChart key={one.id} {...chart} measure={one} height={140} legend={false} />
        ))}
      </SimpleGrid>
      <div className="split" style={SIDES}>
        <MetricTable source={mapSource(source, () => (some ? (metrics ?? []) : []))} money={money} />
        <Parts {...props} source={source} by={by} />
      </div>
      <p className="small ink-3 row">
        <Shape tone="unknown" />
        <span>
          {partial && `${t('compare.partial')} `}
          {judgedFrom(t)}
        </span>
      </p>
    </>
  );
}

function CompareStats({
  source,
  metrics,
  requests,
  money,
}: {
  readonly source: DataSource<Both>;
  readonly metrics: readonly MetricRow[] | undefined;
  readonly requests: ReturnType<typeof useCompare>['requests'];
  readonly money: TabProps['money'];
}) {
  const { t } = useText();
  const missing = source.error === null ? undefined : NONE;
  const labels = {
    requests: 'analytics.requests',
    cost_usd: 'analytics.cost',
    tokens: 'analytics.tokens',
    failure_rate: 'analytics.failureRate',
    p95_latency_ms: 'analytics.p95',
  } as const;
  const link = (side: 'a' | 'b', text: string) => {
    const search = requests(side);
    return search === null ? text : <RequestsLink search={search}>{text}</RequestsLink>;
  };
  const stats = (['requests', 'cost_usd', 'tokens', 'failure_rate', 'p95_latency_ms'] as const).map((id): Stat => {
    const row = metrics?.find((one) => one.id === id);
    const label = `${t(labels[id])}${id === 'cost_usd' ? money.mark : ''}`;
    if (row === undefined) return { key: id, label, value: missing };
    const { texts, unpriced } = row;
    return {
      key: id,
      label,
      value: link('a', texts.a),
      help: <Explain name={label} text={TILES[id]} />,
      qualifier: (
        <Changed
          change={row.change}
          verdict={row.verdict}
          text={<span title={unpricedTitle(unpriced.b, t)}>B {link('b', texts.b)}</span>}
        />
      ),
      ...(unpriced.a === 0 ? {} : { title: unpricedTitle(unpriced.a, t) }),
    };
  });
  return <StatRow label={t('compare.sums')} stats={stats} />;
}

const EMPTY_CHART: ChartData = { fromMs: 0, toMs: 0, buckets: [], lanes: [] };

function CompareChart({
  source,
  measure: one,
  names,
  axis,
  money,
  height,
  unit,
  actions,
  legend = true,
}: {
  readonly source: DataSource<Both>;
  readonly measure: Measure;
  readonly names: { readonly a: string; readonly b: string };
  readonly axis: ReturnType<typeof offsetAxis>;
  readonly money: TabProps['money'];
  readonly height: number;
  readonly unit?: string;
  readonly actions?: React.ReactNode;
  readonly legend?: boolean;
}) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const { data } = source;
  const { a: nameA, b: nameB } = names;
  const chart = useMemo(
    () => (data === undefined ? EMPTY_CHART : compareChart(data.a, data.b, [one], { a: nameA, b: nameB }, t, money)),
    [data, one, nameA, nameB, t, money],
  );
  return (
    <ChartPanel
      title={measureName(one, money, t)}
      unit={unit}
      source={mapSource(source, () => chart)}
      height={height}
      empty={{ title: t('analytics.empty'), text: t('compare.emptyText') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      exportName={`comparison-${one.id.toLowerCase()}`}
      axis={axis}
      actions={actions}
      legend={legend}
    />
  );
}

function Parts({
  search,
  change,
  money,
  source,
  by,
}: TabProps & { readonly source: DataSource<Both>; readonly by: TabProps['search']['by'] }) {
  const { t } = useText();
  const naming = useNaming();
  // What is compared is the same within each side.
  const options = COMPARE_PARTS.filter((one) => one !== search.mode);
  const part = options.find((one) => one === search.parts) ?? options[0] ?? 'models';
  const exportedName = useExportedName(part === 'models' ? 'models' : 'apiKeys');
  const { data } = source;
  const rows = useMemo(() => {
    if (data === undefined) return undefined;
    const of = ({ answer }: Answered) => partRows(part, answer, naming);
    return pairRows(of(data.a), of(data.b), by, PARTS, (count) => t('analytics.others', { count }));
  }, [data, part, naming, by, t]);
  return (
    <PairTable
      part={part}
      choice={<PartChoice value={part} options={options} onChange={(next) => change({ parts: next })} />}
      source={mapSource(source, () => rows ?? [])}
      by={by}
      onBy={(next) => change({ by: next })}
      money={money}
      exportedName={exportedName}
    />
  );
}
