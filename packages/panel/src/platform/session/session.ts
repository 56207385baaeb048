import { isRecord, readStored, removeStored, writeStored } from '../browser/storage.ts';
import { createStore, type Store, useStore } from '../store.ts';
import type { Session } from './identity.ts';

/** Days that a remembered sign-in may last. */
export const REMEMBER_CHOICES = [1, 7, 30] as const;
export type RememberDays = (typeof REMEMBER_CHOICES)[number];
export const USUAL_REMEMBER_DAYS: RememberDays = 7;
const DAY_MS = 86_400_000;

/**
 * A stored session counts only on the page and in the kind of server it was made for. `page` is the page's address without its
 * file name.
 */
export function parseSession(stored: unknown, page: string, nowMs: number): Session | null {
  if (!isRecord(stored)) return null;
  const { key, base, address, mode, expiresAtMs } = stored;
  if (typeof key !== 'string' || key === '' || base !== page) return null;
  if (mode !== 'manager' && mode !== 'gateway') return null;
  if (expiresAtMs !== undefined && (typeof expiresAtMs !== 'number' || expiresAtMs <= nowMs)) return null;
  // Only the page of a gateway lets another address be chosen.
  return { key, base: mode === 'gateway' && typeof address === 'string' ? address : page, mode };
}

export interface SessionControl {
  readonly store: Store<Session | null>;
  /** @param remember days, null = for this tab */
  readonly signIn: (session: Session, remember: RememberDays | null) => void;
  /** Chosen days of the sign-in; null = for this tab. */
  readonly remembered: () => RememberDays | null;
  /** Keeps the present sign-in for some days from now, or for this tab only. */
  readonly remember: (days: RememberDays | null) => void;
  /** Sets which server the page comes from; a session of the other kind is discarded. */
  readonly settle: (mode: Session['mode']) => void;
  /** The key is required again before anything is shown; running work continues with this tab's key. */
  readonly locked: Store<boolean>;
  readonly lock: () => void;
  /** Ends the session here and, unless another tab started it, in the other tabs. */
  readonly signOut: () => void;
}

/** @param page address of the page without its file name */
export function createSession(page: string, clock: () => number): SessionControl {
  const now = clock();
  const restored =
    parseSession(readStored('tab', 'session'), page, now) ?? parseSession(readStored('browser', 'session'), page, now);
  if (restored === null) forget();
  const store = createStore<Session | null>(restored);
  const locked = createStore(false);
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('mgrpanel:v1:session');

  function forget(): void {
    removeStored('tab', 'session');
    removeStored('browser', 'session');
  }

  channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (!isRecord(event.data) || event.data.signedOut !== page) return;
    end();
  });

  function end(): void {
    forget();
    locked.set(false);
    store.set(null);
  }

  function keep({ key, base, mode }: Session, days: RememberDays | null): void {
    forget();
    const entry = { key, base: page, mode, ...(base === page ? {} : { address: base }) };
    if (days === null) writeStored('tab', 'session', entry);
    else writeStored('browser', 'session', { ...entry, days, expiresAtMs: clock() + days * DAY_MS });
  }

  return {
    store,
    signIn: (session, remember) => {
      keep(session, remember);
      const before = store.get();
      // Loaded data and running work of the same key stay.
      if (before?.key !== session.key || before.base !== session.base) store.set(session);
      locked.set(false);
    },
    remembered: () => {
      const stored = readStored('browser', 'session');
      if (!isRecord(stored)) return null;
      return REMEMBER_CHOICES.find((days) => days === stored.days) ?? USUAL_REMEMBER_DAYS;
    },
    remember: (days) => {
      const session = store.get();
      if (session !== null) keep(session, days);
    },
    settle: (mode) => {
      const session = store.get();
      if (session !== null && session.mode !== mode) end();
    },
    locked,
    lock: () => {
      // Neither a reload nor a new tab may open it.
      forget();
      locked.set(true);
    },
    signOut: () => {
      end();
      channel?.postMessage({ signedOut: page });
    },
  };
}

export function useSession(control: SessionControl): Session | null {
  return useStore(control.store);
}
