/**
 * Runs the work of every item, in order, with a limit of parallel ones. After an abort nothing new is started. Settles when all
 * started work has ended; rejects with the first failure.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  workers: number,
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  const count = Math.min(Math.max(1, workers), items.length);
  const ended = await Promise.allSettled(Array.from({ length: count }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
