import { Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { formatBytes, formatCount, NONE } from '../../platform/format/format.ts';
import { dateAndTime, dayRange } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { FactLines } from '../../ui/display/fact-lines.tsx';
import { ErrorState, useSpan } from '../../ui/feedback/states.tsx';
import { DeletionEffects } from './deletion-effects.tsx';
import { refusalOf } from './refusal.ts';
import { RefusalNote } from './refusal-note.tsx';
import { freedBytes } from './storage/storage-view.ts';
import type { usePreview } from './use-archives.ts';
import type { Maintenance, NewRun } from './wire.ts';

interface PreviewProps {
  readonly cutoffMs: number;
  readonly maintenance: Maintenance;
  readonly query: ReturnType<typeof usePreview>;
  /** Undefined while this cutoff is being counted. */
  readonly known: ReturnType<typeof usePreview>['data'];
  readonly invalid: boolean;
  readonly busy: boolean;
  readonly onCreate: (wanted: NewRun) => void;
}

/** What is older than the cutoff, and the button that creates a run. */
export function CutoffPreview({ cutoffMs, maintenance, query, known, invalid, busy, onCreate }: PreviewProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const span = useSpan();
  const [asking, setAsking] = useState<'delete' | 'steps' | null>(null);
  const time = (ms: number | undefined) => dateAndTime(ms, zone, locale, true);
  const source = fromQuery(query);
  if (!invalid && source.error !== null && known === undefined) {
    return refusalOf(source.error) === null ? (
      <ErrorState title={t('archives.previewFailed')} error={source.error} onRetry={source.retry} />
    ) : (
      <RefusalNote error={source.error} maintenance={maintenance} />
    );
  }
  const count = known?.event_count ?? 0;
  const freed = freedBytes(maintenance.storage.bytes_per_event, count);
  const block = <span className="skeleton" style={{ display: 'block', width: 120, margin: '4px 0' }} />;
  const shown = (value: ReactNode) => (invalid ? NONE : known === undefined ? block : value);
  const age = known?.min_timestamp_ms === undefined ? null : span(cutoffMs - known.min_timestamp_ms);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('archives.cutoff'), invalid ? NONE : time(cutoffMs)],
    [t('archives.events'), shown(formatCount(count))],
    [
      t('archives.oldest'),
      shown(
        <>
          {time(known?.min_timestamp_ms)}
          {age !== null && <span className="ink-3"> {t('archives.beforeCutoff', { span: age })}</span>}
        </>,
      ),
    ],
    [t('archives.newest'), shown(time(known?.max_timestamp_ms))],
    [t('archives.estimated'), shown(`${formatBytes(known?.estimated_bytes)}`)],
    ...(known?.estimated_file_bytes === undefined
      ? []
      : [[t('archives.estimatedFiles'), formatBytes(known.estimated_file_bytes)] as const]),
    [t('archives.freed'), shown(freed === null ? NONE : formatBytes(freed))],
  ];
  const ready = !invalid && known !== undefined && count > 0 && !busy;
  const none = !invalid && known !== undefined && count === 0;
  return (
    <>
      <dl className="definitions facts" aria-busy={known === undefined && !invalid}>
        <FactLines facts={facts} />
      </dl>
      <p className="small ink-3">{t('archives.estimatedHint')}</p>
      {none && (
        <p className="ink-2" role="status">
          {t('archives.nothingOlder')}
        </p>
      )}
      <Group>
        {maintenance.readiness.archive_delete_enabled && (
          <Button kind="danger" disabled={!ready} aria-busy={busy} onClick={() => setAsking('delete')}>
            {t('archives.deleteOlder')}
          </Button>
        )}
        <Button disabled={!ready} aria-busy={busy} onClick={() => setAsking('steps')}>
          {t('archives.createRun')}
        </Button>
      </Group>
      {maintenance.readiness.archive_delete_enabled && <p className="small ink-3">{t('archives.waysHint')}</p>}
      <ConfirmDialog
        opened={asking === 'steps'}
        onClose={() => setAsking(null)}
        title={t('archives.createTitle')}
        confirmLabel={t('archives.createRun')}
        onConfirm={() => onCreate({ cutoffMs, deleteCount: null })}
      >
        <p>{t('archives.createText', { events: formatCount(count), cutoff: time(cutoffMs) })}</p>
        <p style={{ marginTop: 12 }}>{t('archives.createNote')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={t('archives.deleteOlderTitle')}
        confirmLabel={t('archives.deleteOlderConfirm', { rows: formatCount(count) })}
        onConfirm={() => onCreate({ cutoffMs, deleteCount: count })}
        danger
        typedWord={String(count)}
        size="review"
      >
        <dl className="definitions facts">
          <FactLines
            facts={[
              [t('archives.rowsToDelete'), formatCount(count)],
              [
                t('archives.daysToDelete'),
                known?.min_timestamp_ms === undefined || known.max_timestamp_ms === undefined
                  ? NONE
                  : dayRange(known.min_timestamp_ms, known.max_timestamp_ms, zone, locale),
              ],
              [t('archives.strictlyBefore'), `${time(cutoffMs)} ${zone}`],
              [t('archives.freed'), freed === null ? NONE : formatBytes(freed)],
            ]}
          />
        </dl>
        <DeletionEffects />
        <p style={{ marginTop: 12 }}>{t('archives.deleteOlderNote')}</p>
      </ConfirmDialog>
    </>
  );
}
