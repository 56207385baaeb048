import type { ChannelHealth, DashboardResponse } from '@manager/core/contract/dashboard';
import type { FailureRow } from '@manager/core/contract/monitoring/analytics';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { type DataSource, mapSource } from '../../platform/api/data-source.ts';
import { useHref } from '../../platform/browser/use-href.ts';
import {
  formatCostSum,
  formatCount,
  formatDuration,
  formatShare,
  knownCost,
  NONE,
} from '../../platform/format/format.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { causeOf } from '../../platform/requests/diagnosis.ts';
import { failureStatus } from '../../platform/requests/event-view.ts';
import { ShareBar } from '../../ui/display/share-bar.tsx';
import { Shape, Status, SuccessRate } from '../../ui/display/status.tsx';
import { failureTone } from '../../ui/requests/event-tone.ts';
import { moneyCells } from '../../ui/table/money-column.ts';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { accountName, accountSearch, type NamedAccount } from './account-link.ts';
import { accountHealth, accountTone } from './dashboard-view.ts';
import { useFailureLink } from './use-failure-link.ts';

interface TableProps {
  readonly source: DataSource<DashboardResponse>;
}

const FAILED = { status: ['failed'] };

const modelUse = (model: string) =>
  ({ to: '/usage-analytics', search: { time_range: ['today'], model: [model] } }) as const;

/** Today's requests of an account: for the row that opens them, and as an address. */
function useAccountLink(others: Record<string, string[]> = {}) {
  const navigate = useNavigate();
  const href = useHref();
  const to = (row: NamedAccount) => ({ to: '/monitoring', search: accountSearch(row, others) ?? others }) as const;
  return {
    onOpen: (row: NamedAccount) => void navigate(to(row)),
    href: (row: NamedAccount) => href(to(row)),
  };
}

/** Right end of a header: link to the full list. */
function AllLink({ to, search = {} }: { readonly to: string; readonly search?: Record<string, string[]> }): ReactNode {
  const { t } = useText();
  return (
    <Link to={to} search={search} className="link small">
      {t('dashboard.all')}
    </Link>
  );
}

function Account({ row, name }: { readonly row: Parameters<typeof accountTone>[0]; readonly name: string }) {
  return (
    <span style={{ gap: 6 }} className="row">
      <Shape tone={accountTone(row) ?? 'okQuiet'} />
      <span className="ellipsis" title={name}>
        {name}
      </span>
    </span>
  );
}

type CostRow = DashboardResponse['model_cost_rank'][number] & { readonly share: number };

/** With the share of the total cost; the server sends that of the highest one. */
const costRows = ({ model_cost_rank: rank, today }: DashboardResponse): readonly CostRow[] =>
  rank.map((row) => ({ ...row, share: today.total_cost > 0 ? row.cost / today.total_cost : 0 }));

export function CostTable({ source }: TableProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const href = useHref();
  type Row = CostRow;
  const columns = useMemo<readonly TableColumn<Row>[]>(
    () => [
      {
        id: 'model',
        label: t('dashboard.model'),
        width: null,
        minWidth: 104,
        cell: (row) => row.model,
        title: (row) => row.model,
      },
      {
        id: 'requests',
        label: t('dashboard.requests'),
        width: 76,
        priority: 1,
        right: true,
        cell: (row) => formatCount(row.calls),
      },
      {
        id: 'cost',
        label: t('dashboard.cost'),
        width: 76,
        ...moneyCells((row) => knownCost(row.cost, row.unpriced_calls)),
      },
      {
        id: 'share',
        label: t('dashboard.shareOfCost'),
        width: 100,
        priority: 2,
        cell: (row) => <ShareBar share={row.share} text={formatShare(row.share)} />,
      },
    ],
    [t],
  );
  return (
    <TablePanel
      title={t('dashboard.costByModel')}
      source={mapSource(source, costRows)}
      actions={<AllLink to="/usage-analytics" search={{ time_range: ['today'], tab: ['models'] }} />}
      href={({ model }) => href(modelUse(model))}
      onOpen={({ model }) => void navigate(modelUse(model))}
      empty={{ title: t('dashboard.noCost'), text: t('dashboard.noCostText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => row.model}
      rowName={(row) => row.model}
      narrow={(row) => ({
        main: row.model,
        mainBelow: (
          <span className="bar thin" style={{ marginTop: 7 }} aria-hidden="true">
            <i style={{ width: `${row.share * 100}%` }} />
          </span>
        ),
        value: formatCostSum(row.cost, row.unpriced_calls),
        valueBelow: formatShare(row.share),
      })}
      twoLineBelow={240}
      expectedRows={5}
    />
  );
}

export function AccountHealthTable({ source }: TableProps) {
  const { t } = useText();
  const link = useAccountLink();
  const masker = useMasker();
  const columns = useMemo<readonly TableColumn<ChannelHealth>[]>(
    () => [
      {
        id: 'account',
        label: t('dashboard.account'),
        width: null,
        minWidth: 150,
        cell: (row) => <Account row={row} name={accountName(row, masker)} />,
      },
      {
        id: 'provider',
        label: t('dashboard.provider'),
        width: 68,
        priority: 2,
        cell: (row) => row.auth_provider_snapshot || NONE,
        title: (row) => row.auth_provider_snapshot,
      },
      {
        id: 'success',
        label: t('dashboard.success'),
        width: 68,
        right: true,
        cell: (row) => <SuccessRate rate={row.success_rate} />,
      },
      { id: 'failed', label: t('dashboard.failed'), width: 56, right: true, cell: (row) => formatCount(row.failures) },
      {
        id: 'latency',
        label: t('dashboard.latency'),
        width: 76,
        priority: 1,
        right: true,
        cell: (row) => formatDuration(row.average_latency_ms),
      },
    ],
    [t, masker],
  );
  return (
    <TablePanel
      title={t('dashboard.accountHealth')}
      subtitle={t('dashboard.worstFirst')}
      source={mapSource(source, accountHealth)}
      actions={<AllLink to="/accounts" />}
      {...link}
      empty={{ title: t('dashboard.noAccounts'), text: t('dashboard.noTrafficText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => `${row.auth_index} ${row.source ?? ''} ${row.account_snapshot ?? ''}`}
      rowName={(row) => accountName(row, masker)}
      narrow={(row) => ({
        main: <Account row={row} name={accountName(row, masker)} />,
        mainBelow: row.auth_provider_snapshot || NONE,
        value: formatShare(row.success_rate),
        valueBelow: t('dashboard.failedCount', { failed: formatCount(row.failures) }),
      })}
      twoLineBelow={260}
      expectedRows={5}
    />
  );
}

export function FailuresTable({ source }: TableProps) {
  const { t } = useText();
  const failure = useFailureLink();
  const masker = useMasker();
  const zone = useTimeZone();
  const columns = useMemo<readonly TableColumn<FailureRow>[]>(
    () => [
      { id: 'time', label: t('dashboard.time'), width: 88, cell: (row) => timeOfDay(row.timestamp_ms, zone) },
      {
        id: 'status',
        label: t('dashboard.status'),
        width: 64,
        cell: (row) => <Status tone={failureTone(row)}>{failureStatus(row) || NONE}</Status>,
        title: (row) => t(causeOf(row).cause),
      },
      { id: 'cause', label: t('dashboard.cause'), width: null, minWidth: 110, cell: (row) => t(causeOf(row).cause) },
      {
        id: 'account',
        label: t('dashboard.account'),
        width: null,
        minWidth: 110,
        priority: 1,
        cell: (row) => accountName(row, masker),
        title: (row) => accountName(row, masker),
      },
      { id: 'model', label: t('dashboard.model'), width: null, minWidth: 110, priority: 2, cell: (row) => row.model },
    ],
    [t, zone, masker],
  );
  return (
    <TablePanel
      title={t('dashboard.recentFailures')}
      source={mapSource(source, (data) => data.recent_failures)}
      actions={<AllLink to="/monitoring" search={{ status: ['failed'] }} />}
      href={failure.href}
      onOpen={(row) => void failure.open(row)}
      empty={{ title: t('dashboard.noFailures'), text: t('dashboard.noFailuresText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => `${row.timestamp_ms} ${row.source_hash} ${row.model} ${row.endpoint}`}
      rowName={(row) => row.model}
      narrow={(row) => ({
        lead: timeOfDay(row.timestamp_ms, zone),
        leadBelow: <Status tone={failureTone(row)}>{failureStatus(row) || NONE}</Status>,
        main: t(causeOf(row).cause),
        mainBelow: `${accountName(row, masker)} · ${row.model}`,
      })}
      twoLineBelow={240}
      expectedRows={5}
    />
  );
}

export function FailureSourcesTable({ source }: TableProps) {
  const { t } = useText();
  const link = useAccountLink(FAILED);
  const masker = useMasker();
  const zone = useTimeZone();
  type Row = DashboardResponse['failure_sources'][number];
  const columns = useMemo<readonly TableColumn<Row>[]>(
    () => [
      {
        id: 'source',
        label: t('dashboard.source'),
        width: null,
        minWidth: 130,
        cell: (row) => <Account row={row} name={accountName(row, masker)} />,
      },
      { id: 'failed', label: t('dashboard.failed'), width: 56, right: true, cell: (row) => formatCount(row.failures) },
      {
        id: 'rate',
        label: t('dashboard.rate'),
        width: 64,
        right: true,
        cell: (row) => <SuccessRate rate={1 - row.failure_rate} failed />,
      },
      {
        id: 'seen',
        label: t('dashboard.lastSeen'),
        width: 80,
        priority: 1,
        right: true,
        cell: (row) => timeOfDay(row.last_seen_ms, zone),
      },
    ],
    [t, masker, zone],
  );
  return (
    <TablePanel
      title={t('dashboard.failureSources')}
      subtitle={t('dashboard.mostFirst')}
      source={mapSource(source, (data) => data.failure_sources)}
      {...link}
      empty={{ title: t('dashboard.noFailures'), text: t('dashboard.noFailuresText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => `${row.source_hash} ${row.auth_index}`}
      rowName={(row) => accountName(row, masker)}
      narrow={(row) => ({
        main: <Account row={row} name={accountName(row, masker)} />,
        value: formatShare(row.failure_rate),
        valueBelow: t('dashboard.failedCount', { failed: formatCount(row.failures) }),
      })}
      twoLineBelow={240}
      expectedRows={5}
    />
  );
}
