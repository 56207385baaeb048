import { isRecord } from '../browser/storage.ts';

/** A store that all tabs share. */
type SharedStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface LeaseOptions {
  readonly store: SharedStore;
  readonly owner: string;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Calls back again and again until its result is called. */
  readonly every: (ms: number, act: () => void) => () => void;
}

const PREFIX = 'mgrpanel:v1:turn:';
/** Of a tab that was closed in its turn, ms. */
const EXPIRES_MS = 10_000;
const RENEWS_MS = 3_000;
/** By then every tab sees what two of them wrote at the same moment: the last one has the turn. */
const SETTLES_MS = 100;

/** Runs works of the same name one after the other in tabs that share a store. */
export async function withLease<T>(
  name: string,
  work: () => Promise<T>,
  { store, owner, now, wait, every }: LeaseOptions,
): Promise<T> {
  const key = PREFIX + name;
  const holder = () => {
    const lease = leaseIn(store.getItem(key));
    // A clock that was set back must not hold up anybody for longer than a lease.
    return lease !== null && lease.until > now() && lease.until <= now() + EXPIRES_MS ? lease.owner : null;
  };
  const take = () => store.setItem(key, JSON.stringify({ owner, until: now() + EXPIRES_MS }));
  while (holder() !== owner) {
    if (holder() === null) take();
    await wait(SETTLES_MS);
  }
  const stop = every(RENEWS_MS, () => {
    if (holder() === owner) take();
  });
  try {
    return await work();
  } finally {
    stop();
    if (holder() === owner) store.removeItem(key);
  }
}

function leaseIn(text: string | null): { readonly owner: string; readonly until: number } | null {
  try {
    const lease: unknown = JSON.parse(text ?? 'null');
    if (!isRecord(lease)) return null;
    const { owner, until } = lease;
    return typeof owner === 'string' && typeof until === 'number' ? { owner, until } : null;
  } catch {
    return null;
  }
}

/** null = refused by the browser's settings. */
function sharedStore(): SharedStore | null {
  try {
    const store = globalThis.localStorage;
    store.setItem(`${PREFIX}?`, '');
    store.removeItem(`${PREFIX}?`);
    return store;
  } catch {
    return null;
  }
}

const OWNER = `${Date.now()}-${Math.random()}`;
const tails = new Map<string, Promise<unknown>>();

/**
 * Runs works of the same name one after the other, in all tabs: by the browser's locks, which it has on https and on this
 * computer, else by a lease.
 */
export function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (locks !== undefined) return locks.request(`mgrpanel:${name}`, work) as Promise<T>;
  const leased = () => {
    const store = sharedStore();
    if (store === null) return work();
    return withLease(name, work, {
      store,
      owner: OWNER,
      now: Date.now,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      every: (ms, act) => {
        const timer = setInterval(act, ms);
        return () => clearInterval(timer);
      },
    });
  };
  // In one tab there is one owner, so its works wait here.
  const turn = (tails.get(name) ?? Promise.resolve()).then(leased, leased);
  tails.set(name, turn);
  return turn;
}
