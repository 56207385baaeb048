/** Between the tabs of one browser: only one of them sends a file. */
export interface UploadLock {
  /** Resolves to a release function, or to null when another tab has it. */
  readonly acquire: (name: string) => Promise<(() => void) | null>;
}

/** The used part of the browser's locks. */
export interface LocksOfBrowser {
  request(
    name: string,
    options: { ifAvailable: true },
    callback: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

const PREFIX = 'mgrpanel:v1:import-lock:';

/** The browser releases the lock automatically when the tab is closed. */
export function createWebLock(locks: LocksOfBrowser): UploadLock {
  return {
    acquire: (name) =>
      new Promise((resolve, reject) => {
        const request = locks.request(PREFIX + name, { ifAvailable: true }, (lock) => {
          if (lock === null) {
            resolve(null);
            return undefined;
          }
          // Held until this promise resolves.
          return new Promise<void>((release) => resolve(release));
        });
        request.catch(reject);
      }),
  };
}

export interface HeartbeatOptions {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Of this tab. */
  readonly owner: string;
  readonly clock: () => number;
  /** Calls repeatedly; the result stops it. */
  readonly every: (ms: number, call: () => void) => () => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** Background tabs may be woken only once a minute, so a lock survives longer than that without a heartbeat. */
const BEAT_MS = 2_000;
const STALE_MS = 90_000;
/** Two tabs that write at the same moment: the later one wins, and both check after this time. */
const SETTLE_MS = 50;

/** For browsers, and addresses without TLS, without locks. */
export function createHeartbeatLock({ storage, owner, clock, every, wait }: HeartbeatOptions): UploadLock {
  function holder(key: string): string | null {
    const [name, beat] = storage.getItem(key)?.split(' ') ?? [];
    return name !== undefined && Number(beat) > clock() - STALE_MS ? name : null;
  }

  return {
    acquire: async (name) => {
      const key = PREFIX + name;
      const beat = () => storage.setItem(key, `${owner} ${clock()}`);
      if (holder(key) !== null) return null;
      beat();
      await wait(SETTLE_MS);
      if (holder(key) !== owner) return null;
      const stop = every(BEAT_MS, beat);
      return () => {
        stop();
        if (holder(key) === owner) storage.removeItem(key);
      };
    },
  };
}
