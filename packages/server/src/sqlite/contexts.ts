import type { Database } from 'bun:sqlite';
import type { Transfer } from './worker/transfer.ts';

/** Context of a write operation in the writer worker. */
export interface WriterContext {
  readonly db: Database;
  readonly now: () => number;
}

/**
 * Context of a read operation in a reader worker; `db` is read-only. Its connection has the SQL function `still_wanted()`,
 * which throws once the caller gave up or the deadline passed: put it into the `WHERE` of a statement that may run long.
 */
export interface ReaderContext {
  readonly db: Database;
}

/**
 * Operations run in a worker by name. A feature exports plain functions `(context, args) => result` from its `store.ts`
 * and lists them in `workers/operations/writes.ts` or `workers/operations/reads.ts`; arguments and results must be structured-cloneable.
 * Large byte results are moved instead of copied when the operation returns a `Transfer`.
 */
export type Operation<Context> = (context: Context, args: never) => unknown;
export type Operations<Context> = Readonly<Record<string, Operation<Context>>>;

type ArgsOf<F> = F extends (context: never, args: infer A) => unknown ? A : never;
type ResultOf<F> = F extends (context: never, args: never) => infer R ? Moved<Awaited<R>> : never;
type Moved<R> = R extends Transfer<infer V> ? V : R;

/** Client of a worker (or pool of workers) that runs `T`. */
export interface OperationClient<T extends Operations<never>> {
  run<K extends keyof T & string>(name: K, args: ArgsOf<T[K]>, options?: RunOptions): Promise<ResultOf<T[K]>>;
  /** Finishes accepted operations, then ends the worker. */
  close(): Promise<void>;
}

export interface RunOptions {
  /** `interactive` runs before waiting `background` work. Default `interactive`. */
  readonly priority?: 'interactive' | 'background';
  readonly signal?: AbortSignal;
  /** Does not keep a worker from its rest; one that starts for it ends afterwards. Default false. */
  readonly brief?: boolean;
  /** Overrides the deadline of the pool; counts from the start of the operation, not from its queueing. */
  readonly deadlineMs?: number;
  /** Buffers of the arguments that are moved instead of copied: the caller must not use them afterwards. */
  readonly transfer?: readonly ArrayBuffer[];
}
