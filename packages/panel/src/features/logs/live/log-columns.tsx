import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UrlSearch } from '../../../platform/browser/url-search.ts';
import { formatDuration } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime, shortTime } from '../../../platform/format/time.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status, type StatusTone } from '../../../ui/display/status.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { FoundText } from '../../../ui/logs/found-text.tsx';
import type { ColumnSize } from '../../../ui/table/columns.ts';
import { instantOfStamp } from './log-buffer.ts';
import type { LogHead } from './log-line.ts';

/** What the cells of all rows need. */
export interface LineContext {
  readonly t: Translate;
  readonly locale: string;
  readonly zone: string;
  readonly masker: Masker;
  readonly offsetMs: number | null;
  readonly nowMs: number;
  /** What is searched for, to mark it. */
  readonly found: string;
  /** The manager knows the events of requests. */
  readonly managed: boolean;
  readonly onRequest: (id: string) => void;
}

export interface LineColumn extends ColumnSize {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly right?: boolean;
  readonly cell: (head: LogHead) => ReactNode;
  readonly title?: (head: LogHead) => string | undefined;
}

/** Characters of a message in one row. */
const MAX_MESSAGE = 500;
const MAX_TITLE = 2_000;
const HOUR_MS = 3_600_000;

const LEVEL_TONES: Readonly<Record<string, StatusTone>> = { warn: 'warn', error: 'bad', fatal: 'bad', panic: 'bad' };

/** Color of a row; null = none. */
export const toneOf = (head: LogHead | null): StatusTone | null => LEVEL_TONES[head?.level ?? ''] ?? null;

const statusTone = (status: number): StatusTone => (status >= 400 ? (status === 499 ? 'off' : 'bad') : 'okQuiet');

/** Requests around the time of a line, searched by id. */
export function eventSearch(id: string, atMs: number | null): UrlSearch {
  if (atMs === null) return { range: ['all'], search: [id] };
  return {
    range: ['custom'],
    // The line is written at the end of a request, which may have begun long before.
    from_ms: [String(atMs - 6 * HOUR_MS)],
    to_ms: [String(atMs + HOUR_MS)],
    search: [id],
  };
}

const textOf = (head: LogHead): string =>
  head.access === null ? head.message : [head.access.path, head.access.error].filter(Boolean).join(' · ');

export function lineColumns(context: LineContext): readonly LineColumn[] {
  const { t, masker, zone, locale, offsetMs, nowMs, found } = context;
  return [
    {
      id: 'time',
      label: t('logs.time'),
      hint: offsetMs === null ? t('logs.timeOfGateway') : t('logs.timeIn', { zone }),
      width: 132,
      cell: ({ stamp }) => {
        const atMs = instantOfStamp(stamp, offsetMs);
        return atMs === null ? stamp.slice(5) : shortTime(atMs, nowMs, zone, locale);
      },
      title: ({ stamp }) => {
        const atMs = instantOfStamp(stamp, offsetMs);
        const own = t('logs.stamp', { stamp });
        return atMs === null ? own : `${dateAndTime(atMs, zone, locale, true)} ${zone} · ${own}`;
      },
    },
    {
      id: 'level',
      label: t('logs.level'),
      width: 72,
      cell: ({ level }) => {
        const tone = LEVEL_TONES[level];
        if (tone !== undefined) return <Status tone={tone}>{level}</Status>;
        return <span className={level === 'info' ? 'ink-2' : 'ink-3'}>{level}</span>;
      },
    },
    {
      id: 'status',
      label: t('filter.status'),
      width: 68,
      cell: ({ access }) => access !== null && <Status tone={statusTone(access.status)}>{access.status}</Status>,
    },
    { id: 'method', label: t('logs.method'), width: 72, cell: ({ access }) => access?.method ?? '' },
    {
      id: 'message',
      label: t('logs.message'),
      width: null,
      minWidth: 260,
      cell: (head) => <FoundText text={shown(masker.log(textOf(head)), MAX_MESSAGE)} found={found} />,
      title: (head) => shown(masker.log(textOf(head)), MAX_TITLE),
    },
    {
      id: 'latency',
      label: t('logs.latency'),
      width: 84,
      right: true,
      priority: 1,
      cell: ({ access }) => (access?.latencyMs == null ? '' : formatDuration(access.latencyMs)),
    },
    {
      id: 'ip',
      label: t('logs.ip'),
      width: 120,
      priority: 3,
      cell: ({ access }) => (access === null || access.ip === '' ? '' : masker.ip(access.ip)),
    },
    {
      id: 'source',
      label: t('logs.source'),
      width: 140,
      priority: 4,
      cell: ({ source }) => <span className="mono ink-3">{source}</span>,
      title: ({ source }) => source,
    },
    {
      id: 'request',
      label: t('logs.request'),
      width: 128,
      priority: 2,
      cell: (head) => head.requestId !== '' && <RequestCell id={head.requestId} stamp={head.stamp} context={context} />,
    },
  ];
}

function RequestCell({
  id,
  stamp,
  context,
}: {
  readonly id: string;
  readonly stamp: string;
  readonly context: LineContext;
}) {
  const { t } = context;
  return (
    <span className="row" style={{ gap: 0 }}>
      <span className="ellipsis">
        <RequestLink id={id} stamp={stamp} context={context} />
      </span>
      {context.managed && (
        <Button kind="quiet" square aria-label={t('logs.openLogOf', { id })} onClick={() => context.onRequest(id)}>
          <Icon name="logs" />
        </Button>
      )}
    </span>
  );
}

/** To the event of a line, or where there is no manager to the log of its request. */
export function RequestLink({
  id,
  stamp,
  context,
}: {
  readonly id: string;
  readonly stamp: string;
  readonly context: LineContext;
}) {
  const { t } = context;
  if (!context.managed) {
    return (
      <Link
        to="/logs"
        search={(before: UrlSearch) => ({ ...before, tab: ['errors'], request: [id] })}
        className="link mono"
        title={t('logs.openLogOf', { id })}
      >
        {id}
      </Link>
    );
  }
  return (
    <Link
      to="/monitoring"
      search={eventSearch(id, instantOfStamp(stamp, context.offsetMs))}
      className="link mono"
      title={t('logs.openEventOf', { id })}
    >
      {id}
    </Link>
  );
}
