import { isRecord, readStored, removeStored, writeStored } from './storage.ts';
import { createStore, type Store, useStore } from './store.ts';

export interface Session {
  readonly key: string;
  /** API base the key belongs to; it is never sent anywhere else. */
  readonly base: string;
}

/** Days a remembered sign-in lasts. */
export const REMEMBER_DAYS = 7;
const DAY_MS = 86_400_000;

/** A stored session counts only at the address and in the kind of server it was made for. */
export function parseSession(stored: unknown, base: string, nowMs: number): Session | null {
  if (!isRecord(stored)) return null;
  const { key, base: storedBase, mode, expiresAtMs } = stored;
  if (typeof key !== 'string' || key === '' || storedBase !== base || mode !== 'manager') return null;
  if (expiresAtMs !== undefined && (typeof expiresAtMs !== 'number' || expiresAtMs <= nowMs)) return null;
  return { key, base };
}

export interface SessionControl {
  readonly store: Store<Session | null>;
  readonly signIn: (key: string, remember: boolean) => void;
  /** Whether the sign-in outlives this tab. */
  readonly remembered: () => boolean;
  /** Keeps the present sign-in for some days, or for this tab only. */
  readonly remember: (on: boolean) => void;
  /** The key is asked for again before anything is shown; what runs, runs on with the key that this tab holds. */
  readonly locked: Store<boolean>;
  readonly lock: () => void;
  /** Ends the session here and, unless it came from there, in the other tabs. */
  readonly signOut: () => void;
}

export function createSession(base: string, clock: () => number): SessionControl {
  const now = clock();
  const restored =
    parseSession(readStored('tab', 'session'), base, now) ?? parseSession(readStored('browser', 'session'), base, now);
  if (restored === null) forget();
  const store = createStore<Session | null>(restored);
  const locked = createStore(false);
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('mgrpanel:v1:session');

  function forget(): void {
    removeStored('tab', 'session');
    removeStored('browser', 'session');
  }

  channel?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (!isRecord(event.data) || event.data.signedOut !== base) return;
    end();
  });

  function end(): void {
    forget();
    locked.set(false);
    store.set(null);
  }

  function keep(key: string, remember: boolean): void {
    forget();
    const entry = { key, base, mode: 'manager' };
    if (remember) writeStored('browser', 'session', { ...entry, expiresAtMs: clock() + REMEMBER_DAYS * DAY_MS });
    else writeStored('tab', 'session', entry);
  }

  return {
    store,
    signIn: (key, remember) => {
      keep(key, remember);
      // What the same key has loaded and started stays.
      if (store.get()?.key !== key) store.set({ key, base });
      locked.set(false);
    },
    remembered: () => readStored('browser', 'session') !== undefined,
    remember: (on) => {
      const session = store.get();
      if (session !== null) keep(session.key, on);
    },
    locked,
    lock: () => {
      // Neither a reload nor a new tab may open it.
      forget();
      locked.set(true);
    },
    signOut: () => {
      end();
      channel?.postMessage({ signedOut: base });
    },
  };
}

export function useSession(control: SessionControl): Session | null {
  return useStore(control.store);
}
