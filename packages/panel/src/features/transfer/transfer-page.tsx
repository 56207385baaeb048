import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { fromQuery, isUnsupported } from '../../platform/api/data-source.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useStore } from '../../platform/store.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { ExportPanel } from './export/export-panel.tsx';
import { ConfirmCancel, ConfirmImport } from './import-dialogs.tsx';
import { ImportPanel } from './import-panel.tsx';
import { ProblemNote } from './problem-note.tsx';
import { SessionDrawer } from './sessions/session-drawer.tsx';
import { SessionListPanel } from './sessions/session-list.tsx';
import { useImportSession, useImportSessions, useSessionWork } from './sessions/use-import-sessions.ts';
import { TRANSFER_ADDRESS } from './transfer-search.ts';
import { useTransfers } from './transfers.ts';
import type { UploadSession } from './upload/session.ts';
import { ACCEPTED_FILES } from './upload/source.ts';
import { useFileChoice } from './use-file-choice.ts';

/** The import to cancel: a session of the list, or the import of this tab. */
type Cancelling = { readonly session: UploadSession } | 'current' | null;

export function TransferPage() {
  const { t } = useText();
  const { uploads } = useTransfers();
  const { controller } = uploads;
  const state = useStore(uploads.store);
  const { search, change } = useAddress(TRANSFER_ADDRESS);
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const sessions = useImportSessions(search.status);
  const list = sessions.data;
  const listed = list?.sessions.find(({ id }) => id === search.session) ?? null;
  const own = state.session?.id === search.session ? state.session : null;
  const single = useImportSession(search.session, search.session !== '' && listed === null && list !== undefined);
  const choice = useFileChoice(list?.disk_quota_bytes ?? null);
  const work = useSessionWork();
  const [cancelling, setCancelling] = useState<Cancelling>(null);

  const refresh = () => void sessions.refetch();
  const close = () => change({ session: '' });
  useShortcuts({
    r: refresh,
    ' ': () => {
      if (!controller.pause()) controller.resume();
    },
    ...(search.session === '' ? {} : { Escape: close }),
  });

  const cancelled = () => {
    if (cancelling === 'current') void controller.cancel();
    else if (cancelling !== null) void work.cancel(cancelling.session);
    setCancelling(null);
  };
  const asked = cancelling === 'current' ? state.file?.name : cancelling?.session.filename;
  return (
    <Page
      title={t('nav.transfer')}
      state={<CollectorStatus />}
      refresh={{ busy: sessions.isFetching, onRefresh: refresh }}
      docked={docked}
      drawer={
        search.session !== '' && (
          <SessionDrawer
            session={own ?? listed ?? single.data ?? null}
            docked={docked}
            busy={work.busy}
            onResume={(session) => {
              controller.dismiss();
              choice.open(session);
            }}
            onFinish={(session) => void work.finish(session)}
            onCancel={(session) => setCancelling({ session })}
            onClose={close}
          >
            <MissingSession single={single} />
          </SessionDrawer>
        )
      }
    >
      <input
        type="file"
        hidden
        accept={ACCEPTED_FILES}
        aria-label={t('transfer.file')}
        ref={choice.bindInput}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // The same file may be picked again.
          event.currentTarget.value = '';
          if (file !== undefined) choice.take(file);
        }}
      />
      {work.failure !== null && (
        <ProblemNote
          problem={work.failure.problem}
          action={<Button onClick={work.forgetFailure}>{t('transfer.clear')}</Button>}
        />
      )}
      <Box display={{ base: 'contents', sm: 'grid' }} className="split">
        <ImportPanel
          choice={choice}
          list={list}
          busy={work.busy}
          onCancel={(session) => setCancelling({ session })}
          onCancelCurrent={() => setCancelling('current')}
        />
        <ExportPanel />
      </Box>
      <SessionListPanel
        source={fromQuery(sessions)}
        status={search.status}
        onStatus={(status) => change({ status })}
        openId={search.session}
        onOpen={(session) => change({ session: session.id }, search.session !== '')}
      />
      <ConfirmImport
        file={choice.file}
        list={list}
        simple={isUnsupported(sessions.error)}
        onStart={choice.confirm}
        onClose={choice.discard}
      />
      <ConfirmCancel filename={asked ?? null} onCancel={cancelled} onClose={() => setCancelling(null)} />
    </Page>
  );
}

/** Placeholder of a session that is loading, missing, or failed to load. */
function MissingSession({ single }: { readonly single: ReturnType<typeof useImportSession> }) {
  const { t } = useText();
  if (single.data === null) return <EmptyState title={t('transfer.notKept')} text={t('transfer.notKeptText')} />;
  if (single.error !== null) {
    return <ErrorState title={t('transfer.listFailed')} error={single.error} onRetry={() => void single.refetch()} />;
  }
  return <DrawerSkeleton />;
}
