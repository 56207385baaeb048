import { NOTIFICATION_LIMITS } from '@manager/core/contract/notifications/kinds';
import type { NotificationLogEntry } from '@manager/core/contract/notifications/targets';
import { useMemo } from 'react';
import { fromQuery, mapSource } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { shown } from '../../platform/format/shown.ts';
import { isoWithOffset, shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Status } from '../../ui/display/status.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { useNotificationLog } from './notification-calls.ts';
import { changesText } from './notification-words.ts';

const HEIGHT = 420;

/** What was sent, and what waits. */
export function LogPanel() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const { client } = useServices();
  const log = useNotificationLog();
  const columns = useMemo((): readonly TableColumn<NotificationLogEntry>[] => {
    // Titles may name accounts.
    const message = (row: NotificationLogEntry) => (masker.on || row.test ? changesText(row, t) : row.title);
    const answer = (row: NotificationLogEntry) => masker.text(row.answer);
    return [
      {
        id: 'time',
        label: t('notifications.time'),
        width: 124,
        cell: ({ createdAtMs }) => shortTime(createdAtMs, client.now(), zone, locale),
        title: ({ createdAtMs }) => isoWithOffset(createdAtMs, zone),
      },
      { id: 'status', label: t('notifications.state'), width: 104, cell: (row) => <LogState entry={row} /> },
      {
        id: 'target',
        label: t('notifications.target'),
        width: 140,
        priority: 1,
        cell: ({ targetName }) => shown(targetName),
        title: ({ targetName }) => targetName,
      },
      {
        id: 'message',
        label: t('notifications.message'),
        width: null,
        minWidth: 180,
        cell: (row) => shown(message(row)),
        title: message,
      },
      {
        id: 'attempts',
        label: t('notifications.attempts'),
        width: 76,
        right: true,
        priority: 3,
        cell: ({ attempts }) => attempts,
      },
      {
        id: 'answer',
        label: t('notifications.answer'),
        width: null,
        minWidth: 120,
        priority: 2,
        cell: (row) => shown(answer(row)),
        title: answer,
      },
    ];
  }, [t, locale, zone, masker, client]);
  return (
    <TablePanel
      title={t('notifications.log')}
      subtitle={t('notifications.logHint', { count: NOTIFICATION_LIMITS.log })}
      source={mapSource(fromQuery(log), ({ items }) => items)}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ targetName }) => targetName}
      narrow={(row) => ({
        lead: shortTime(row.createdAtMs, client.now(), zone, locale),
        leadBelow: <LogState entry={row} />,
        main: shown(masker.on || row.test ? changesText(row, t) : row.title),
        mainBelow: shown(row.targetName),
      })}
      maxHeight={HEIGHT}
      empty={{ title: t('notifications.logEmpty'), text: t('notifications.logEmptyText') }}
      errorTitle={t('notifications.logFailed')}
      errorScope={t('error.otherPanels')}
      expectedRows={4}
    />
  );
}

function LogState({ entry }: { readonly entry: NotificationLogEntry }) {
  const { t } = useText();
  switch (entry.status) {
    case 'sent':
      return <Status tone="okQuiet">{t('notifications.sent')}</Status>;
    case 'failed':
      return <Status tone="bad">{t('notifications.failed')}</Status>;
    case 'queued':
      return <Status tone="wait">{t('notifications.queued')}</Status>;
  }
}
