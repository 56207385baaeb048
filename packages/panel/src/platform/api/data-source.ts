import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError } from './errors.ts';

/** Data for a table, chart or tile: enough to distinguish its five states. */
export interface DataSource<T> {
  /** undefined = nothing has arrived yet. */
  readonly data: T | undefined;
  /** Of the last attempt, null = it succeeded. With data present, the data are old. */
  readonly error: unknown;
  /** Time of the last successful answer, ms. */
  readonly atMs: number | null;
  readonly busy: boolean;
  readonly retry: () => void;
}

export function fromQuery<T>(query: UseQueryResult<T>): DataSource<T> {
  return {
    data: query.data,
    error: query.error,
    atMs: query.dataUpdatedAt === 0 ? null : query.dataUpdatedAt,
    busy: query.isFetching,
    retry: () => void query.refetch(),
  };
}

/** The same source with a part or another form of its data. */
export function mapSource<T, U>(source: DataSource<T>, map: (data: T) => U): DataSource<U> {
  return { ...source, data: source.data === undefined ? undefined : map(source.data) };
}

/** This server does not know the endpoint: missing, and retries do not help. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 501 || error.status === 404 || error.status === 405);
}
