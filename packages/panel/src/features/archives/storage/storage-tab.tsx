import { SimpleGrid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DataSource } from '../../../platform/api/data-source.ts';
import { formatBytes, formatCount, formatShare, NONE } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useStatus } from '../../../platform/queries/queries.ts';
import { ShareBar } from '../../../ui/display/share-bar.tsx';
import { type Stat, StatRow } from '../../../ui/display/stats.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import { busyRunId } from '../use-archives.ts';
import type { Maintenance } from '../wire.ts';
import { OfflineCommand } from './offline-command.tsx';
import { OnlineCompaction } from './online-compaction.tsx';
import { compactionRoom, type StoragePart, storageParts } from './storage-view.ts';

/** What takes up space, what can be made smaller, and how. */
export function StorageTab({ source }: { readonly source: DataSource<Maintenance> & { readonly data: Maintenance } }) {
  const { t } = useText();
  const status = useStatus();
  const maintenance = source.data;
  const { storage } = maintenance;
  const columns = usePartColumns();
  const upkeep = status.data?.databaseMaintenance;
  const room = compactionRoom(storage);
  const size = (key: string, label: string, bytes: number, qualifier: string): Stat => ({
    key,
    label,
    value: formatBytes(bytes),
    title: t('storage.bytes', { bytes: formatCount(bytes) }),
    qualifier,
  });
  return (
    <>
      <StatRow
        label={t('storage.files')}
        stats={[
          size(
            'database',
            t('storage.database'),
            storage.database_bytes,
            t('storage.pages', { count: storage.page_count, pages: formatCount(storage.page_count) }),
          ),
          size(
            'free',
            t('storage.free'),
            storage.reclaimable_bytes,
            t('storage.pages', { count: storage.freelist_count, pages: formatCount(storage.freelist_count) }),
          ),
          size('wal', t('storage.wal'), storage.wal_bytes, t('storage.walHint')),
          size('shm', t('storage.shm'), storage.shm_bytes, t('storage.shmHint')),
          size('total', t('storage.total'), storage.total_bytes, t('storage.totalHint')),
        ]}
      />
      <TablePanel
        title={t('storage.parts')}
        subtitle={storage.bytes_per_event?.estimated === true ? t('storage.estimated') : t('storage.partsHint')}
        source={{ ...source, data: storageParts(maintenance) }}
        columns={columns}
        rowKey={(part) => part.key}
        rowName={(part) => t(part.label)}
        narrow={(part) => partNarrow(part, t(part.label), t(part.shrink))}
        empty={{ title: t('archives.notMeasured'), text: t('storage.partsEmpty') }}
        errorTitle={t('archives.failedToLoad')}
        expectedRows={5}
        exportName="database-parts"
      />
      <section className="panel" aria-label={t('storage.shrink')}>
        <div className="panel-head">
          <h2>{t('storage.shrink')}</h2>
          <span className="spacer" />
          <Link to="/usage-maintenance" search={{ tab: ['create'] }} className="link">
            {t('archives.openCreate')}
          </Link>
        </div>
        <SimpleGrid minColWidth="min(100%, max(460px, 34%))" spacing={24} className="panel-body">
          <Stack>
            <OnlineCompaction maintenance={maintenance} />
            <p>{t('storage.shrinkText')}</p>
            <p className="ink-2">
              {t('storage.shrinkRoom', { least: formatBytes(room.least), safe: formatBytes(room.safe) })}{' '}
              {t('storage.shrinkGain', { size: formatBytes(storage.reclaimable_bytes) })}
            </p>
            <p className="small ink-3">{t('storage.shrinkSafe')}</p>
            {busyRunId(maintenance) !== null && (
              <p className="tone-warn" role="status">
                {t('storage.shrinkBusy')}
              </p>
            )}
          </Stack>
          <OfflineCommand command="compact-usage" />
        </SimpleGrid>
      </section>
      <section className="panel" aria-label={t('storage.cleanup')}>
        <div className="panel-head">
          <h2>{t('storage.cleanup')}</h2>
        </div>
        {upkeep?.required === true ? (
          <SimpleGrid minColWidth="min(100%, max(460px, 34%))" spacing={24} className="panel-body">
            <Stack>
              <p>
                {t('storage.cleanupNeeded', {
                  indexes: formatCount(upkeep.deferredIndexes),
                  jobs: formatCount(upkeep.offlineJobs),
                })}
              </p>
              <p className="small ink-3">{t('storage.cleanupText')}</p>
            </Stack>
            <OfflineCommand command="cleanup-derived" />
          </SimpleGrid>
        ) : (
          <p className="panel-body ink-2">
            {upkeep === undefined ? t('storage.cleanupUnknown') : t('storage.cleanupNone')}
          </p>
        )}
      </section>
    </>
  );
}

function usePartColumns(): readonly TableColumn<StoragePart>[] {
  const { t } = useText();
  return [
    { id: 'part', label: t('storage.part'), width: 248, cell: (part) => t(part.label), exported: (part) => part.key },
    {
      id: 'bytes',
      label: t('storage.size'),
      width: 104,
      right: true,
      cell: (part) => formatBytes(part.bytes),
      exported: (part) => part.bytes,
    },
    {
      id: 'share',
      label: t('storage.share'),
      width: 160,
      priority: 1,
      cell: (part) => <ShareBar share={part.share} text={formatShare(part.share)} />,
      exported: (part) => part.share,
    },
    {
      id: 'perEvent',
      label: t('storage.perEvent'),
      width: 112,
      right: true,
      priority: 2,
      cell: (part) => (part.perEvent === null ? NONE : formatBytes(Math.round(part.perEvent))),
      exported: (part) => part.perEvent,
    },
    {
      id: 'events',
      label: t('archives.events'),
      width: 112,
      right: true,
      priority: 3,
      cell: (part) => formatCount(part.events),
      exported: (part) => part.events,
    },
    {
      id: 'shrink',
      label: t('storage.howToShrink'),
      width: null,
      minWidth: 300,
      cell: (part) => <span className="ink-2">{t(part.shrink)}</span>,
      title: (part) => t(part.shrink),
    },
  ];
}

function partNarrow(part: StoragePart, label: string, shrink: string): NarrowRow {
  return {
    main: label,
    mainBelow: shrink,
    value: formatBytes(part.bytes),
    valueBelow: formatShare(part.share),
  };
}
