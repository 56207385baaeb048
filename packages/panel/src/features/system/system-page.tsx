import type { ReactNode } from 'react';
import { useHost, useStatus, useUpstream } from '../../api/queries.ts';
import { CollectorLive, MaskingButton, TimeZoneMenu } from '../../app/header-parts.tsx';
import { Page } from '../../app/page.tsx';
import { useTimeZone } from '../../app/preferences.ts';
import { useServices } from '../../app/services.ts';
import { type TextKey, useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { useCopied } from '../../ui/copy.tsx';
import { formatBytes, formatCount, NONE } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { ErrorState, StaleBadge } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { dateAndTime, isoWithOffset } from '../../ui/time.ts';

interface Fact {
  readonly label: string;
  /** undefined = loading. */
  readonly value: ReactNode | undefined;
}

function Facts({
  title,
  facts,
  head,
}: {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly head?: ReactNode;
}) {
  return (
    <section className="panel">
      <div className="panel-head">
        <h2>{title}</h2>
        <span className="spacer" />
        {head}
      </div>
      <div className="panel-body">
        <dl className="definitions facts">
          {facts.map(({ label, value }) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>
                <span className="value">
                  {value === undefined ? <span className="skeleton" style={{ display: 'block', width: 120 }} /> : value}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}

const MIGRATION_LABELS: Readonly<Partial<Record<string, TextKey>>> = {
  discovering: 'migration.running',
  pending: 'migration.pending',
  running: 'migration.running',
  applying: 'migration.running',
  clearing: 'migration.running',
  completed: 'migration.completed',
  failed: 'migration.failed',
};

/** A status that this panel does not know is shown as it is. */
function migrationText(status: string, t: ReturnType<typeof useText>['t']): string {
  const label = MIGRATION_LABELS[status];
  return label === undefined ? status : t(label);
}

export function SystemPage() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { base } = useServices();
  const host = useHost();
  const status = useStatus();
  const upstream = useUpstream();
  const [copied, copy] = useCopied();
  const info = host.data?.kind === 'manager' ? host.data.info : undefined;
  const { data } = status;
  const files = data?.database;
  const time = (ms: number | undefined) => dateAndTime(ms, zone, locale, true);
  const unknown = status.data === undefined && status.error === null;
  const of = <T,>(value: T | undefined, show: (value: T) => ReactNode): ReactNode | undefined =>
    value === undefined ? (unknown ? undefined : NONE) : show(value);
  const upstreamText = upstream.isLoading ? undefined : (upstream.data?.version ?? '') || NONE;

  const versions: readonly Fact[] = [
    { label: t('system.manager'), value: info?.version },
    { label: t('system.panel'), value: __PANEL_VERSION__ },
    { label: t('system.upstream'), value: upstreamText },
    {
      label: t('system.upstreamBuild'),
      value: upstream.isLoading
        ? undefined
        : [upstream.data?.commit.slice(0, 12), upstream.data?.buildDate].filter(Boolean).join(' · ') || NONE,
    },
    { label: t('system.started'), value: info === undefined ? undefined : time(info.startedAt) },
    { label: t('system.address'), value: <span className="mono">{base}</span> },
  ];
  const database: readonly Fact[] = [
    { label: t('system.events'), value: of(data?.eventCount ?? data?.events, formatCount) },
    { label: t('system.deadLetters'), value: of(data?.deadLetters, formatCount) },
    { label: t('system.implausible'), value: of(data?.implausibleTimestamps, formatCount) },
    { label: t('system.databaseSize'), value: of(files?.databaseBytes, formatBytes) },
    {
      label: t('system.wal'),
      value: of(files, (value) =>
        t('system.walOf', { size: formatBytes(value.walBytes), limit: formatBytes(value.journalSizeLimitBytes) }),
      ),
    },
    { label: t('system.shm'), value: of(files?.shmBytes, formatBytes) },
    { label: t('system.total'), value: of(files?.totalBytes, formatBytes) },
    {
      label: t('system.perEvent'),
      value: of(files, (value) =>
        data !== undefined && data.events > 0 ? formatBytes(Math.round(value.totalBytes / data.events)) : NONE,
      ),
    },
  ];
  const upkeep: readonly Fact[] = [
    {
      label: t('system.checkpoint'),
      value: of(files?.checkpoint, (checkpoint) =>
        checkpoint.executedAtMs > 0
          ? t('system.checkpointText', {
              time: time(checkpoint.executedAtMs),
              done: formatCount(checkpoint.checkpointedFrames),
              all: formatCount(checkpoint.logFrames),
            })
          : t('system.checkpointNone'),
      ),
    },
    ...(files?.checkpoint.error
      ? [{ label: t('system.checkpointError'), value: <span className="tone-bad">{files.checkpoint.error}</span> }]
      : []),
    ...(files?.sealing
      ? [{ label: t('system.sealingError'), value: <span className="tone-bad">{files.sealing.error}</span> }]
      : []),
    {
      label: t('system.migration'),
      value: of(data?.dataMigration, (migration) => (
        <Status tone={migration.status === 'completed' ? 'ok' : migration.status === 'failed' ? 'bad' : 'wait'}>
          {migrationText(migration.status, t)}
        </Status>
      )),
    },
    {
      label: t('system.maintenance'),
      value: of(data?.databaseMaintenance, (maintenance) =>
        maintenance.required ? (
          <Status tone="warn">{t('system.maintenanceNeeded')}</Status>
        ) : (
          <Status tone="ok">{t('system.maintenanceNone')}</Status>
        ),
      ),
    },
    {
      label: t('system.dataKey'),
      value:
        info === undefined ? undefined : (
          <Status tone={info.dataKeyReady ? 'ok' : 'bad'}>
            {info.dataKeyReady ? t('system.dataKeyReady') : t('system.dataKeyLost')}
          </Status>
        ),
    },
  ];
  const collector = data?.collector;
  const collection: readonly Fact[] = [
    {
      label: t('system.transport'),
      value: of(collector, (value) => `${value.transport === '' ? NONE : value.transport} (${value.mode})`),
    },
    { label: t('system.queue'), value: of(collector?.queue, (queue) => queue || NONE) },
    {
      label: t('system.inserted'),
      value: of(collector, (value) =>
        t('system.insertedText', {
          inserted: formatCount(value.totalInserted),
          skipped: formatCount(value.totalSkipped),
        }),
      ),
    },
    { label: t('system.repaired'), value: of(collector?.totalRepaired, formatCount) },
    { label: t('system.spooled'), value: of(collector?.spooledRecords, formatCount) },
    { label: t('system.gaps'), value: of(collector?.gaps.count, formatCount) },
    {
      label: t('system.lastGap'),
      value: of(collector, (value) =>
        value.gaps.last === undefined
          ? NONE
          : `${time(value.gaps.last.fromMs)} – ${value.gaps.last.toMs === null ? t('system.gapOpen') : time(value.gaps.last.toMs)}`,
      ),
    },
  ];
  const summary = () =>
    JSON.stringify(
      {
        manager: info?.version,
        panel: __PANEL_VERSION__,
        upstream: upstream.data?.version,
        startedAt: info === undefined ? undefined : isoWithOffset(info.startedAt, zone),
        events: data?.events,
        database: files,
        collector: data && { ...data.collector, upstream: undefined },
        dataMigration: data?.dataMigration.status,
        databaseMaintenance: data?.databaseMaintenance,
      },
      null,
      2,
    );
  return (
    <Page
      title={t('nav.system')}
      state={<CollectorLive />}
      actions={
        <>
          <TimeZoneMenu />
          <Button onClick={() => copy(summary())}>
            <Icon name={copied ? 'check' : 'copy'} />
            {copied ? t('common.copied') : t('system.copy')}
          </Button>
          <MaskingButton />
        </>
      }
    >
      {status.data === undefined && status.error !== null && (
        <section className="panel">
          <ErrorState title={t('error.status')} error={status.error} onRetry={() => void status.refetch()} />
        </section>
      )}
      <div className="facts-grid">
        <Facts title={t('system.versions')} facts={versions} />
        <Facts
          title={t('system.database')}
          facts={database}
          head={
            status.data !== undefined &&
            status.error !== null && <StaleBadge atMs={status.dataUpdatedAt} error={status.error} />
          }
        />
        <Facts title={t('system.collection')} facts={collection} />
        <Facts title={t('system.upkeep')} facts={upkeep} />
      </div>
    </Page>
  );
}
