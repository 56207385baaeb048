/** Errors whose message is written for the operator and holds no secret; a stack would only hide it. */
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

/** By name, so that nothing has to be loaded to ask. */
export function isOperatorError(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}

/** What the codes of SQLite and of the file system mean for a start that failed; the first that fits. */
const START_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  // The index of the write-ahead log grows in a file of its own.
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, 'the disk of the database is full; free space and start again'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'the database is damaged; restore a backup'],
  [/^SQLITE_(IOERR|CANTOPEN|READONLY)/, 'the database cannot be written; check its disk, directory and permissions'],
];

/** A sentence for the operator about an error of SQLite or of the disk; null when it is none of the known ones. */
export function startProblem(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return START_PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
