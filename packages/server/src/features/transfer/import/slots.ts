/** A limited number of slots; callers without one wait in order of arrival. */
export interface Slots {
  /** Resolves to a function that releases the slot. Rejects with the reason of the signal. */
  take(signal?: AbortSignal): Promise<() => void>;
}

export function createSlots(size: number): Slots {
  let free = size;
  const waiting: (() => void)[] = [];

  function release(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return release;
      }
      return new Promise((resolve, reject) => {
        const begin = () => {
          signal?.removeEventListener('abort', giveUp);
          resolve(release);
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(signal?.reason);
        };
        waiting.push(begin);
        signal?.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
