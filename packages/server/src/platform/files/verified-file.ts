import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

export const POSIX = process.platform !== 'win32';

/**
 * A file or directory is not as required: a link, another kind, accessible to others, or replaced. The message contains its
 * path.
 */
export class UnsafeFileError extends Error {
  override readonly name = 'UnsafeFileError';
}

export interface OpenOptions {
  /** Also for writing at given positions; the file must exist. */
  readonly write?: boolean;
  /** Refuses a file that its group or others may use. Not checked on Windows. */
  readonly requirePrivate?: boolean;
}

/** A regular file that was not a link when it was opened. */
export interface VerifiedFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Bytes when it was opened. */
  readonly size: number;
  /** @throws UnsafeFileError when the name refers to another file by now. Call it after reading. */
  requireUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a regular file without following a link, and makes sure that the opened file is the checked one.
 *
 * @throws UnsafeFileError; the error of the file system, for example `ENOENT`
 */
export async function openVerified(path: string, options: OpenOptions = {}): Promise<VerifiedFile> {
  const seen = await lstatRegular(path, options);
  // A pipe that replaced the file meanwhile must not block the open.
  const extra = POSIX ? constants.O_NOFOLLOW | constants.O_NONBLOCK : 0;
  const handle = await open(path, (options.write === true ? constants.O_RDWR : constants.O_RDONLY) | extra);
  try {
    const opened = await handle.stat({ bigint: true });
    if (!isSame(seen, opened)) throw new UnsafeFileError(`${path} was replaced while it was opened`);
    const close = () => handle.close();
    return {
      handle,
      size: Number(opened.size),
      async requireUnchanged() {
        if (!isSame(opened, await lstatRegular(path, options)))
          throw new UnsafeFileError(`${path} was replaced while it was read`);
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await handle.close().catch(() => {});
    throw error;
  }
}

/** @throws UnsafeFileError unless it is a real directory, private if required. */
export async function requireDirectory(path: string, requirePrivate = false): Promise<void> {
  const stats = await lstat(path, { bigint: true });
  if (stats.isSymbolicLink() || !stats.isDirectory()) throw new UnsafeFileError(`${path} is not a directory`);
  if (requirePrivate) refuseShared(path, stats);
}

async function lstatRegular(path: string, options: OpenOptions): Promise<BigIntStats> {
  const stats = await lstat(path, { bigint: true });
  if (!stats.isFile()) throw new UnsafeFileError(`${path} is not a regular file`);
  if (options.requirePrivate === true) refuseShared(path, stats);
  return stats;
}

function refuseShared(path: string, stats: BigIntStats): void {
  if (POSIX && (stats.mode & 0o077n) !== 0n)
    throw new UnsafeFileError(
      `${path} is accessible to others; remove the permissions of group and others (chmod go=)`,
    );
}

function isSame(left: BigIntStats, right: BigIntStats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}
