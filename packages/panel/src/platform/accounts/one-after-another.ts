/** Lets at most so many tasks run at once; the others wait in order. */
export function oneAfterAnother(atOnce: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The place goes over to the next one.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
