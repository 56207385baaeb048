import type { UseQueryResult } from '@tanstack/react-query';
import { ApiError } from './errors.ts';

/** Data on its way to a table, chart or tile: enough to tell its five states apart. */
export interface DataSource<T> {
  /** undefined = nothing has arrived yet. */
  readonly data: T | undefined;
  /** Of the last try, null = it succeeded. With data it means that the data are old. */
  readonly error: unknown;
  /** Time of the last good answer, ms. */
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

/** This server does not know the call: missing, not a failure that a retry could heal. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 501 || error.status === 404 || error.status === 405);
}
