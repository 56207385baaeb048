import { isRecord } from '../../platform/browser/storage.ts';

/** Provider key lists of the gateway; older versions lack some of them. */
export const KEY_LISTS = [
  'gemini-api-key',
  'interactions-api-key',
  'codex-api-key',
  'xai-api-key',
  'claude-api-key',
  'vertex-api-key',
] as const;

export interface AccountCounts {
  readonly all: number;
  readonly on: number;
  /** Enabled, but the gateway reports that they do not work. */
  readonly failing: number;
}

export function countAccounts(files: readonly unknown[]): AccountCounts {
  const rows = files.filter(isRecord);
  const on = rows.filter((row) => row.disabled !== true);
  const failing = on.filter((row) => row.unavailable === true || row.status === 'error');
  return { all: rows.length, on: on.length, failing: failing.length };
}

export interface KeyCounts {
  readonly keys: number;
  readonly providers: number;
}

export function countProviderKeys(lists: readonly (readonly unknown[])[]): KeyCounts {
  const counts = lists.map((list) => list.length);
  return { keys: counts.reduce((sum, count) => sum + count, 0), providers: counts.filter((count) => count > 0).length };
}

export interface Compatible {
  readonly all: number;
  readonly off: number;
}

export function countCompatible(entries: readonly unknown[]): Compatible {
  const rows = entries.filter(isRecord);
  return { all: rows.length, off: rows.filter((row) => row.disabled === true).length };
}

export interface ErrorLogs {
  readonly files: number;
  /** ms, null = none. */
  readonly newestMs: number | null;
}

/** Files have their time in Unix seconds. */
export function countErrorLogs(files: readonly unknown[]): ErrorLogs {
  const times = files.flatMap((file) =>
    isRecord(file) && typeof file.modified === 'number' && file.modified > 0 ? [file.modified * 1000] : [],
  );
  return { files: files.length, newestMs: times.length === 0 ? null : Math.max(...times) };
}
