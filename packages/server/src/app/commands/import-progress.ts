import type { ImportProgress } from '../../features/transfer/foreign/checkpoint.ts';

const PRINT_EVERY_MS = 2_000;

/** Prints rows per second and the remaining time at intervals. Progress is estimated from the row ids. */
export function createImportProgress(deps: {
  readonly range: { readonly first: number; readonly last: number } | null;
  readonly now: () => number;
  readonly print: (line: string) => void;
}): (progress: ImportProgress) => void {
  const { range, now, print } = deps;
  const startedAt = now();
  let printedAt = startedAt;
  let first: ImportProgress | null = null;
  return (progress) => {
    first ??= progress;
    const at = now();
    if (at - printedAt < PRINT_EVERY_MS) return;
    printedAt = at;
    const seconds = (at - startedAt) / 1000;
    const perSecond = Math.round((progress.read - first.read) / seconds);
    const idsPerSecond = (progress.lastRowId - first.lastRowId) / seconds;
    const left =
      range === null || idsPerSecond <= 0 ? '?' : Math.ceil((range.last - progress.lastRowId) / idsPerSecond);
    print(`${progress.read} rows, ${progress.added} added, ${perSecond} rows/s, ${left} s left`);
  };
}
