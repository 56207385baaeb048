import { codeOf } from './worker/errors.ts';

/** The index of the write-ahead log is a file that grows separately. */
const DISK_FULL = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/;

/** The path of the database leads to another file than the one that is open. */
export const DATABASE_REPLACED = 'DATABASE_REPLACED';

const ADVICE: readonly (readonly [pattern: RegExp, text: string])[] = [
  [DISK_FULL, 'the disk is full; free space on the volume of the database'],
  [/^SQLITE_(BUSY|LOCKED)/, 'the database is locked by another program'],
  [/^(SQLITE_READONLY|EROFS|EACCES|EPERM)/, 'the database cannot be written; check the permissions of its directory'],
  [/^(SQLITE_IOERR|EIO)/, 'the disk reports an error'],
  [
    /^DATABASE_REPLACED/,
    'the database file was removed or replaced while the manager runs; stop the manager, put the right files in place, and start it',
  ],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'the database file is damaged'],
  [/^SQLITE_NOMEM/, 'out of memory'],
];

/** The operator's message for a failed write; never SQL or a path. */
export function databaseProblem(error: unknown): string {
  const code = codeOf(error);
  const unknown = 'the database did not accept the write';
  return knownProblem(error) ?? (code === '' ? unknown : `${unknown} (${code})`);
}

/** The same where the code says what is wrong, else null. */
export function knownProblem(error: unknown): string | null {
  const code = codeOf(error);
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1];
  return advice === undefined ? null : `${advice} (${code})`;
}

export function isDiskFull(error: unknown): boolean {
  return DISK_FULL.test(codeOf(error));
}
