import type { ChannelHealth, DashboardResponse, HealthTone } from '@manager/core/contract/dashboard';
import type { FailureRow } from '@manager/core/contract/monitoring';
import { useMemo } from 'react';
import { useMasker } from '../../app/masking.ts';
import { useTimeZone } from '../../app/preferences.ts';
import { useText } from '../../i18n/index.ts';
import { type DataSource, mapSource } from '../../ui/data-source.ts';
import { formatCost, formatCount, formatDuration, formatShare, NONE } from '../../ui/format.ts';
import type { Masker } from '../../ui/mask.ts';
import { Shape, Status, type StatusTone } from '../../ui/status.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { TablePanel } from '../../ui/table-panel.tsx';
import { timeOfDay } from '../../ui/time.ts';
import { causeOf } from '../live/diagnosis.ts';

interface TableProps {
  readonly source: DataSource<DashboardResponse>;
}

const TONES: Readonly<Record<HealthTone, StatusTone>> = { good: 'okQuiet', warn: 'warn', bad: 'bad' };

type Named = Pick<ChannelHealth, 'account_snapshot' | 'auth_label_snapshot' | 'source' | 'auth_index'>;

function accountName(row: Named, masker: Masker): string {
  const name = row.account_snapshot || row.auth_label_snapshot;
  if (name) return masker.account(name);
  return row.source ? masker.source(row.source) : row.auth_index === '-' ? NONE : row.auth_index;
}

export function CostTable({ source }: TableProps) {
  const { t } = useText();
  type Row = DashboardResponse['model_cost_rank'][number];
  const columns = useMemo<readonly TableColumn<Row>[]>(
    () => [
      { id: 'model', label: t('dashboard.model'), width: null, minWidth: 120, cell: (row) => row.model },
      {
        id: 'requests',
        label: t('dashboard.requests'),
        width: 80,
        priority: 1,
        right: true,
        cell: (row) => formatCount(row.calls),
      },
      { id: 'cost', label: t('dashboard.cost'), width: 80, right: true, cell: (row) => formatCost(row.cost) },
      {
        id: 'share',
        label: t('dashboard.ofHighest'),
        width: 84,
        priority: 2,
        cell: (row) => (
          <span className="share-bar" title={formatShare(row.cost_share)}>
            <i style={{ width: `${row.cost_share * 100}%` }} />
          </span>
        ),
      },
    ],
    [t],
  );
  return (
    <TablePanel
      title={t('dashboard.costByModel')}
      source={mapSource(source, (data) => data.model_cost_rank)}
      empty={{ title: t('dashboard.noCost'), text: t('dashboard.noCostText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => row.model}
      rowName={(row) => row.model}
      narrow={(row) => ({ main: row.model, mainBelow: formatCount(row.calls), value: formatCost(row.cost) })}
      twoLineBelow={240}
      expectedRows={5}
    />
  );
}

export function AccountHealthTable({ source }: TableProps) {
  const { t } = useText();
  const masker = useMasker();
  const columns = useMemo<readonly TableColumn<ChannelHealth>[]>(
    () => [
      {
        id: 'account',
        label: t('dashboard.account'),
        width: null,
        minWidth: 130,
        cell: (row) => (
          <span className="named">
            <Shape tone={TONES[row.tone]} />
            <span className="ellipsis">{accountName(row, masker)}</span>
          </span>
        ),
      },
      {
        id: 'provider',
        label: t('dashboard.provider'),
        width: 80,
        priority: 2,
        cell: (row) => row.auth_provider_snapshot || NONE,
      },
      {
        id: 'success',
        label: t('dashboard.success'),
        width: 70,
        right: true,
        cell: (row) => <span className={row.tone === 'bad' ? 'tone-bad' : ''}>{formatShare(row.success_rate)}</span>,
      },
      { id: 'failed', label: t('dashboard.failed'), width: 64, right: true, cell: (row) => formatCount(row.failures) },
      {
        id: 'latency',
        label: t('dashboard.latency'),
        width: 72,
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
      source={mapSource(source, (data) => data.channel_health)}
      empty={{ title: t('dashboard.noAccounts'), text: t('dashboard.noTrafficText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => `${row.auth_index} ${row.source ?? ''} ${row.account_snapshot ?? ''}`}
      rowName={(row) => accountName(row, masker)}
      narrow={(row) => ({
        lead: <Shape tone={TONES[row.tone]} />,
        main: accountName(row, masker),
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
  const zone = useTimeZone();
  const columns = useMemo<readonly TableColumn<FailureRow>[]>(
    () => [
      { id: 'time', label: t('dashboard.time'), width: 88, cell: (row) => timeOfDay(row.timestamp_ms, zone) },
      {
        id: 'status',
        label: t('dashboard.status'),
        width: 64,
        cell: (row) => <Status tone="bad">{row.fail_status_code || NONE}</Status>,
      },
      { id: 'cause', label: t('dashboard.cause'), width: null, minWidth: 110, cell: (row) => t(causeOf(row).cause) },
      { id: 'model', label: t('dashboard.model'), width: null, minWidth: 110, priority: 1, cell: (row) => row.model },
    ],
    [t, zone],
  );
  return (
    <TablePanel
      title={t('dashboard.recentFailures')}
      source={mapSource(source, (data) => data.recent_failures)}
      empty={{ title: t('dashboard.noFailures'), text: t('dashboard.noFailuresText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => `${row.timestamp_ms} ${row.source_hash} ${row.model} ${row.endpoint}`}
      rowName={(row) => row.model}
      narrow={(row) => ({
        lead: timeOfDay(row.timestamp_ms, zone),
        leadBelow: <Status tone="bad">{row.fail_status_code || NONE}</Status>,
        main: t(causeOf(row).cause),
        mainBelow: row.model,
      })}
      twoLineBelow={240}
      expectedRows={5}
    />
  );
}

export function FailureSourcesTable({ source }: TableProps) {
  const { t } = useText();
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
        cell: (row) => (
          <span className="named">
            <Shape tone={TONES[row.tone]} />
            <span className="ellipsis">{accountName(row, masker)}</span>
          </span>
        ),
      },
      { id: 'failed', label: t('dashboard.failed'), width: 64, right: true, cell: (row) => formatCount(row.failures) },
      { id: 'rate', label: t('dashboard.rate'), width: 64, right: true, cell: (row) => formatShare(row.failure_rate) },
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
      subtitle={t('dashboard.today')}
      source={mapSource(source, (data) => data.failure_sources)}
      empty={{ title: t('dashboard.noFailures'), text: t('dashboard.noFailuresText') }}
      errorTitle={t('dashboard.failedToLoad')}
      columns={columns}
      rowKey={(row) => `${row.source_hash} ${row.auth_index}`}
      rowName={(row) => accountName(row, masker)}
      narrow={(row) => ({
        lead: <Shape tone={TONES[row.tone]} />,
        main: accountName(row, masker),
        value: formatShare(row.failure_rate),
        valueBelow: t('dashboard.failedCount', { failed: formatCount(row.failures) }),
      })}
      twoLineBelow={240}
      expectedRows={5}
    />
  );
}
