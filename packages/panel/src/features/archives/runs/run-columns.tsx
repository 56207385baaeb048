import { formatBytes, formatCount, NONE } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { datedDay, isoWithOffset, shortTime } from '../../../platform/format/time.ts';
import type { TextKey, Translate } from '../../../platform/i18n/index.ts';
import { Status } from '../../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import type { Run } from '../wire.ts';
import { statusWord } from './run-view.ts';

export interface RunCellContext {
  readonly t: Translate;
  readonly locale: string;
  readonly zone: string;
  /** Server time, ms. */
  readonly now: () => number;
}

const MODE_WORDS: Readonly<Record<string, TextKey>> = {
  manual: 'archives.manual',
  retention: 'archives.byRetention',
};

/** A mode of a later version is shown unchanged. */
export function modeText(mode: string, t: Translate): string {
  const word = MODE_WORDS[mode];
  return word === undefined ? shown(mode) : t(word);
}

/** A status of a later version is shown unchanged. */
export function RunStatus({
  run,
  t,
  pill = false,
}: {
  readonly run: Run;
  readonly t: Translate;
  readonly pill?: boolean;
}) {
  const word = statusWord(run);
  return (
    <Status tone={word?.tone ?? 'unknown'} pill={pill}>
      {word === null ? shown(run.status) : t(word.label)}
    </Status>
  );
}

const known = (ms: number | undefined): number | null => (ms === undefined || ms <= 0 ? null : ms);

export function runColumns({ t, locale, zone, now }: RunCellContext): readonly TableColumn<Run>[] {
  const time = (
    id: string,
    label: TextKey,
    value: (run: Run) => number | undefined,
    priority?: number,
  ): TableColumn<Run> => ({
    id,
    label: t(label),
    width: 140,
    ...(priority === undefined ? {} : { priority }),
    cell: (run) => shortTime(known(value(run)), now(), zone, locale),
    title: (run) => {
      const ms = known(value(run));
      return ms === null ? undefined : isoWithOffset(ms, zone);
    },
    exported: (run) => {
      const ms = known(value(run));
      return ms === null ? null : isoWithOffset(ms, zone);
    },
  });
  const count = (id: string, label: TextKey, value: (run: Run) => number, priority?: number): TableColumn<Run> => ({
    id,
    label: t(label),
    width: 104,
    right: true,
    ...(priority === undefined ? {} : { priority }),
    cell: (run) => formatCount(value(run)),
    exported: value,
  });
  const size = (id: string, label: TextKey, value: (run: Run) => number, priority: number): TableColumn<Run> => ({
    ...count(id, label, value, priority),
    // Nothing is written yet.
    cell: (run) => (run.archived_event_count > 0 ? formatBytes(value(run)) : NONE),
  });
  return [
    time('created', 'archives.created', (run) => run.created_at_ms),
    {
      id: 'status',
      label: t('filter.status'),
      width: 128,
      cell: (run) => <RunStatus run={run} t={t} />,
      exported: (run) => run.status,
    },
    {
      id: 'mode',
      label: t('archives.mode'),
      width: 104,
      priority: 4,
      cell: (run) => modeText(run.mode, t),
      exported: (run) => run.mode,
    },
    {
      ...time('cutoff', 'archives.cutoff', (run) => run.cutoff_timestamp_ms),
      width: null,
      minWidth: 140,
      cell: (run) => datedDay(run.cutoff_timestamp_ms, zone, locale),
    },
    count('events', 'archives.events', (run) => run.event_count),
    count('archived', 'archives.archivedShort', (run) => run.archived_event_count, 2),
    count('deleted', 'archives.deletedShort', (run) => run.deleted_event_count, 1),
    size('uncompressed', 'archives.uncompressed', (run) => run.archived_uncompressed_bytes, 6),
    size('compressed', 'archives.compressed', (run) => run.archived_compressed_bytes, 3),
    time('completed', 'archives.completed', (run) => run.completed_at_ms, 5),
    {
      id: 'id',
      label: t('archives.id'),
      width: 92,
      priority: 7,
      cell: (run) => <span className="mono">{run.id.slice(0, 8)}</span>,
      title: (run) => run.id,
      exported: (run) => run.id,
    },
  ];
}

/** What and in which status | how much. */
export function runNarrow(run: Run, { t, locale, zone, now }: RunCellContext): NarrowRow {
  return {
    main: t('archives.beforeDay', { day: datedDay(run.cutoff_timestamp_ms, zone, locale) }),
    mainBelow: <RunStatus run={run} t={t} />,
    value: formatCount(run.event_count),
    valueBelow: shortTime(run.created_at_ms, now(), zone, locale),
  };
}
