import { Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fromQuery } from '../../platform/api/data-source.ts';
import { formatBytes, formatCount, NONE } from '../../platform/format/format.ts';
import { dateAndTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { FactLines } from '../../ui/display/fact-lines.tsx';
import { ErrorState, useSpan } from '../../ui/feedback/states.tsx';
import { refusalOf } from './refusal.ts';
import { RefusalNote } from './refusal-note.tsx';
import { freedBytes } from './storage/storage-view.ts';
import type { usePreview } from './use-archives.ts';
import type { Maintenance } from './wire.ts';

interface PreviewProps {
  readonly cutoffMs: number;
  readonly maintenance: Maintenance;
  readonly query: ReturnType<typeof usePreview>;
  /** Undefined while this cutoff is being counted. */
  readonly known: ReturnType<typeof usePreview>['data'];
  readonly invalid: boolean;
  readonly busy: boolean;
  readonly onCreate: (cutoffMs: number) => void;
}

/** What is older than the cutoff, and the button that creates a run. */
export function CutoffPreview({ cutoffMs, maintenance, query, known, invalid, busy, onCreate }: PreviewProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const span = useSpan();
  const [asking, setAsking] = useState(false);
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
    [t('archives.freed'), shown(freed === null ? NONE : formatBytes(freed))],
  ];
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
        <Button
          kind="primary"
          disabled={invalid || known === undefined || count === 0 || busy}
          aria-busy={busy}
          onClick={() => setAsking(true)}
        >
          {t('archives.createRun')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('archives.createTitle')}
        confirmLabel={t('archives.createRun')}
        onConfirm={() => onCreate(cutoffMs)}
      >
        <p>{t('archives.createText', { events: formatCount(count), cutoff: time(cutoffMs) })}</p>
        <p style={{ marginTop: 12 }}>{t('archives.createNote')}</p>
      </ConfirmDialog>
    </>
  );
}
