import type { ArchiveSegment } from '@manager/core/contract/archives/runs';
import { Box } from '@mantine/core';
import { useMemo } from 'react';
import { formatBytes, formatCount } from '../../../platform/format/format.ts';
import { dateAndTime, isoWithOffset } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { FactLines } from '../../../ui/display/fact-lines.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import type { Run } from '../wire.ts';
import { sumSegments } from './run-view.ts';

/** Height of the rows that fit before the table scrolls in its own box, px. */
const BOX_HEIGHT = 320;
const MANY = 10;

/** The files of a run, and the totals of their manifest. The panel shows neither names nor checksums. */
export function SegmentsSection({
  run,
  segments,
}: {
  readonly run: Run;
  readonly segments: readonly ArchiveSegment[];
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const columns = useMemo(
    (): readonly TableColumn<ArchiveSegment>[] => [
      { id: 'sequence', label: t('archives.file'), width: 52, cell: ({ sequence }) => `#${sequence}` },
      {
        id: 'status',
        label: t('filter.status'),
        width: 108,
        cell: ({ status }) => <SegmentStatus status={status} />,
        title: ({ verified_at_ms }) => (verified_at_ms === undefined ? undefined : isoWithOffset(verified_at_ms, zone)),
      },
      {
        id: 'events',
        label: t('archives.events'),
        width: 80,
        right: true,
        cell: ({ event_count }) => formatCount(event_count),
        title: ({ first_event_id, last_event_id }) =>
          t('archives.ids', { first: formatCount(first_event_id), last: formatCount(last_event_id) }),
      },
      {
        id: 'from',
        label: t('archives.oldest'),
        width: null,
        minWidth: 120,
        cell: ({ min_timestamp_ms }) => dateAndTime(min_timestamp_ms, zone, locale),
        title: ({ min_timestamp_ms, max_timestamp_ms }) =>
          `${isoWithOffset(min_timestamp_ms, zone)} – ${isoWithOffset(max_timestamp_ms, zone)}`,
      },
      {
        id: 'size',
        label: t('archives.compressed'),
        width: 92,
        right: true,
        cell: ({ compressed_bytes }) => formatBytes(compressed_bytes),
        title: ({ uncompressed_bytes }) => t('archives.uncompressedIs', { size: formatBytes(uncompressed_bytes) }),
      },
    ],
    [t, zone, locale],
  );
  const sums = sumSegments(segments);
  if (sums === null) {
    return (
      <section aria-label={t('archives.files')}>
        <h2>{t('archives.files')}</h2>
        <p className="ink-2">{t('archives.noFiles')}</p>
      </section>
    );
  }
  const facts: readonly (readonly [string, string])[] = [
    [t('archives.files'), t('archives.filesVerified', { count: sums.count, verified: formatCount(sums.verified) })],
    [
      t('archives.times'),
      `${dateAndTime(sums.minTimestampMs, zone, locale, true)} – ${dateAndTime(sums.maxTimestampMs, zone, locale, true)}`,
    ],
    [
      t('archives.eventIds'),
      t('archives.ids', { first: formatCount(sums.firstEventId), last: formatCount(sums.lastEventId) }),
    ],
    [
      t('archives.manifest'),
      run.archived_at_ms === undefined
        ? t('archives.manifestOpen')
        : dateAndTime(run.archived_at_ms, zone, locale, true),
    ],
  ];
  return (
    <section aria-label={t('archives.files')}>
      <h2>{t('archives.files')}</h2>
      <dl className="definitions">
        <FactLines facts={facts} />
      </dl>
      <Box mt="sm">
        <DataTable
          label={t('archives.files')}
          columns={columns}
          rows={segments}
          rowKey={({ sequence }) => String(sequence)}
          rowName={({ sequence }) => `#${sequence}`}
          narrow={(segment) => ({
            main: `#${segment.sequence} · ${formatCount(segment.event_count)}`,
            mainBelow: <SegmentStatus status={segment.status} />,
            value: formatBytes(segment.compressed_bytes),
            valueBelow: dateAndTime(segment.min_timestamp_ms, zone, locale),
          })}
          {...(segments.length > MANY ? { maxHeight: BOX_HEIGHT } : {})}
        />
      </Box>
    </section>
  );
}

/** A status of a later version is shown unchanged. */
function SegmentStatus({ status }: { readonly status: string }) {
  const { t } = useText();
  if (status === 'verified') return <Status tone="ok">{t('archiveStatus.verified')}</Status>;
  return <Status tone="unknown">{status === 'published' ? t('archives.written') : status}</Status>;
}
