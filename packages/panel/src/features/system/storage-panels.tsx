import type { StatusResponse } from '@manager/core/contract/system/status';
import { Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { formatBytes, formatCount, formatDuration, NONE } from '../../platform/format/format.ts';
import { dateAndTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useHost } from '../../platform/queries/queries.ts';
import { Facts } from '../../ui/display/facts.tsx';
import { Status } from '../../ui/display/status.tsx';
import { SourceAge } from '../../ui/feedback/source-view.tsx';
import { checkpointLabel, migrationLabel, migrationTone } from './system-view.ts';

/** What is stored, how it is kept, and how it was collected. */
export function StoragePanels({ status }: { readonly status: UseQueryResult<StatusResponse> }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const host = useHost();
  const source = fromQuery(status);
  const { data } = status;
  const files = data?.database;
  const collector = data?.collector;
  const info = host.data?.kind === 'manager' ? host.data.info : undefined;
  const time = (ms: number | undefined) => dateAndTime(ms, zone, locale, true);
  /** A value of the status: loading before the first answer, a dash where the answer has none. */
  const of = <T,>(value: T | undefined, show: (value: T) => ReactNode): ReactNode | undefined =>
    value !== undefined ? show(value) : data === undefined && status.error === null ? undefined : NONE;
  return (
    <>
      <Facts
        title={t('system.database')}
        head={<SourceAge source={source} />}
        facts={[
          { label: t('system.events'), value: of(data?.eventCount ?? data?.events, formatCount) },
          { label: t('system.deadLetters'), value: of(data?.deadLetters, formatCount) },
          { label: t('system.implausible'), value: of(data?.implausibleTimestamps, formatCount) },
          { label: t('system.databaseSize'), value: of(files?.databaseBytes, formatBytes) },
          {
            label: t('system.wal'),
            value: of(files, ({ walBytes, journalSizeLimitBytes }) =>
              t('system.walOf', { size: formatBytes(walBytes), limit: formatBytes(journalSizeLimitBytes) }),
            ),
          },
          { label: t('system.shm'), value: of(files?.shmBytes, formatBytes) },
          { label: t('system.total'), value: of(files?.totalBytes, formatBytes) },
        ]}
      >
        <Group mt="md">
          <Link to="/usage-maintenance" search={{}} className="link">
            {t('nav.archives')}
          </Link>
        </Group>
      </Facts>
      <Facts
        title={t('system.collection')}
        head={<SourceAge source={source} />}
        facts={[
          {
            label: t('system.transport'),
            value: of(collector, ({ transport, mode }) =>
              transport === '' ? NONE : `${t(`mode.${transport}`)} (${t(`mode.${mode}`)})`,
            ),
          },
          { label: t('system.queue'), value: of(collector?.queue, (queue) => queue || NONE) },
          {
            label: t('system.inserted'),
            value: of(collector, ({ totalInserted, totalSkipped }) =>
              t('system.insertedText', { inserted: formatCount(totalInserted), skipped: formatCount(totalSkipped) }),
            ),
          },
          { label: t('system.repaired'), value: of(collector?.totalRepaired, formatCount) },
          { label: t('system.spooled'), value: of(collector?.spooledRecords, formatCount) },
          { label: t('system.gaps'), value: of(collector?.gaps.count, formatCount) },
          {
            label: t('system.lastGap'),
            value: of(collector, ({ gaps: { last } }) =>
              last === undefined
                ? NONE
                : `${time(last.fromMs)} – ${last.toMs === null ? t('system.gapOpen') : time(last.toMs)}`,
            ),
          },
        ]}
      />
      <Facts
        title={t('system.upkeep')}
        head={<SourceAge source={source} />}
        facts={[
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
          {
            label: t('system.checkpointKind'),
            value: of(files?.checkpoint, (checkpoint) =>
              [
                t(checkpointLabel(checkpoint.mode)),
                formatDuration(checkpoint.durationMs),
                checkpoint.busy ? t('system.checkpointBusy') : '',
              ]
                .filter(Boolean)
                .join(' · '),
            ),
          },
          ...(files?.checkpoint.lastTruncateAttemptAtMs === undefined
            ? []
            : [{ label: t('system.truncated'), value: time(files.checkpoint.lastTruncateAttemptAtMs) }]),
          ...(files?.checkpoint.error
            ? [
                {
                  label: t('system.checkpointError'),
                  value: <span className="tone-bad">{files.checkpoint.error}</span>,
                },
              ]
            : []),
          ...(files?.sealing
            ? [{ label: t('system.sealingError'), value: <span className="tone-bad">{files.sealing.error}</span> }]
            : []),
          {
            label: t('system.migration'),
            value: of(data?.dataMigration, (migration) => {
              const label = migrationLabel(migration.status);
              return (
                <Status tone={migrationTone(migration.status)}>{label === null ? migration.status : t(label)}</Status>
              );
            }),
          },
          ...(data === undefined || data.dataMigration.targetEventId === 0
            ? []
            : [
                {
                  label: t('system.migrationRows'),
                  value: t('system.migrationText', {
                    processed: formatCount(data.dataMigration.processedRows),
                    changed: formatCount(data.dataMigration.changedRows),
                    applied: formatCount(data.dataMigration.appliedRows),
                  }),
                },
              ]),
          {
            label: t('system.maintenance'),
            value: of(data?.databaseMaintenance, ({ required }) => (
              <Status tone={required ? 'warn' : 'okQuiet'}>
                {required ? t('system.maintenanceNeeded') : t('system.maintenanceNone')}
              </Status>
            )),
          },
          {
            label: t('system.dataKey'),
            value: info && (
              <Status tone={info.dataKeyReady ? 'okQuiet' : 'bad'}>
                {info.dataKeyReady ? t('system.dataKeyReady') : t('system.dataKeyLost')}
              </Status>
            ),
          },
        ]}
      />
    </>
  );
}
