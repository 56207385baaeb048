import { Stack } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { useMode } from '../../platform/api/services.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useText } from '../../platform/i18n/index.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { TabLinks } from '../../ui/controls/tabs.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { ErrorState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { AutomationPanel } from './automation-panel.tsx';
import { CollectorPanel } from './collector-panel.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { CooldownsPanel } from './cooldowns-panel.tsx';
import { InspectionPanel } from './inspection-panel.tsx';
import { PrivacyPanel } from './privacy-panel.tsx';
import { SaveFoot } from './save-foot.tsx';
import { SaveQuestions } from './save-questions.tsx';
import { FORM_TABS, readTab, type SettingsTab, TAB_LABELS, tabsOf } from './settings-search.ts';
import { type SettingsFormState, useSettingsForm } from './use-settings-form.ts';
import { ViewerLinksPanel } from './viewer-links/viewer-links-panel.tsx';

export function SettingsPage() {
  const { t } = useText();
  const url: UrlSearch = useSearch({ strict: false });
  const mode = useMode();
  const tab = readTab(url.tab?.[0], mode);
  const navigate = useNavigate();
  const settings = useSettingsForm(() => {
    // The problem is fixed, so its note is removed.
    void navigate({ to: '.', search: ({ upstream: _, ...others }: UrlSearch) => others, replace: true });
  });
  const { question } = useLeaveQuestion(settings.dirty.length > 0);
  useSaveKey(settings.submit);
  return (
    <Page title={t('nav.settings')} narrow tabs={<Tabs tab={tab} dirty={settings.dirty} />} state={<CollectorStatus />}>
      {url.upstream?.[0] === 'failed' && (
        <Note tone="bad" fact={t('settings.upstreamFact')}>
          {t('settings.upstreamText')}
        </Note>
      )}
      {FORM_TABS.has(tab) && <ManagerSettings tab={tab} settings={settings} />}
      {tab === 'automation' && (
        <>
          <AutomationPanel />
          <CooldownsPanel />
        </>
      )}
      {tab === 'viewers' && <ViewerLinksPanel />}
      {tab === 'appearance' && <AppearancePanel />}
      {tab === 'privacy' && <PrivacyPanel />}
      <SaveQuestions settings={settings} />
      {question}
    </Page>
  );
}

/** Ctrl S saves all tabs, and never the page itself. */
function useSaveKey(save: () => void): void {
  const current = useRef(save);
  useEffect(() => {
    current.current = save;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Part of the address, so that a tab can be linked; a tab with unsaved changes is marked. */
function Tabs({ tab, dirty }: { readonly tab: SettingsTab; readonly dirty: readonly SettingsTab[] }) {
  const { t } = useText();
  const tabs = tabsOf(useMode());
  return (
    <TabLinks label={t('settings.parts')} chosen={tab} className="settings-tabs">
      {tabs.map((name) => (
        <Link
          key={name}
          to="."
          search={(before: UrlSearch) => {
            const { tab: _, ...others } = before;
            return name === tabs[0] ? others : { ...others, tab: [name] };
          }}
          className="tab"
          // The link compares addresses; the first tab has two.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={name === tab ? 'page' : undefined}
        >
          {t(TAB_LABELS[name])}
          {dirty.includes(name) && (
            <>
              <span className="settings-dot" aria-hidden="true" />
              <span className="visually-hidden">{t('settings.unsaved')}</span>
            </>
          )}
        </Link>
      ))}
    </TabLinks>
  );
}

interface ManagerSettingsProps {
  readonly tab: SettingsTab;
  readonly settings: SettingsFormState;
}

function ManagerSettings({ tab, settings }: ManagerSettingsProps) {
  const { t } = useText();
  const { config, form } = settings;
  if (form === null || config.data === undefined) {
    return (
      <section className="panel" aria-busy={config.error === null}>
        <div className="panel-head">
          <h2>{t(TAB_LABELS[tab])}</h2>
        </div>
        {config.error === null ? (
          <div className="panel-body">
            {[240, 320, 200].map((width) => (
              <div key={width} className="skeleton" style={{ width, margin: '8px 0 16px' }} />
            ))}
          </div>
        ) : (
          <ErrorState title={t('settings.loadFailed')} error={config.error} onRetry={() => void config.refetch()} />
        )}
      </section>
    );
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    settings.submit();
  };
  const locked = config.data.source === 'env';
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {locked && tab !== 'inspection' && (
          <Note tone="wait" fact={t('settings.lockedFact')}>
            {t('settings.lockedText')}
          </Note>
        )}
        <section className="panel" aria-label={t(TAB_LABELS[tab])}>
          {tab === 'connection' && (
            <ConnectionPanel config={config.data} form={form} locked={locked} onChange={settings.edit} />
          )}
          {tab === 'collector' && (
            <CollectorPanel config={config.data} form={form} locked={locked} onChange={settings.edit} />
          )}
          {tab === 'inspection' && <InspectionPanel form={form.inspection} onChange={settings.editInspection} />}
          <SaveFoot settings={settings} />
        </section>
      </Stack>
    </form>
  );
}
