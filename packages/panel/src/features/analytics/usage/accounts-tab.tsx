import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { fromQuery, mapSource } from '../../../platform/api/data-source.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import { RequestsLink } from '../../../ui/requests/requests-link.tsx';
import { GranularityChoice } from '../choices.tsx';
import { measure } from '../measures.ts';
import { accountNarrowing, accountSearch, monitoringSearch, narrowed } from '../monitoring-search.ts';
import { moveRange, type TabProps } from '../tab-props.ts';
import { type Answered, useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { entityChart } from './entity-chart.ts';
import { EntityTab, useEntities } from './entity-tab.tsx';
import { rowToken } from './row-token.ts';
import { type AccountRow, accountRows, type Naming } from './usage-rows.ts';

const rowsOf = ({ credential_stats: account_stats = [] }: AnalyticsResponse, naming: Naming): readonly AccountRow[] =>
  accountRows(account_stats, naming).map((row) => ({ ...row, key: rowToken(row.key) }));

const MEASURES = [measure('requests'), measure('failed'), measure('cost')];

/** Every account used in the range; one of them in detail. */
export function AccountsTab(tab: TabProps) {
  const { t } = useText();
  const { source, rows } = useEntities(tab, 'credentials', rowsOf);
  return (
    <EntityTab
      tab={tab}
      kind="credentials"
      source={source}
      rows={rows}
      title={t('analytics.accounts')}
      label={t('analytics.account')}
      detailLabel={t('analytics.provider')}
      file="accounts"
      drawer={(row, answered) => ({
        subtitle: row.detail,
        foot: <Foot row={row} answered={answered} />,
        above: <Trend {...tab} row={row} answered={answered} />,
      })}
    />
  );
}

interface PartProps {
  readonly row: AccountRow;
  readonly answered: Answered;
}

function Foot({ row: { stats }, answered }: PartProps) {
  const { t } = useText();
  const narrowing = accountNarrowing(stats);
  return (
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
  );
}

function Trend({ search, change, zone, money, row, answered }: TabProps & PartProps) {
  const { t } = useText();
  const unsupported = useUnsupported();
  const { granularity } = search;
  const { id } = row.stats;
  const lines = fromQuery(
    useAnalytics({
      part: `credential ${id}`,
      scope: answered.scope,
      zone,
      granularity,
      include: (cut) => ({ credential_timeline: true, timeline: true, granularity: cut }),
      credentials: [id],
    }),
  );
  const { data } = lines;
  const chart = useMemo(() => {
    if (data === undefined) return undefined;
    const { credential_timeline: points = [], gaps } = data.answer;
    return entityChart(data, [{ name: row.name, look: 0, points }], gaps, MEASURES, t, money);
  }, [data, row.name, t, money]);
  return (
    <ChartPanel
      title={t('analytics.trend')}
      source={mapSource(lines, () => chart ?? { fromMs: 0, toMs: 0, buckets: [], lanes: [] })}
      height={240}
      empty={{ title: t('analytics.empty'), text: t('analytics.emptyShort') }}
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
      exportName="account-trend"
      onRange={moveRange({ search, change })}
      actions={<GranularityChoice value={granularity} onChange={(next) => change({ granularity: next })} />}
    />
  );
}
