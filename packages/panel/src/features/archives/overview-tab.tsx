import { SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatBytes, formatCompact, formatCount, NONE } from '../../platform/format/format.ts';
import { dayRange } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { type Stat, StatRow } from '../../ui/display/stats.tsx';
import { ReadinessPanel } from './readiness-panel.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { CurrentRun, type Watching } from './runs/current-run.tsx';
import { StepsPanel } from './steps-panel.tsx';
import { bytesOfEvent } from './storage/storage-view.ts';
import type { Maintenance } from './wire.ts';

/** Present state, active work, and next actions. */
export function OverviewTab({ maintenance, ...watching }: { readonly maintenance: Maintenance } & Watching) {
  const { t } = useText();
  const stats = useOverviewStats(maintenance);
  return (
    <>
      <StatRow label={t('archives.sums')} stats={stats} />
      <SimpleGrid minColWidth="min(100%, max(470px, 34%))">
        <CurrentRun maintenance={maintenance} {...watching} />
        <ReadinessPanel maintenance={maintenance} />
      </SimpleGrid>
      <StepsPanel
        wide
        action={
          <Link to="/usage-maintenance" search={{ tab: ['create'] }} className="link nowrap">
            {t('archives.openCreate')}
          </Link>
        }
      />
      <RetentionPanel maintenance={maintenance} />
    </>
  );
}

function useOverviewStats(maintenance: Maintenance): readonly Stat[] {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { storage, raw_event_count, raw_min_timestamp_ms, raw_max_timestamp_ms } = maintenance;
  const per = storage.bytes_per_event;
  const size = bytesOfEvent(per);
  const count = (value: number) => ({ value: formatCompact(value), title: formatCount(value) });
  return [
    {
      key: 'raw',
      label: t('archives.raw'),
      ...count(raw_event_count),
      qualifier:
        raw_min_timestamp_ms > 0
          ? dayRange(raw_min_timestamp_ms, raw_max_timestamp_ms, zone, locale)
          : t('archives.noRows'),
    },
    {
      key: 'archived',
      label: t('archives.archived'),
      ...count(maintenance.raw_archived_event_count),
      qualifier: t('archives.archivedHint'),
    },
    {
      key: 'deleted',
      label: t('archives.deleted'),
      ...count(maintenance.raw_deleted_event_count),
      qualifier: t('archives.deletedHint'),
    },
    {
      key: 'database',
      label: t('storage.database'),
      value: formatBytes(storage.database_bytes),
      qualifier: t('archives.reclaimable', { size: formatBytes(storage.reclaimable_bytes) }),
    },
    {
      key: 'perEvent',
      label: t('storage.perEvent'),
      value: size === null ? NONE : formatBytes(Math.round(size)),
      qualifier:
        per === undefined ? t('archives.notMeasured') : t('archives.rawOf', { size: formatBytes(Math.round(per.raw)) }),
    },
  ];
}
