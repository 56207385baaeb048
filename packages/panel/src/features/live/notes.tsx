import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useConfig, useHost, useStatus } from '../../api/queries.ts';
import { useNow } from '../../app/clock.ts';
import { useTimeZone } from '../../app/preferences.ts';
import { useServices } from '../../app/services.ts';
import { isRecord, readStored, writeStored } from '../../app/storage.ts';
import { useText } from '../../i18n/index.ts';
import { formatCount } from '../../ui/format.ts';
import { Marked } from '../../ui/marked.tsx';
import { Note } from '../../ui/note.tsx';
import { shortTime } from '../../ui/time.ts';
import { type StatusNote, statusNotes, versionsDiffer } from './status-notes.ts';

const DAY_MS = 86_400_000;
const SKEW_LIMIT_MS = 120_000;

/** Kinds that were dismissed, with the time until which they stay away. */
function useDismissed(nowMs: number): readonly [(kind: string) => boolean, (kind: string) => void] {
  const [until, setUntil] = useState<Readonly<Record<string, unknown>>>(() => {
    const stored = readStored('browser', 'dismissed');
    return isRecord(stored) ? stored : {};
  });
  return [
    (kind) => Number(until[kind] ?? 0) > nowMs,
    (kind) => {
      const kept = Object.entries(until).filter(([, time]) => Number(time) > nowMs);
      const next = { ...Object.fromEntries(kept), [kind]: nowMs + DAY_MS };
      setUntil(next);
      writeStored('browser', 'dismissed', next);
    },
  ];
}

/** Above the content, only when something is wrong; one line per kind, each with its fix. */
export function StatusNotes() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  const status = useStatus();
  const config = useConfig();
  const host = useHost();
  // To the minute: the notes need not be rendered every second.
  const nowMs = Math.floor(useNow() / 60_000) * 60_000;
  const [isDismissed, dismiss] = useDismissed(nowMs);

  const version = host.data?.kind === 'manager' ? host.data.info.version : '';
  const notes = status.data === undefined ? [] : statusNotes(status.data, config.data, nowMs);
  const skew = client.skewMs();
  const values = (note: StatusNote) => ({
    ...Object.fromEntries(Object.entries(note.counts ?? {}).map(([name, count]) => [name, formatCount(count)])),
    ...Object.fromEntries(
      Object.entries(note.times ?? {}).map(([name, time]) => [name, shortTime(time, nowMs, zone, locale)]),
    ),
  });
  return (
    <>
      {versionsDiffer(__PANEL_VERSION__, version) && (
        <Note tone="warn" fact={t('note.versionFact')}>
          <Marked text={t('note.versionText', { panel: __PANEL_VERSION__, server: version })} />
        </Note>
      )}
      {notes
        .filter((note) => note.dismissible !== true || !isDismissed(note.kind))
        .map((note) => (
          <Note
            key={note.kind}
            tone={note.tone}
            fact={t(note.fact, values(note))}
            onDismiss={note.dismissible === true ? () => dismiss(note.kind) : undefined}
            action={
              note.to !== undefined &&
              note.link !== undefined && (
                <Link to={note.to} search={{}} className="link">
                  {t(note.link)}
                </Link>
              )
            }
          >
            <Marked text={t(note.text, values(note))} />
            {note.counts?.lost !== undefined && ` ${t('note.estimatedLost', { lost: formatCount(note.counts.lost) })}`}
            {note.detail !== undefined && note.detail !== '' && <span className="mono ink-3"> {note.detail}</span>}
          </Note>
        ))}
      {Math.abs(skew) > SKEW_LIMIT_MS && !isDismissed('skew') && (
        <Note tone="warn" fact={t('note.skewFact')} onDismiss={() => dismiss('skew')}>
          {t('note.skewText', { minutes: Math.round(Math.abs(skew) / 60_000) })}
        </Note>
      )}
      {isInsecure() && !isDismissed('insecure') && (
        <Note tone="warn" fact={t('note.insecureFact')} onDismiss={() => dismiss('insecure')}>
          {t('note.insecureText')}
        </Note>
      )}
    </>
  );
}

/** Keys travel in clear on plain HTTP, unless the page is on this very machine. */
function isInsecure(): boolean {
  const { protocol, hostname } = window.location;
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
