/** Runs actions one after the other, in the order of the calls; one that fails does not hold up the next. */
export interface Serial {
  run<T>(action: () => Promise<T>): Promise<T>;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(action) {
      const result = last.then(action);
      last = result.catch(() => {});
      return result;
    },
    async idle() {
      for (let seen: unknown = null; seen !== last; ) {
        seen = last;
        await last;
      }
    },
  };
}
