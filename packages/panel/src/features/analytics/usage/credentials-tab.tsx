import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { fromQuery, mapSource } from '../../../platform/api/data-source.ts';
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
import { accountNarrowing, accountSearch, monitoringSearch, narrowed } from '../monitoring-search.ts';
import { includeOf } from '../question.ts';
import type { TabProps } from '../tab-props.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { entityChart } from './entity-chart.ts';
import { PartList } from './part-list.tsx';
import { rowToken } from './row-token.ts';
import {
  type CredentialRow,
  credentialRows,
  failureRate,
  modelRow,
  ranked,
  rankValue,
  unitCost,
} from './usage-rows.ts';
import { UsageStats } from './usage-stats.tsx';
import { UsageTable } from './usage-table.tsx';
import { useNaming } from './use-naming.ts';

/** Every account used in the range; one of them in detail. */
export function CredentialsTab(props: TabProps) {
  const { search, change, zone, options, money } = props;
  const { t } = useText();
  const { scope, by } = search;
  const source = fromQuery(
    useAnalytics({
      part: 'credentials',
      scope,
      zone,
      granularity: 'auto',
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: (cut) => includeOf('credentials', cut),
    }),
  );
  const { data } = source;
  const naming = useNaming();
  const rows = useMemo(
    () =>
      data === undefined
        ? undefined
        : credentialRows(data.answer.credential_stats ?? [], naming).map((row) => ({ ...row, key: rowToken(row.key) })),
    [data, naming],
  );
  const empty = useEmpty(scope, (next) => change({ scope: next }));
  const row = rows?.find(({ key }) => key === search.open);
  const step = (direction: 1 | -1) => {
    const order = ranked(rows ?? [], by);
    const next = order[order.findIndex(({ key }) => key === search.open) + direction];
    if (next !== undefined) change({ open: next.key }, true);
  };
  return (
    <>
      <CoverageNote coverage={data?.answer.coverage} />
      <UsageStats source={source} money={money} short />
      <UsageTable
        kind="credentials"
        title={t('analytics.accounts')}
        nameLabel={t('analytics.account')}
        detailLabel={t('analytics.provider')}
        source={mapSource(source, ({ answer }) => ({ rows: rows ?? [], summary: answer.summary }))}
        by={by}
        onBy={(next) => change({ by: next })}
        zone={zone}
        money={money}
        empty={empty}
        file="accounts"
        openKey={search.open}
        onOpen={(opened) => change({ open: opened.key }, search.open !== '')}
        times
      />
      {search.open !== '' &&
        data !== undefined &&
        (row === undefined ? (
          <DetailDrawer
            slot={props.slot}
            label={t('analytics.account')}
            title={t('analytics.account')}
            onClose={() => change({ open: '' })}
          >
            <EmptyState title={t('analytics.notInRange')} text={t('analytics.notInRangeText')} />
          </DetailDrawer>
        ) : (
          <CredentialDrawer {...props} answered={data} row={row} onStep={step} />
        ))}
    </>
  );
}

function CredentialDrawer({
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
  readonly row: CredentialRow;
  readonly onStep: (step: 1 | -1) => void;
}) {
  const { t, locale } = useText();
  const unsupported = useUnsupported();
  const { by, granularity } = search;
  const { stats } = row;
  const lines = fromQuery(
    useAnalytics({
      part: `credential ${stats.id}`,
      scope: answered.scope,
      zone,
      granularity,
      include: (cut) => ({ credential_timeline: true, timeline: true, granularity: cut }),
      credentials: [stats.id],
    }),
  );
  const { data } = lines;
  const chart = useMemo(() => {
    if (data === undefined) return undefined;
    const points = data.answer.credential_timeline ?? [];
    const drawn = [{ name: row.name, look: 0, points }];
    return entityChart(
      data,
      drawn,
      data.answer.gaps,
      [measure('requests'), measure('failed'), measure('cost')],
      t,
      money,
    );
  }, [data, row.name, t, money]);
  const narrowing = accountNarrowing(stats);
  return (
    <DetailDrawer
      slot={slot}
      label={t('analytics.account')}
      title={row.name}
      subtitle={row.detail}
      onStep={onStep}
      onClose={() => change({ open: '' })}
      foot={
        <>
          {Object.keys(narrowing).length > 0 && (
            <RequestsLink search={monitoringSearch(narrowed(answered.scope, narrowing), answered)} className="link">
              {t('analytics.openRequests')}
            </RequestsLink>
          )}
          <span className="spacer" />
          <Link to="/accounts" search={accountSearch(stats)} className="link">
            {t('analytics.openAccount')}
          </Link>
        </>
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
      <ChartPanel
        title={t('analytics.trend')}
        source={mapSource(lines, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
        height={240}
        empty={{ title: t('analytics.empty'), text: t('analytics.emptyShort') }}
        errorTitle={t('analytics.loadFailed')}
        unsupported={unsupported}
        exportName="account-trend"
        actions={<GranularityChoice value={granularity} onChange={(next) => change({ granularity: next })} />}
      />
      <PartList
        title={t('analytics.models')}
        rows={(stats.models ?? []).map(modelRow)}
        by={by}
        total={rankValue(row, by)}
        money={money}
      />
    </DetailDrawer>
  );
}
