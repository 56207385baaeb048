import { formatBytes, formatCount, NONE } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { isoWithOffset, shortTime } from '../../../platform/format/time.ts';
import type { TextKey, Translate } from '../../../platform/i18n/index.ts';
import { Status } from '../../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import { percentOf } from '../upload/rate.ts';
import type { UploadSession } from '../upload/session.ts';
import { isIdle, statusWord } from './session-view.ts';

export interface SessionCellContext {
  readonly t: Translate;
  readonly span: (ms: number) => string;
  readonly locale: string;
  readonly zone: string;
  readonly masker: Masker;
  /** Server time, ms. */
  readonly now: () => number;
}

/** A status of a later version is shown unchanged. */
function SessionStatus({ session, t }: { readonly session: UploadSession; readonly t: Translate }) {
  const word = statusWord(session);
  return <Status tone={word?.tone ?? 'unknown'}>{word === null ? session.status : t(word.label)}</Status>;
}

/** How long a stalled upload has been quiet; '' for all others. */
export function idleText(session: UploadSession, { t, span, now }: SessionCellContext): string {
  const nowMs = now();
  return isIdle(session, nowMs) ? t('transfer.idle', { span: span(nowMs - session.updated_at_ms) }) : '';
}

export function sessionColumns(context: SessionCellContext): readonly TableColumn<UploadSession>[] {
  const { t, locale, zone, masker, now } = context;
  const time = (ms: number) => shortTime(ms, now(), zone, locale);
  const number = (
    id: string,
    label: TextKey,
    width: number,
    priority: number,
    value: (result: NonNullable<UploadSession['result']>) => number,
  ): TableColumn<UploadSession> => ({
    id,
    label: t(label),
    width,
    right: true,
    priority,
    cell: ({ result }) => (result === undefined ? NONE : formatCount(value(result))),
  });
  return [
    {
      id: 'updated',
      label: t('transfer.updated'),
      width: 140,
      cell: (session) => time(session.updated_at_ms),
      title: (session) => isoWithOffset(session.updated_at_ms, zone),
    },
    {
      id: 'status',
      label: t('filter.status'),
      width: 116,
      cell: (session) => <SessionStatus session={session} t={t} />,
    },
    {
      id: 'file',
      label: t('transfer.file'),
      width: null,
      minWidth: 160,
      cell: (session) => {
        const idle = idleText(session, context);
        return (
          <span className={idle === '' ? undefined : 'ink-3'}>
            {masker.file(session.filename)}
            {idle !== '' && ` · ${idle}`}
          </span>
        );
      },
      title: (session) => masker.file(session.filename),
    },
    {
      id: 'size',
      label: t('transfer.size'),
      width: 92,
      right: true,
      cell: ({ size_bytes }) => formatBytes(size_bytes),
    },
    {
      id: 'received',
      label: t('transfer.received'),
      width: 80,
      right: true,
      priority: 1,
      cell: ({ received_bytes, size_bytes }) => `${percentOf(received_bytes, size_bytes)}%`,
    },
    number('added', 'importResult.added', 96, 2, ({ added }) => added),
    number('skipped', 'importResult.skipped', 96, 3, ({ skipped }) => skipped),
    {
      ...number('failed', 'importResult.failed', 80, 4, ({ failed }) => failed),
      cell: ({ result }) =>
        result === undefined ? (
          NONE
        ) : (
          <span className={result.failed > 0 ? 'tone-bad' : undefined}>{formatCount(result.failed)}</span>
        ),
    },
    {
      id: 'expires',
      label: t('transfer.expires'),
      width: 140,
      priority: 5,
      cell: (session) => time(session.expires_at_ms),
      title: (session) => isoWithOffset(session.expires_at_ms, zone),
    },
  ];
}

/** Time and status | file | how much, or the result. */
export function sessionNarrow(session: UploadSession, context: SessionCellContext): NarrowRow {
  const { t, locale, zone, masker, now } = context;
  const { received_bytes, size_bytes, result } = session;
  return {
    main: masker.file(session.filename),
    mainBelow: <SessionStatus session={session} t={t} />,
    value:
      result === undefined
        ? `${percentOf(received_bytes, size_bytes)}%`
        : t('transfer.addedShort', { added: formatCount(result.added) }),
    valueBelow: idleText(session, context) || shortTime(session.updated_at_ms, now(), zone, locale),
  };
}
