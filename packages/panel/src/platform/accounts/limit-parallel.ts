/** Limits the number of parallel tasks; the others wait in order. */
export function limitParallel(maxParallel: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= maxParallel) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The slot passes to the next task.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
