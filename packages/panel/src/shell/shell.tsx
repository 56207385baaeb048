import { Modal } from '@mantine/core';
import { Navigate, Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SignInPage } from '../features/setup/sign-in/sign-in-page.tsx';
import { useMaskNumbers } from '../platform/accounts/use-accounts.ts';
import { useMode, useServices } from '../platform/api/services.ts';
import { type TextKey, useText } from '../platform/i18n/index.ts';
import { toggleMasking } from '../platform/preferences/masking.ts';
import { useHost } from '../platform/queries/queries.ts';
import { useIdleLock } from '../platform/session/idle-lock.ts';
import { useSession } from '../platform/session/session.ts';
import { useStore } from '../platform/store.ts';
import { ErrorState } from '../ui/feedback/states.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { ALL_ENTRIES, isServed } from './navigation.ts';
import { ManagedPage } from './other-pages.tsx';
import { Sidebar, useActiveEntry } from './sidebar.tsx';

/** Everything behind the sign-in. */
export function Shell() {
  const { t } = useText();
  const { session, setupNeeded } = useServices();
  const signedIn = useSession(session) !== null;
  const locked = useStore(session.locked);
  const needsSetup = useStore(setupNeeded);
  const mode = useMode();
  const entry = useActiveEntry();
  useIdleLock(session);
  if (needsSetup) return <Navigate to="/setup" search={{}} replace />;
  if (!signedIn) return <ToSignIn />;
  if (locked) return <SignInPage />;
  return (
    <>
      <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        {t('shell.skip')}
      </button>
      <div className="app">
        <Sidebar />
        {entry === undefined || isServed(entry, mode) ? <Outlet /> : <ManagedPage />}
      </div>
      <GlobalShortcuts />
      <MaskNumbers />
    </>
  );
}

function MaskNumbers() {
  useMaskNumbers();
  return null;
}

function ToSignIn() {
  const router = useRouter();
  // Read once: during this navigation the present address is already that of the sign-in.
  const [href] = useState(() => router.state.location.href);
  return <Navigate to="/login" search={{ return: [href] }} replace />;
}

const SHORTCUT_LIST = [
  ['Ctrl K', 'keys.jump'],
  ['/', 'keys.search'],
  ['r', 'keys.refresh'],
  ['f', 'keys.failed'],
  ['c', 'keys.columns'],
  ['j  k', 'keys.rows'],
  ['Enter', 'keys.open'],
  ['Esc', 'keys.close'],
  ['[  ]', 'keys.range'],
  ['x', 'keys.select'],
  ['s', 'keys.inspect'],
  ['Space', 'keys.pause'],
  ['p  End', 'keys.log'],
  ['w  y', 'keys.logLines'],
  ['m', 'keys.mask'],
  ['g m', 'keys.go'],
  ['?', 'keys.help'],
] as const satisfies readonly (readonly [string, TextKey])[];

function GlobalShortcuts() {
  const { t } = useText();
  const navigate = useNavigate();
  const mode = useMode();
  const [help, setHelp] = useState(false);
  const goUntil = useRef(0);
  const go = (key: string) => {
    if (Date.now() > goUntil.current) return false;
    goUntil.current = 0;
    const entry = ALL_ENTRIES.find((candidate) => candidate.key === key && isServed(candidate, mode));
    if (entry === undefined) return false;
    void navigate({ to: entry.path, search: {} });
    return true;
  };
  const letters = Object.fromEntries(
    ALL_ENTRIES.flatMap((entry) =>
      entry.key === undefined || entry.key === 'm' ? [] : [[entry.key, () => go(entry.key ?? '')]],
    ),
  );
  // Before the page's shortcuts: `g c` opens a page, whatever `c` alone does there.
  useShortcuts(
    {
      ...letters,
      g: () => {
        goUntil.current = Date.now() + 1_500;
      },
      m: () => {
        if (!go('m')) toggleMasking();
      },
      '?': () => setHelp(true),
    },
    true,
    true,
  );
  return (
    <Modal
      opened={help}
      onClose={() => setHelp(false)}
      title={t('keys.title')}
      size={480}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <dl className="definitions">
        {SHORTCUT_LIST.map(([key, text]) => (
          <div key={text} style={{ display: 'contents' }}>
            <dt>
              <kbd className="key-cap">{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

/** Waits until it is known who serves this page, before a key is required. */
export function HostGate() {
  const { t } = useText();
  const host = useHost();
  const { queries, session } = useServices();
  const signedIn = useSession(session);
  const kind = host.data?.kind;
  const startedAt = host.data?.kind === 'manager' ? host.data.info.startedAt : null;
  const before = useRef(startedAt);
  useEffect(() => {
    if (before.current !== null && startedAt !== null && before.current !== startedAt) void queries.invalidateQueries();
    if (startedAt !== null) before.current = startedAt;
  }, [startedAt, queries]);
  useEffect(() => {
    if (kind !== undefined) session.settle(kind);
  }, [kind, session]);
  // A key of the other kind of server is never used here.
  if (kind !== undefined && (signedIn === null || signedIn.mode === kind)) return <Outlet />;
  if (host.error !== null && host.failureCount > 3) {
    return (
      <div className="plain-main">
        <div className="card">
          <ErrorState title={t('host.unreachable')} error={host.error} onRetry={() => void host.refetch()} />
        </div>
      </div>
    );
  }
  return <div className="plain-main" aria-busy="true" />;
}
