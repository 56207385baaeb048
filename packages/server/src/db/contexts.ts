import type { Database } from 'bun:sqlite';

/** What a write operation gets inside the writer worker. */
export interface WriterContext {
  readonly db: Database;
  readonly now: () => number;
}

/** What a read operation gets inside a reader worker; `db` is read-only. */
export interface ReaderContext {
  readonly db: Database;
}

/**
 * Operations run in a worker by name. A feature exports plain functions `(context, args) => result` from its `store.ts`
 * and lists them in `db/operations/writes.ts` or `db/operations/reads.ts`; arguments and results must be structured-cloneable.
 */
export type Operation<Context> = (context: Context, args: never) => unknown;
export type Operations<Context> = Readonly<Record<string, Operation<Context>>>;

type ArgsOf<F> = F extends (context: never, args: infer A) => unknown ? A : never;
type ResultOf<F> = F extends (context: never, args: never) => infer R ? Awaited<R> : never;

/** Client of a worker (or pool of workers) that runs `T`. */
export interface OperationClient<T extends Operations<never>> {
  run<K extends keyof T & string>(name: K, args: ArgsOf<T[K]>, options?: RunOptions): Promise<ResultOf<T[K]>>;
  /** Finishes what was accepted, then ends the worker. */
  close(): Promise<void>;
}

export interface RunOptions {
  /** `interactive` overtakes waiting `background` work. Default `interactive`. */
  readonly priority?: 'interactive' | 'background';
  readonly signal?: AbortSignal;
}
