import { limitParallel } from '../../../platform/accounts/limit-parallel.ts';

/** Parallel providers. */
const PARALLEL_PROVIDERS = 3;

/**
 * Asks providers about their accounts: one account of a provider at a time, several providers in parallel. Requests not started
 * when `signal` aborts are skipped.
 */
export async function runRefresh<A>(
  items: readonly A[],
  providerOf: (item: A) => string,
  ask: (item: A) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const byProvider = new Map<string, A[]>();
  for (const item of items) {
    const list = byProvider.get(providerOf(item));
    if (list === undefined) byProvider.set(providerOf(item), [item]);
    else list.push(item);
  }
  const limit = limitParallel(PARALLEL_PROVIDERS);
  await Promise.all(
    [...byProvider.values()].map((list) =>
      limit(async () => {
        for (const item of list) {
          if (signal.aborted) return;
          await ask(item);
        }
      }),
    ),
  );
}
