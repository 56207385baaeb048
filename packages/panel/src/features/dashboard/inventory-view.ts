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

/** Rows of an answer: bare, or under its name. */
export function rowsIn(answer: unknown, member: string): readonly unknown[] {
  const list = isRecord(answer) ? answer[member] : answer;
  return Array.isArray(list) ? list : [];
}

export function countAccounts(answer: unknown): AccountCounts {
  const rows = rowsIn(answer, 'files').filter(isRecord);
  const on = rows.filter((row) => row.disabled !== true);
  const failing = on.filter((row) => row.unavailable === true || row.status === 'error');
  return { all: rows.length, on: on.length, failing: failing.length };
}

export interface KeyCounts {
  readonly keys: number;
  readonly providers: number;
}

/** Answers of the lists, in their order; null = the gateway does not have the list. */
export function countProviderKeys(answers: readonly unknown[]): KeyCounts {
  const counts = KEY_LISTS.map((name, index) => rowsIn(answers[index], name).length);
  return { keys: counts.reduce((sum, count) => sum + count, 0), providers: counts.filter((count) => count > 0).length };
}

export interface Compatible {
  readonly all: number;
  readonly off: number;
}

export function countCompatible(answer: unknown): Compatible {
  const rows = rowsIn(answer, 'openai-compatibility').filter(isRecord);
  return { all: rows.length, off: rows.filter((row) => row.disabled === true).length };
}

export interface ErrorLogs {
  readonly files: number;
  /** ms, null = none. */
  readonly newestMs: number | null;
}

/** Files have their time in Unix seconds. */
export function countErrorLogs(answer: unknown): ErrorLogs {
  const times = rowsIn(answer, 'files').flatMap((file) =>
    isRecord(file) && typeof file.modified === 'number' && file.modified > 0 ? [file.modified * 1000] : [],
  );
  return { files: rowsIn(answer, 'files').length, newestMs: times.length === 0 ? null : Math.max(...times) };
}
