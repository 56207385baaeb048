import { AppError } from '@manager/core/contract/errors';

/**
 * One lock for everything that changes auth files at the gateway, keyed by lower-cased physical file name. Different files run
 * in parallel; the lock on all files waits for every holder and blocks new ones, so it cannot starve. Several keys are taken
 * together. Waiting ends when the caller disconnects.
 */
export interface AuthFileCoordinator {
  withFiles<T>(names: readonly string[], signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  withAll<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface Claim {
  /** null = all files. */
  readonly keys: ReadonlySet<string> | null;
}

interface Waiter extends Claim {
  grant(): void;
}

export function createAuthFileCoordinator(): AuthFileCoordinator {
  const held = new Set<Claim>();
  const waiting: Waiter[] = [];

  const grantWhatCanBe = () => {
    const blockers: Claim[] = [...held];
    for (const waiter of [...waiting]) {
      // An earlier waiter with a conflict also blocks: first come, first served.
      if (!blockers.some((blocker) => conflict(blocker, waiter))) {
        waiting.splice(waiting.indexOf(waiter), 1);
        held.add(waiter);
        waiter.grant();
      }
      blockers.push(waiter);
    }
  };

  const acquire = (keys: ReadonlySet<string> | null, signal: AbortSignal) =>
    new Promise<Claim>((resolve, reject) => {
      const gone = () => {
        const index = waiting.indexOf(waiter);
        if (index < 0) return;
        waiting.splice(index, 1);
        grantWhatCanBe();
        reject(new AppError('auth_file_wait_ended'));
      };
      const waiter: Waiter = {
        keys,
        grant() {
          signal.removeEventListener('abort', gone);
          resolve(waiter);
        },
      };
      waiting.push(waiter);
      if (signal.aborted) gone();
      else {
        signal.addEventListener('abort', gone, { once: true });
        grantWhatCanBe();
      }
    });

  const hold = async <T>(keys: ReadonlySet<string> | null, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const claim = await acquire(keys, signal);
    try {
      return await work();
    } finally {
      held.delete(claim);
      grantWhatCanBe();
    }
  };

  return {
    withFiles: (names, signal, work) => hold(new Set(names.map((name) => name.trim().toLowerCase())), signal, work),
    withAll: (signal, work) => hold(null, signal, work),
  };
}

function conflict(first: Claim, second: Claim): boolean {
  if (first.keys === null || second.keys === null) return true;
  for (const key of first.keys) if (second.keys.has(key)) return true;
  return false;
}
