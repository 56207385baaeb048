import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useAddress } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useHiddenText } from '../../platform/browser/use-hidden-text.ts';
import { timeOfDay } from '../../platform/format/time.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import {
  LOG_REFRESH_CHOICES,
  setPreferences,
  usePreferences,
  useTimeZone,
} from '../../platform/preferences/preferences.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceItems } from '../../ui/controls/choice-items.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { TabLinks } from '../../ui/controls/tabs.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { ErrorLogDrawer } from './errors/error-log-drawer.tsx';
import { ErrorsPanel, OpenByRequest } from './errors/errors-panel.tsx';
import { useErrorLogs } from './errors/use-error-logs.ts';
import { LiveFilterBar, NO_LOG_FILTER } from './live/filter-bar.tsx';
import { LivePanel } from './live/live-panel.tsx';
import { useLogFeed } from './live/use-log-feed.ts';
import { isRequestId, LOGS_ADDRESS, type LogsTab, readLogsSearch, TABS, writeLogsSearch } from './logs-search.ts';

/** The gateway's log, and the logs of single requests. */
export function LogsPage() {
  const { t } = useText();
  const { search, change } = useAddress(LOGS_ADDRESS);
  const { logRefreshSeconds } = usePreferences();
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const [paused, setPaused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const live = search.tab === 'live';
  const feed = useLogFeed({ enabled: live, intervalMs: paused ? 0 : logRefreshSeconds * 1000 });
  const logs = useErrorLogs(!live);
  const [text, onText, forgetText] = useHiddenText(search.text, (written) => change({ text: written }, true));
  const opened = search.file !== '' || search.request !== '';
  const close = () => change({ file: '', request: '' });

  const clearFilters = () => {
    forgetText();
    const { text: none, levels, methods, statusClasses, path, hideManagement } = NO_LOG_FILTER;
    change({ text: none, levels, methods, statusClasses, path, hideManagement });
  };
  const refresh = () => {
    if (live) void feed.query.refetch();
    else {
      void logs.files.refetch();
      void logs.everyRequest.refetch();
    }
  };
  useShortcuts({
    r: refresh,
    '/': () => input.current?.focus(),
    ...(live ? { p: () => setPaused(!paused) } : {}),
    ...(opened ? { Escape: close } : {}),
  });
  const stopped = paused || logRefreshSeconds === 0;
  return (
    <Page
      title={t('nav.logs')}
      state={<CollectorStatus />}
      actions={live && <RefreshMenu paused={paused} onPaused={setPaused} atMs={feed.query.dataUpdatedAt} />}
      refresh={{ busy: live ? feed.query.isFetching : logs.files.isFetching, onRefresh: refresh }}
      docked={docked}
      tabs={<Tabs tab={search.tab} />}
      drawer={
        opened && (
          <ErrorLogDrawer
            key={`${search.file} ${search.request}`}
            open={search}
            file={logs.files.data?.find(({ name }) => name === search.file) ?? null}
            docked={docked}
            onClose={close}
          />
        )
      }
    >
      {live ? (
        <>
          <LiveFilterBar
            search={search}
            onChange={change}
            text={text}
            onText={onText}
            input={input}
            refresh={<RefreshChoice />}
          />
          <LivePanel
            feed={feed}
            search={search}
            text={text}
            paused={stopped}
            onChange={change}
            onClearFilters={clearFilters}
          />
        </>
      ) : (
        <>
          <search className="filter-bar">
            <SearchField value={text} onChange={onText} placeholder={t('logs.searchFiles')} input={input} />
            <OpenByRequest
              onOpen={(request) => {
                const valid = isRequestId(request);
                if (valid) change({ request, file: '' });
                return valid;
              }}
            />
          </search>
          <ErrorsPanel
            logs={logs}
            text={text}
            openFile={search.file}
            onChange={change}
            onClearFilters={() => onText('')}
          />
        </>
      )}
    </Page>
  );
}

const TAB_LABELS: Readonly<Record<LogsTab, TextKey>> = { live: 'logs.live', errors: 'logs.errors' };

function Tabs({ tab }: { readonly tab: LogsTab }) {
  const { t } = useText();
  return (
    <TabLinks label={t('logs.tabs')} chosen={tab}>
      {TABS.map((name) => (
        <Link
          key={name}
          to="/logs"
          search={(before: UrlSearch) =>
            writeLogsSearch({ ...readLogsSearch(before), tab: name, file: '', request: '' }, before)
          }
          className="tab"
          // The router matches by path alone, which both tabs share.
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'aria-current': undefined }}
          {...(name === tab ? { 'aria-current': 'page' as const } : {})}
        >
          {t(TAB_LABELS[name])}
        </Link>
      ))}
    </TabLinks>
  );
}

/** How often the log is looked at, as radio buttons. */
function RefreshChoice() {
  const { t } = useText();
  const { logRefreshSeconds } = usePreferences();
  return (
    <div className="form-row">
      <span className="medium">{t('refresh.title')}</span>
      <Segmented
        label={t('refresh.title')}
        value={String(logRefreshSeconds)}
        options={LOG_REFRESH_CHOICES.map((seconds) => ({
          value: String(seconds),
          label: seconds === 0 ? t('refresh.off') : `${seconds} s`,
        }))}
        onChange={(seconds) => setPreferences({ logRefreshSeconds: Number(seconds) })}
      />
    </div>
  );
}

/** The same beside the button that pauses it. */
function RefreshMenu({
  paused,
  onPaused,
  atMs,
}: {
  readonly paused: boolean;
  readonly onPaused: (paused: boolean) => void;
  readonly atMs: number;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const { logRefreshSeconds } = usePreferences();
  const nameOf = (seconds: number) => (seconds === 0 ? t('refresh.off') : t('refresh.every', { seconds }));
  const shownText = `${paused ? t('logs.paused') : nameOf(logRefreshSeconds)} · ${timeOfDay(atMs, zone)}`;
  return (
    <>
      {logRefreshSeconds > 0 && (
        <Button onClick={() => onPaused(!paused)}>{t(paused ? 'logs.resume' : 'logs.pause')}</Button>
      )}
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <Button
            kind="quiet"
            className="ink-3"
            // The visible text is part of its name.
            aria-label={t('refresh.choose', { choice: shownText })}
            style={{ fontWeight: 400, padding: '0 4px' }}
          >
            {shownText}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ChoiceItems
            title={t('refresh.title')}
            value={String(logRefreshSeconds)}
            options={LOG_REFRESH_CHOICES.map((seconds) => ({ value: String(seconds), label: nameOf(seconds) }))}
            onChange={(seconds) => {
              onPaused(false);
              setPreferences({ logRefreshSeconds: Number(seconds) });
            }}
          />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
