import { fileErrorProblem } from '../../platform/files/access-problem.ts';

/** Errors whose message is for the operator and contains no secret; a stack would only hide it. */
const NAMES: ReadonlySet<string> = new Set([
  'CommandError',
  'ConfigError',
  'ConnectionConflict',
  'DatabaseRefused',
  'DataKeyError',
  'ListenError',
  'LockError',
  'SourceRefused',
  'UsageError',
]);

/** By name, so that no module has to be loaded for it. */
export function isOperatorError(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}

/** What error codes of SQLite and of the file system mean for a failed start; the first match counts. */
const START_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  // The index of the write-ahead log is a file that grows separately.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, 'the disk of the database is full; free space and start again'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'the database is damaged; restore a backup'],
  [/^SQLITE_(IOERR|CANTOPEN|READONLY)/, 'the database cannot be written; check its disk, directory and permissions'],
];

/** A message for the operator about an error of SQLite or of the disk; null for unknown ones. */
export function startProblem(error: unknown): string | null {
  const blocked = fileErrorProblem(error);
  if (blocked !== null) return blocked;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return START_PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
