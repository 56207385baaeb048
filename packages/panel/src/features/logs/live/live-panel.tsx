import { Menu } from '@mantine/core';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { fromQuery } from '../../../platform/api/data-source.ts';
import { useManaged, useServices } from '../../../platform/api/services.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { setPreferences, usePreferences, useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx';
import { HeadHint } from '../../../ui/display/head-hint.tsx';
import { Marked } from '../../../ui/display/marked.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { SourceAge, SourceView } from '../../../ui/feedback/source-view.tsx';
import { EmptyState, failureText, UnsupportedState } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { SkeletonRows } from '../../../ui/table/skeleton-rows.tsx';
import { usePhone } from '../../../ui/use-phone.ts';
import { clearLog, isLoggingOff, logToFile } from '../logs-api.ts';
import type { LogsSearch } from '../logs-search.ts';
import { type LogBuffer, type LogEntry, MAX_LINES } from './log-buffer.ts';
import type { LineContext } from './log-columns.tsx';
import { filterOf } from './log-filter.ts';
import { maskedLines } from './log-heights.ts';
import { LogRows } from './log-rows.tsx';
import { canLoadOlder } from './next-buffer.ts';
import { saveLog, saveWholeLog } from './save-log.ts';
import type { useLogFeed } from './use-log-feed.ts';

interface LivePanelProps {
  readonly feed: ReturnType<typeof useLogFeed>;
  readonly search: LogsSearch;
  /** The search, in the address or not. */
  readonly text: string;
  readonly paused: boolean;
  readonly onChange: (next: Partial<LogsSearch>) => void;
  readonly onClearFilters: () => void;
}

const NO_ENTRIES: readonly LogEntry[] = [];

/** The newest lines of the gateway's log. */
export function LivePanel({ feed, search, text, paused, onChange, onClearFilters }: LivePanelProps) {
  const { t, locale } = useText();
  const { client } = useServices();
  const masker = useMasker();
  const zone = useTimeZone();
  const managed = useManaged();
  const phone = usePhone();
  const { logWrap } = usePreferences();
  const [following, setFollowing] = useState(true);
  const [maximized, setMaximized] = useState(false);
  const [clearing, setClearing] = useState(false);
  const [saving, setSaving] = useState(false);
  const [notSaved, setNotSaved] = useState<unknown>(null);
  const [copied, copy] = useCopied();
  const { query, loadOlder, restart } = feed;
  const buffer = query.data;
  const source = fromQuery(query);
  const { levels, methods, statusClasses, path, hideManagement } = search;
  // The letter is drawn before 10,000 lines are searched for it.
  const found = useDeferredValue(text);
  const passes = useMemo(
    () => filterOf({ text: found, levels, methods, statusClasses, path, hideManagement }),
    [found, levels, methods, statusClasses, path, hideManagement],
  );
  const entries = useMemo(() => buffer?.entries.filter(passes) ?? NO_ENTRIES, [buffer, passes]);
  const newest = entries.at(-1)?.id ?? 0;
  // Lines that arrived since the reader left the end.
  const left = useRef(newest);
  useEffect(() => {
    if (following) left.current = newest;
  });
  const arrived = following ? 0 : entries.length - 1 - entries.findLastIndex(({ id }) => id <= left.current);

  const copyEntry = useCallback((entry: LogEntry) => copy(maskedLines(entry, masker.log).join('\n')), [copy, masker]);
  const onRequest = useCallback((request: string) => onChange({ tab: 'errors', request, file: '' }), [onChange]);
  const offsetMs = buffer?.offsetMs ?? null;
  const atMs = source.atMs ?? 0;
  const context = useMemo(
    (): LineContext => ({ t, locale, zone, masker, offsetMs, nowMs: atMs, found, managed, onRequest }),
    [t, locale, zone, masker, offsetMs, atMs, found, managed, onRequest],
  );
  const save = (work: Promise<void>) => {
    setSaving(true);
    setNotSaved(null);
    void work.catch(setNotSaved).finally(() => setSaving(false));
  };
  const failure = failureText(notSaved);
  const raw = search.raw || phone;
  const follow = () => setFollowing(true);
  const restore = () => setMaximized(false);
  useShortcuts({
    End: follow,
    w: () => setPreferences({ logWrap: !logWrap }),
    y: () => {
      const key = document.activeElement?.closest('[data-row]')?.getAttribute('data-row');
      const entry = entries.find(({ id }) => String(id) === key);
      if (entry === undefined) return false;
      copyEntry(entry);
    },
    ...(maximized ? { Escape: restore } : {}),
  });

  if (isLoggingOff(query.error)) return <LoggingOff onDone={restart} />;
  const filtered = buffer !== undefined && entries.length === 0 && buffer.entries.length > 0;
  return (
    <section
      className="panel table-panel log-panel"
      aria-label={t('logs.live')}
      aria-busy={source.busy}
      {...(maximized ? { 'data-maximized': '' } : {})}
    >
      <div className="table-head">
        <h2>{t('logs.live')}</h2>
        <HeadHint>{buffer === undefined ? '' : countText(t, buffer, entries)}</HeadHint>
        {paused ? <Status tone="off">{t('logs.paused')}</Status> : <SourceAge source={source} />}
        <span role="status" className="small ink-2 nowrap">
          {copied ? t('logs.copied') : ''}
        </span>
        {notSaved !== null && (
          <span className="form-error" role="alert">
            {t('logs.notSaved')} {t(failure.key, failure.values)}
          </span>
        )}
        <span className="spacer" />
        {!phone && (
          <Button kind="quiet" aria-pressed={search.raw} onClick={() => onChange({ raw: !search.raw })}>
            {t('logs.raw')}
          </Button>
        )}
        {raw && !phone && (
          <Button kind="quiet" aria-pressed={logWrap} onClick={() => setPreferences({ logWrap: !logWrap })}>
            {t('log.wrap')}
          </Button>
        )}
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <Button kind="quiet" square aria-label={t('logs.download')} aria-busy={saving} disabled={saving}>
              <Icon name="download" />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t(masker.on ? 'logs.downloadMasked' : 'logs.downloadUnmasked')}</Menu.Label>
            <Menu.Item disabled={entries.length === 0} onClick={() => save(saveLog(entries, masker.log))}>
              {t('logs.downloadShown', { count: formatCount(linesIn(entries)) })}
            </Menu.Item>
            <Menu.Item
              disabled={buffer?.lineCount === 0}
              onClick={() => save(saveLog(buffer?.entries ?? NO_ENTRIES, masker.log))}
            >
              {t('logs.downloadAll', { count: formatCount(buffer?.lineCount ?? 0) })}
            </Menu.Item>
            <Menu.Item disabled={buffer?.lineCount === 0} onClick={() => save(saveWholeLog(client, masker.log))}>
              {t('logs.downloadWhole')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Button
          kind="quiet"
          square
          aria-pressed={maximized}
          aria-label={t(maximized ? 'logs.restore' : 'logs.maximize')}
          onClick={() => setMaximized(!maximized)}
        >
          <Icon name={maximized ? 'close' : 'maximize'} />
        </Button>
        <Button kind="quiet" disabled={buffer === undefined} onClick={() => setClearing(true)}>
          {t('logs.clear')}
        </Button>
      </div>
      <SourceView
        source={source}
        loading={<SkeletonRows count={12} />}
        errorTitle={t('logs.failed')}
        unsupported={{ title: t('logs.old'), text: t('logs.oldText') }}
      >
        {(loaded) =>
          loaded.entries.length === 0 ? (
            <EmptyState title={t('logs.none')} text={t('logs.noneText')} />
          ) : filtered && !canLoadOlder(loaded) ? (
            <EmptyState
              title={t('logs.noMatch')}
              text={t('logs.noMatchText', { count: formatCount(loaded.lineCount) })}
              action={<Button onClick={onClearFilters}>{t('filter.clear')}</Button>}
            />
          ) : (
            <LogRows
              label={t('logs.live')}
              entries={entries}
              divider={loaded.divider}
              raw={search.raw}
              context={context}
              following={following}
              onFollowing={setFollowing}
              onStart={loadOlder}
              onCopy={copyEntry}
            />
          )
        }
      </SourceView>
      {!following && entries.length > 0 && (
        <div className="log-follow">
          <Button kind={arrived > 0 ? 'primary' : 'default'} onClick={follow}>
            <Icon name="arrowDown" />
            {arrived > 0 ? t('logs.newLines', { count: arrived }) : t('logs.follow')}
          </Button>
        </div>
      )}
      {buffer !== undefined && buffer.entries.length > 0 && (
        <div className="table-foot ink-3">{startText(t, buffer, source.busy)}</div>
      )}
      <ConfirmDialog
        opened={clearing}
        onClose={() => setClearing(false)}
        title={t('logs.clearTitle')}
        confirmLabel={t('logs.clearNow')}
        danger
        onConfirm={async () => {
          await clearLog(client);
          setFollowing(true);
          await restart();
        }}
      >
        {t('logs.clearText')}
      </ConfirmDialog>
    </section>
  );
}

type Translate = LineContext['t'];

const linesIn = (entries: readonly LogEntry[]): number => entries.reduce((sum, { lines }) => sum + lines.length, 0);

function countText(t: Translate, buffer: LogBuffer, entries: readonly LogEntry[]): string {
  const all = formatCount(buffer.lineCount);
  return entries.length === buffer.entries.length
    ? t('logs.count', { count: buffer.lineCount, lines: all })
    : t('logs.countShown', { shown: formatCount(linesIn(entries)), count: all });
}

/** What is before the first line. */
function startText(t: Translate, buffer: LogBuffer, busy: boolean): string {
  if (buffer.whole) return t('logs.startsHere');
  if (!canLoadOlder(buffer)) return t('logs.full', { count: formatCount(MAX_LINES) });
  return t(busy ? 'logs.loading' : 'logs.scrollUp');
}

/** The gateway writes no log file: nothing to read until it does. */
function LoggingOff({ onDone }: { readonly onDone: LivePanelProps['feed']['restart'] }) {
  const { t } = useText();
  const { client } = useServices();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const failure = failureText(error);
  const turnOn = async () => {
    setBusy(true);
    setError(null);
    try {
      await logToFile(client);
      await onDone();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="panel" aria-label={t('logs.live')}>
      <UnsupportedState
        title={t('logs.off')}
        text={<Marked text={t('logs.offText')} />}
        action={
          <>
            <Button kind="primary" aria-busy={busy} disabled={busy} onClick={() => void turnOn()}>
              {t('logs.turnOn')}
            </Button>
            {error !== null && (
              <span className="form-error" role="alert">
                {t(failure.key, failure.values)}
              </span>
            )}
          </>
        }
      />
    </section>
  );
}
