import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { formatBytes } from '../../../platform/format/format.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { useStore } from '../../../platform/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy.tsx';
import { useDrawerFocus } from '../../../ui/dialog/use-drawer-focus.ts';
import { FactLines } from '../../../ui/display/fact-lines.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { useSpan } from '../../../ui/feedback/states.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { problemText } from '../problem-text.ts';
import { useTransfers } from '../transfers.ts';
import { percentOf } from '../upload/rate.ts';
import type { UploadSession } from '../upload/session.ts';
import { isAtRest } from '../upload/state.ts';
import { ResultTable } from './result-table.tsx';
import { idleText } from './session-columns.tsx';
import { sessionActions, statusWord } from './session-view.ts';

interface SessionDrawerProps {
  /** Null while loading or when not found: `children` shows which. */
  readonly session: UploadSession | null;
  readonly children?: ReactNode;
  readonly docked: boolean;
  readonly busy: ReadonlySet<string>;
  readonly onResume: (session: UploadSession) => void;
  readonly onFinish: (session: UploadSession) => void;
  readonly onCancel: (session: UploadSession) => void;
  readonly onClose: () => void;
}

/** Details of one import, and its actions. */
export function SessionDrawer(props: SessionDrawerProps) {
  const { t } = useText();
  const masker = useMasker();
  const { session, docked, onClose } = props;
  const panel = useDrawerFocus(docked);
  const word = session === null ? null : statusWord(session);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('transfer.session')}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head row">
        {session !== null && (
          <Status tone={word?.tone ?? 'unknown'} pill>
            {word === null ? session.status : t(word.label)}
          </Status>
        )}
        <b className="ellipsis">{session === null ? t('transfer.session') : masker.file(session.filename)}</b>
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {session === null ? (
        <div className="drawer-scroll">{props.children}</div>
      ) : (
        <>
          <div className="drawer-scroll">
            <Facts session={session} />
            <Reason session={session} />
            {session.result !== undefined && (
              <section>
                <h2>{t('importResult.label')}</h2>
                <ResultTable filename={masker.file(session.filename)} result={session.result} />
              </section>
            )}
          </div>
          <Foot {...props} session={session} />
        </>
      )}
    </aside>
  );
}

function Facts({ session }: { readonly session: UploadSession }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const span = useSpan();
  const masker = useMasker();
  const { client } = useServices();
  const time = (ms: number) => dateAndTime(ms, zone, locale, true);
  const { received_bytes, size_bytes } = session;
  const idle = idleText(session, { t, span, locale, zone, masker, now: client.now });
  const received = `${percentOf(received_bytes, size_bytes)}% · ${t('transfer.receivedOf', {
    done: formatBytes(received_bytes),
    all: formatBytes(size_bytes),
  })}`;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('transfer.file'), masker.file(session.filename)],
    [t('transfer.received'), idle === '' ? received : `${received} · ${idle}`],
    [t('transfer.created'), time(session.created_at_ms)],
    [t('transfer.updated'), time(session.updated_at_ms)],
    [t('transfer.expires'), time(session.expires_at_ms)],
  ];
  return (
    <section>
      <dl className="definitions">
        <FactLines facts={facts} />
        <dt>{t('transfer.id')}</dt>
        <dd>
          <span className="value mono">{session.id}</span>
          <CopyButton text={session.id} label={t('transfer.id')} />
        </dd>
      </dl>
    </section>
  );
}

/** Why an import failed. */
function Reason({ session }: { readonly session: UploadSession }) {
  const { t } = useText();
  const masker = useMasker();
  if (session.status !== 'failed') return null;
  const message = session.error ?? '';
  const problem = { kind: 'import_failed', message, status: 0, hop: null, resumable: session.retryable } as const;
  const { fact, text } = problemText(problem, session.result ?? null);
  return (
    <section>
      <h2>{t(fact)}</h2>
      <p className="ink-2">{t(text)}</p>
      {message !== '' && <div className="technical">{masker.text(message)}</div>}
    </section>
  );
}

function Foot({
  session,
  busy,
  onResume,
  onFinish,
  onCancel,
}: Omit<SessionDrawerProps, 'session'> & { readonly session: UploadSession }) {
  const { t } = useText();
  const { uploads } = useTransfers();
  const { client } = useServices();
  const state = useStore(uploads.store);
  const { resume, finish, cancel } = sessionActions(session, client.now());
  // The import of this tab is controlled in its own panel.
  const own = state.session?.id === session.id && !isAtRest(state);
  const occupied = !isAtRest(state);
  const changing = busy.has(session.id);
  if (own || (!resume && !finish && !cancel)) return null;
  return (
    <Stack gap="sm" className="drawer-foot">
      {resume && <p className="small ink-3">{occupied ? t('transfer.resumeBusy') : t('transfer.resumeHint')}</p>}
      <div className="row">
        {resume && (
          <Button disabled={occupied || changing} onClick={() => onResume(session)}>
            {t('transfer.resumeFile')}
          </Button>
        )}
        {finish && (
          <Button disabled={changing} aria-busy={changing} onClick={() => onFinish(session)}>
            {t('transfer.resume')}
          </Button>
        )}
        {cancel && (
          <Button kind="quiet" disabled={changing} aria-busy={changing} onClick={() => onCancel(session)}>
            {t('transfer.cancel')}
          </Button>
        )}
      </div>
    </Stack>
  );
}
