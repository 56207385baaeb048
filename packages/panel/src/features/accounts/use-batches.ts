import { QueriesObserver, type QueryObserverResult } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useMemo, useState } from 'react';
import type { Client } from '../../api/client.ts';
import { useServices } from '../../app/services.ts';
import { sha256HexSync } from '../../ui/sha256.ts';
import { ACCOUNTS_KEY, BATCH_SIZE } from './account-calls.ts';
import type { Account } from './model/account.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { MINUTE_MS, usePolling } from './use-polling.ts';

/** Calls of one kind that run at once. */
const BATCHES_AT_ONCE = 2;
/** Answers that arrive in a row are drawn together, ms. */
const ARRIVALS_MS = 700;

export interface Batches<V> {
  readonly values: ReadonlyMap<string, V>;
  /** Every call was answered or failed. */
  readonly loaded: boolean;
  readonly error: unknown;
}

/**
 * Asks about many accounts in several calls. The first answer is there at once and those that follow at most every 700 ms, as a
 * transition: dozens of them arrive one after the other, and the page is not even rendered for each.
 */
export function useBatches<V>(
  name: string,
  accounts: readonly Account[],
  ask: (client: Client, accounts: readonly Account[], signal: AbortSignal) => Promise<ReadonlyMap<string, V>>,
): Batches<V> {
  const { client, queries: cache } = useServices();
  const [limit] = useState(() => oneAfterAnother(BATCHES_AT_ONCE));
  const count = Math.ceil(accounts.length / BATCH_SIZE);
  // A large list is asked about less often, so that a minute holds about one call.
  const polling = usePolling(useCallback(() => MINUTE_MS * Math.max(1, count), [count]));
  const queries = useMemo(
    () =>
      Array.from({ length: count }, (_, index) => {
        const batch = accounts.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE);
        return {
          queryKey: [ACCOUNTS_KEY, name, sha256HexSync(batch.map(({ key }) => key).join(' '))],
          queryFn: ({ signal }: { readonly signal: AbortSignal }) => limit(() => ask(client, batch, signal)),
          structuralSharing: false as const,
          ...polling,
        };
      }),
    [accounts, count, name, ask, client, limit, polling],
  );
  const [observer] = useState(() => new QueriesObserver(cache, queries));
  const [drawn, setDrawn] = useState<readonly QueryObserverResult[]>(() => observer.getCurrentResult());
  useEffect(() => {
    let last: readonly QueryObserverResult[] = observer.getCurrentResult();
    let drawnAtMs = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      drawnAtMs = performance.now();
      last = observer.getCurrentResult();
      // Keys that are pressed meanwhile come first.
      startTransition(() => setDrawn(last));
    };
    const stop = observer.subscribe((results) => {
      if (timer !== undefined || !haveChanged(last, results)) return;
      timer = setTimeout(draw, Math.max(0, drawnAtMs + ARRIVALS_MS - performance.now()));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [observer]);
  useEffect(() => observer.setQueries(queries), [observer, queries]);
  return useMemo(() => combined<V>(drawn, count), [drawn, count]);
}

/** That something is being asked changes nothing on the page. */
function haveChanged(before: readonly QueryObserverResult[], after: readonly QueryObserverResult[]): boolean {
  return (
    after.length < before.length ||
    after.some(({ data, error }, index) => data !== before[index]?.data || error !== (before[index]?.error ?? null))
  );
}

function combined<V>(results: readonly QueryObserverResult[], count: number): Batches<V> {
  const values = new Map<string, V>();
  for (const { data } of results as readonly QueryObserverResult<ReadonlyMap<string, V>>[])
    for (const [key, value] of data ?? []) values.set(key, value);
  return {
    values,
    loaded: results.length === count && results.every(({ isPending }) => !isPending),
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
}
