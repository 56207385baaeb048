import { QueriesObserver, type QueryObserverResult } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Client } from '../api/client.ts';
import { useServices } from '../api/services.ts';
import { sha256HexSync } from '../sha256.ts';
import type { Account } from './account.ts';
import { ACCOUNTS_KEY, BATCH_SIZE } from './account-calls.ts';
import { limitParallel } from './limit-parallel.ts';
import { MINUTE_MS, usePolling } from './use-polling.ts';

/** Parallel requests of one kind. */
const PARALLEL_BATCHES = 2;
/** Answers within this time are drawn together, ms. */
const ARRIVALS_MS = 700;

export interface Batches<V> {
  readonly values: ReadonlyMap<string, V>;
  /** Every request was answered or failed. */
  readonly loaded: boolean;
  readonly error: unknown;
}

/**
 * Requests data about many accounts in batches. The first answer is shown at once and later ones at most every 700 ms, as a
 * transition: dozens arrive one after the other, and rendering each would be slow. A list with other accounts is requested again;
 * known data of its accounts stays until then.
 */
export function useBatches<V>(
  name: string,
  accounts: readonly Account[],
  ask: (client: Client, accounts: readonly Account[], signal: AbortSignal) => Promise<ReadonlyMap<string, V>>,
): Batches<V> {
  const { client, queries: cache } = useServices();
  const [limit] = useState(() => limitParallel(PARALLEL_BATCHES));
  const count = Math.ceil(accounts.length / BATCH_SIZE);
  // A large list is requested less often: about one request per minute.
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
  const asked = useMemo(() => queries.map(({ queryKey }) => queryKey.join()).join('\n'), [queries]);
  const observed = useRef(asked);
  const [observer] = useState(() => new QueriesObserver(cache, queries));
  const [drawn, setDrawn] = useState<Drawn<V>>(() => ({ asked, results: resultsOf(observer), earlier: new Map() }));
  useEffect(() => {
    let last: Drawn<V> = { asked: observed.current, results: resultsOf(observer), earlier: new Map() };
    let drawnAtMs = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      drawnAtMs = performance.now();
      last = {
        asked: observed.current,
        results: resultsOf(observer),
        earlier: last.asked === observed.current ? last.earlier : valuesOf(last),
      };
      const next = last;
      // Pending key input comes first.
      startTransition(() => setDrawn(next));
    };
    const stop = observer.subscribe((results) => {
      if (timer !== undefined || !haveChanged(last.asked === observed.current ? last.results : [], results)) return;
      timer = setTimeout(draw, Math.max(0, drawnAtMs + ARRIVALS_MS - performance.now()));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [observer]);
  useEffect(() => {
    observed.current = asked;
    observer.setQueries(queries);
  }, [observer, queries, asked]);
  return useMemo(
    () => ({
      values: valuesOf(drawn),
      loaded: count === 0 || (drawn.asked === asked && drawn.results.every(({ isPending }) => !isPending)),
      error: drawn.results.find(({ error }) => error !== null)?.error ?? null,
    }),
    [drawn, asked, count],
  );
}

type Result<V> = QueryObserverResult<ReadonlyMap<string, V>>;

/** Answers as shown on the page. */
interface Drawn<V> {
  /** The accounts they answer: the list may have changed. */
  readonly asked: string;
  readonly results: readonly Result<V>[];
  /** Answers about the previous list, until all of this one have arrived. */
  readonly earlier: ReadonlyMap<string, V>;
}

const resultsOf = <V>(observer: QueriesObserver) => observer.getCurrentResult() as readonly Result<V>[];

/** Loading changes nothing on the page. */
function haveChanged(before: readonly QueryObserverResult[], after: readonly QueryObserverResult[]): boolean {
  return (
    after.length < before.length ||
    after.some(({ data, error }, index) => data !== before[index]?.data || error !== (before[index]?.error ?? null))
  );
}

function valuesOf<V>({ results, earlier }: Drawn<V>): ReadonlyMap<string, V> {
  const values = new Map(results.some(({ data }) => data === undefined) ? earlier : []);
  for (const { data } of results) for (const [key, value] of data ?? []) values.set(key, value);
  return values;
}
