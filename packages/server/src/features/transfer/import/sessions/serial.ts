/** Runs actions one after the other, in the order of the calls; a failed one does not delay the next. */
export interface Serial {
  run<T>(action: () => Promise<T>): Promise<T>;
  /** Resolves when the queue is empty. */
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
