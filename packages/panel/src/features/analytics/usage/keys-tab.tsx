import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { useMemo } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import { GranularityChoice } from '../choices.tsx';
import { measure } from '../measures.ts';
import { monitoringSearch, narrowed } from '../monitoring-search.ts';
import { moveRange, type TabProps } from '../tab-props.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { entityChart } from './entity-chart.ts';
import { EntityTab, useEntities } from './entity-tab.tsx';
import { type KeyRow, keyRows, type Naming, ranked } from './usage-rows.ts';
import { useNaming } from './use-naming.ts';

/** Default and maximum number of lines. */
const FIRST_LINES = 4;
const MAX_LINES = 8;

const rowsOf = ({ api_key_stats = [] }: AnalyticsResponse, naming: Naming) => keyRows(api_key_stats, naming);

/** Every client key, and some of them over time. */
export function KeysTab(tab: TabProps) {
  const { search, change } = tab;
  const { t } = useText();
  const naming = useNaming();
  const { by } = search;
  const { source, rows } = useEntities(tab, 'apiKeys', rowsOf);
  const order = useMemo(
    () =>
      ranked(
        rows.filter(({ hash }) => hash !== ''),
        by,
      ),
    [rows, by],
  );
  const chosen = useMemo(() => {
    const known = search.lines.filter((hash) => order.some((row) => row.hash === hash));
    const first = order.slice(0, FIRST_LINES).map(({ hash }) => hash);
    return (known.length > 0 ? known : first).slice(0, MAX_LINES);
  }, [search.lines, order]);
  return (
    <EntityTab
      tab={tab}
      kind="apiKeys"
      source={source}
      rows={rows}
      title={t('analytics.keys')}
      label={t('analytics.key')}
      detailLabel={null}
      file="client-keys"
      selection={{
        keys: new Set(chosen),
        onChange: (keys) => {
          const hashes = order.filter(({ hash }) => keys.has(hash)).map(({ hash }) => hash);
          change({ lines: hashes.slice(0, MAX_LINES) }, true);
        },
      }}
      drawer={(row, answered) => ({
        subtitle:
          row.hash === '' ? null : (
            <span className="mono">{naming.masker.on ? naming.masker.key(row.hash) : row.hash}</span>
          ),
        foot: row.hash !== '' && (
          <RequestsLink
            search={monitoringSearch(narrowed(answered.scope, { api_key_hash: [row.hash] }), answered)}
            className="link"
          >
            {t('analytics.openRequests')}
          </RequestsLink>
        ),
      })}
    >
      <KeyLines {...tab} source={source} order={order} chosen={chosen} />
    </EntityTab>
  );
}

function KeyLines({
  search,
  change,
  zone,
  money,
  source: table,
  order,
  chosen,
}: TabProps & {
  readonly source: DataSource<Answered>;
  readonly order: readonly KeyRow[];
  readonly chosen: readonly string[];
}) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const { by, granularity } = search;
  const plain = table.data?.scope ?? search.scope;
  const scope = useMemo(() => narrowed(plain, { api_key_hash: chosen }), [plain, chosen]);
  const query = useAnalytics({
    part: 'key-lines',
    scope,
    zone,
    granularity,
    enabled: chosen.length > 0,
    include: (cut) => ({ api_key_timeline: true, timeline: true, granularity: cut }),
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
      onRange={moveRange({ search, change })}
      actions={<GranularityChoice value={granularity} onChange={(next) => change({ granularity: next })} />}
    />
  );
}

const BY_LABELS = {
  cost: 'analytics.cost',
  requests: 'analytics.requests',
  tokens: 'analytics.tokens',
} as const;
