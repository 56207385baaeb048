import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { type DataSource, mapSource } from '../../../platform/api/data-source.ts';
import { useServices } from '../../../platform/api/services.ts';
import { useAddressHref } from '../../../platform/browser/address.ts';
import { formatBytes, formatCount, NONE } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { StatusMenu } from '../../../ui/controls/status-menu.tsx';
import { useSpan } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { TablePanel } from '../../../ui/table/table-panel.tsx';
import { TRANSFER_ADDRESS } from '../transfer-search.ts';
import type { SessionList, UploadSession } from '../upload/session.ts';
import { sessionColumns, sessionNarrow } from './session-columns.tsx';
import { reservedBytes, STATUS_WORDS } from './session-view.ts';

interface SessionListProps {
  readonly source: DataSource<SessionList>;
  /** Chosen status; '' = all. */
  readonly status: string;
  readonly onStatus: (status: string) => void;
  readonly openId: string;
  readonly onOpen: (session: UploadSession) => void;
}

/** The latest imports, including those of other tabs and people, with the server's limits. */
export function SessionListPanel({ source, status, onStatus, openId, onOpen }: SessionListProps) {
  const hrefTo = useAddressHref(TRANSFER_ADDRESS);
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const span = useSpan();
  const { client } = useServices();
  const list = source.data;
  const columns = useMemo(
    () => sessionColumns({ t, span, locale, zone, masker, now: client.now }),
    [t, span, locale, zone, masker, client],
  );
  const sessions = mapSource(source, (data) =>
    // Until the next answer, the rows of the previous filter are still here.
    status === '' ? data.sessions : data.sessions.filter((session) => session.status === status),
  );
  const all = Object.values(list?.status_counts ?? {}).reduce((sum, count) => sum + count, 0);
  const empty =
    status === '' || all === 0
      ? {
          title: t('transfer.listEmpty'),
          text: t('transfer.listEmptyText', { span: span((list?.ttl_seconds ?? 0) * 1_000) }),
        }
      : {
          title: t('transfer.listFiltered'),
          text: t('transfer.listFilteredText', { count: all }),
          action: <Button onClick={() => onStatus('')}>{t('filter.clear')}</Button>,
        };
  return (
    <TablePanel
      title={t('transfer.listLabel')}
      subtitle={
        list &&
        list.total > 0 &&
        t('transfer.listShown', { shown: sessions.data?.length ?? 0, total: formatCount(list.total) })
      }
      source={sessions}
      columns={columns}
      rowKey={(session) => session.id}
      rowName={(session) => masker.file(session.filename)}
      narrow={(session) => sessionNarrow(session, { t, span, locale, zone, masker, now: client.now })}
      href={(session) => hrefTo({ session: session.id })}
      onOpen={onOpen}
      openKey={openId === '' ? null : openId}
      keys
      empty={empty}
      errorTitle={t('transfer.listFailed')}
      errorScope={t('error.otherPanels')}
      unsupported={{ title: t('transfer.listOld'), text: t('transfer.listOldText') }}
      expectedRows={5}
      actions={
        list && (
          <StatusMenu
            words={STATUS_WORDS}
            counts={list.status_counts}
            status={status}
            onStatus={onStatus}
            target={(name) => (
              <Button kind="quiet" aria-label={t('transfer.stateIs', { state: name })}>
                <Icon name="filter" />
                {name}
                <Icon name="chevronDown" />
              </Button>
            )}
          />
        )
      }
      foot={list && <Limits list={list} />}
    />
  );
}

/** Slots and space for uploads. Unlisted sessions cannot be summed. */
function Limits({ list }: { readonly list: SessionList }) {
  const { t } = useText();
  const span = useSpan();
  const { active_sessions, max_sessions, disk_quota_bytes, ttl_seconds } = list;
  const reserved = reservedBytes(list);
  const full = active_sessions >= max_sessions;
  return (
    <Group component="span" gap="2px 16px">
      <span className={full ? 'tone-warn' : undefined}>
        {t('transfer.places', { used: active_sessions, all: max_sessions })}
      </span>
      <span>
        {t('transfer.space', {
          used: reserved === null ? NONE : formatBytes(reserved),
          all: formatBytes(disk_quota_bytes),
        })}
      </span>
      <span className="ink-3">{t('transfer.keptFor', { span: span(ttl_seconds * 1_000) })}</span>
    </Group>
  );
}
