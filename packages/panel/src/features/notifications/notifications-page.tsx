import type { NotificationSettings, NotificationTarget } from '@manager/core/contract/notifications/targets';
import { useState } from 'react';
import { fromQuery, mapSource } from '../../platform/api/data-source.ts';
import { useAddress, useAddressHref } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SourceView } from '../../ui/feedback/source-view.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { LogPanel } from './log-panel.tsx';
import { useNotificationLog, useNotifications, useRefreshNotifications, useTestTarget } from './notification-calls.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { TargetDialog } from './target-dialog.tsx';
import { TargetsPanel } from './targets-panel.tsx';

const NEW = 'new';

/** The target whose dialog is open, by its id; `new` for one that is added. */
const ADDRESS = {
  read: (url: UrlSearch) => ({ target: url.target?.[0] ?? '' }),
  write: ({ target }: { readonly target: string }, { target: _, ...others }: UrlSearch): UrlSearch =>
    target === '' ? others : { ...others, target: [target] },
};

/** Who hears of what, and what was sent. */
export function NotificationsPage() {
  const { t } = useText();
  const { search, change } = useAddress(ADDRESS);
  const hrefTo = useAddressHref(ADDRESS);
  const list = useNotifications();
  const refresh = useRefreshNotifications();
  const source = fromQuery(list);
  const items = list.data?.items ?? [];
  const open = items.find(({ id }) => id === search.target) ?? null;
  const isNew = search.target === NEW;
  const add = () => change({ target: NEW });
  const close = () => change({ target: '' });
  return (
    <Page
      title={t('nav.notifications')}
      state={<CollectorStatus />}
      refresh={{ busy: list.isFetching, onRefresh: refresh }}
    >
      <SourceView
        source={source}
        loading={<div className="skeleton" style={{ height: 40 }} />}
        errorTitle={t('notifications.loadFailed')}
        unsupported={{ title: t('notifications.old'), text: t('automation.oldText') }}
      >
        {({ settings }) => (
          <>
            {items.length === 0 ? (
              <Note
                tone="wait"
                fact={t('notifications.none')}
                action={
                  <Button kind="primary" onClick={add}>
                    {t('notifications.add')}
                  </Button>
                }
              >
                {t('notifications.noneText')}
              </Note>
            ) : (
              <Targets
                source={mapSource(source, (data) => data.items)}
                onAdd={add}
                href={({ id }) => hrefTo({ target: id })}
                onOpen={({ id }) => change({ target: id })}
              />
            )}
            <Details hasTargets={items.length > 0} settings={settings} />
          </>
        )}
      </SourceView>
      {list.data !== undefined && <TargetDialog opened={isNew || open !== null} stored={open} onClose={close} />}
    </Page>
  );
}

interface DetailsProps {
  readonly hasTargets: boolean;
  readonly settings: NotificationSettings;
}

/** Limits and what was sent; nothing before the first target. */
function Details({ hasTargets, settings }: DetailsProps) {
  const { data } = useNotificationLog();
  if (!hasTargets && !data?.items.length) return null;
  return (
    <>
      <SettingsPanel stored={settings} />
      <LogPanel />
    </>
  );
}

interface TargetsProps {
  readonly source: Parameters<typeof TargetsPanel>[0]['source'];
  readonly onAdd: () => void;
  readonly href: (target: NotificationTarget) => string;
  readonly onOpen: (target: NotificationTarget) => void;
}

/** The targets, with the result of the last test above them. */
function Targets({ source, onAdd, href, onOpen }: TargetsProps) {
  const { t } = useText();
  const masker = useMasker();
  const test = useTestTarget();
  const [tested, setTested] = useState<NotificationTarget | null>(null);
  const name = tested === null ? '' : shown(tested.name);
  const failure = failureText(test.error);
  const { data } = test;
  const answer = data === undefined ? '' : shown(masker.text(data.answer));
  const start = (target: NotificationTarget) => {
    setTested(target);
    test.mutate(target.id);
  };
  return (
    <>
      {data !== undefined && (
        <Note
          tone={data.sent ? 'ok' : 'bad'}
          fact={t(data.sent ? 'notifications.testSent' : 'notifications.testFailed', { name })}
          onDismiss={test.reset}
        >
          {data.status === null ? answer : t('notifications.testAnswer', { status: data.status, answer })}
        </Note>
      )}
      {test.error !== null && (
        <Note tone="bad" fact={t('notifications.testFailed', { name })} onDismiss={test.reset}>
          {t(failure.key, failure.values)}
        </Note>
      )}
      <TargetsPanel
        source={source}
        testing={test.isPending ? (tested?.id ?? null) : null}
        onAdd={onAdd}
        href={href}
        onOpen={onOpen}
        onTest={start}
      />
    </>
  );
}
