import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { accessProblem } from './access-problem.ts';
import { errorCode, retryHeld } from './held-files.ts';
import {
  type OpenOptions,
  openVerified,
  POSIX,
  requireDirectory,
  UnsafeFileError,
  type VerifiedFile,
} from './verified-file.ts';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

interface DirectoryEntry {
  readonly name: string;
  /** A link is `other`, whatever its target. */
  readonly kind: 'file' | 'directory' | 'other';
}

interface PublishOptions {
  /** Called when the complete file is on disk under its temporary name, before the rename. */
  readonly beforeRename?: () => void;
}

/**
 * A directory of ours with private files: modes 0700 and 0600, whatever the umask. Neither it nor its entries may be links,
 * which is checked at every use; the path to its base was resolved once, so that a data directory behind a link works. Names
 * are plain file names. Errors of the file system are passed on.
 */
export interface PrivateDirectory {
  /** Its absolute path, or that of an entry. */
  path(name?: string): string;
  /** Creates a file that must not exist yet, open for reading and writing. */
  create(name: string): Promise<FileHandle>;
  /**
   * Writes a complete file, replacing an older one: it is written and synced under a temporary name, renamed, and the directory
   * is synced. On failure the old file stays and the temporary file is removed.
   *
   * @param name may be a function, called after the content was written, when it depends on the content
   */
  publish(
    name: string | (() => string),
    content: string | Uint8Array | ((file: FileHandle) => Promise<void>),
    options?: PublishOptions,
  ): Promise<void>;
  /** @throws UnsafeFileError for anything but a regular file with a single name. */
  open(name: string, options?: OpenOptions): Promise<VerifiedFile>;
  /** The whole content. @throws UnsafeFileError also when it is larger than the limit or was replaced meanwhile. */
  read(name: string, options: OpenOptions & { readonly limitBytes: number }): Promise<Uint8Array>;
  /** Removes a file or a link, never its target; false = missing. */
  remove(name: string): Promise<boolean>;
  /** In name order. */
  list(): Promise<readonly DirectoryEntry[]>;
  /** Removes the temporary files of a crash; returns their number. */
  removeTemporary(): Promise<number>;
  /** A directory inside it; created unless `create` is false, then a missing one is `ENOENT`. */
  subdirectory(name: string, options?: { readonly create?: boolean }): Promise<PrivateDirectory>;
  /** Repeats the checks of every use. @throws UnsafeFileError */
  verify(options?: { readonly requirePrivate?: boolean }): Promise<void>;
  /** Makes creations, renames and removals in it durable. */
  sync(): Promise<void>;
}

interface PrivateDirectoryOptions {
  /** Names of temporary files of `publish`, also in its subdirectories. Default `.publish-` and `.tmp`. */
  readonly temporary?: { readonly prefix: string; readonly suffix: string };
}

/**
 * Opens the directory `name` below `base`, creating both if missing.
 *
 * @throws UnsafeFileError when the directory itself is a link, no directory, or may not be used
 * @example const imports = await openPrivateDirectory(dataDir, 'usage-imports');
 */
export async function openPrivateDirectory(
  base: string,
  name: string,
  options: PrivateDirectoryOptions = {},
): Promise<PrivateDirectory> {
  await mkdir(base, { recursive: true, mode: DIRECTORY_MODE });
  const directory = privateDirectory(join(await realpath(base), plain(name)), [], options);
  await createDirectory(directory.path());
  await directory.verify();
  const problem = accessProblem(directory.path(), 'write');
  if (problem !== null) throw new UnsafeFileError(problem);
  return directory;
}

function privateDirectory(
  directory: string,
  /** The directories between the base and this one, outermost first. */
  above: readonly string[],
  options: PrivateDirectoryOptions,
): PrivateDirectory {
  const chain = [...above, directory];
  const { prefix, suffix } = options.temporary ?? { prefix: '.publish-', suffix: '.tmp' };
  const path = (name?: string) => (name === undefined ? directory : join(directory, plain(name)));

  async function verify({ requirePrivate = false } = {}): Promise<void> {
    for (const each of chain) await requireDirectory(each, requirePrivate);
  }

  async function create(name: string): Promise<FileHandle> {
    await verify();
    const handle = await open(path(name), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, FILE_MODE);
    try {
      // The umask must not decide.
      if (POSIX) await handle.chmod(FILE_MODE);
      return handle;
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
  }

  async function remove(name: string): Promise<boolean> {
    await verify();
    try {
      await retryHeld(() => unlink(path(name)));
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  async function list(): Promise<readonly DirectoryEntry[]> {
    await verify();
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .map((entry): DirectoryEntry => ({ name: entry.name, kind: kindOf(entry) }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  }

  async function sync(): Promise<void> {
    // Windows has no such call; renames are written through there.
    if (!POSIX) return;
    const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return {
    path,
    create,
    remove,
    list,
    sync,
    verify,
    async publish(name, content, { beforeRename } = {}) {
      // An invalid name is refused before anything is written.
      const known = typeof name === 'string' ? path(name) : null;
      const temporary = `${prefix}${randomBytes(8).toString('hex')}${suffix}`;
      const handle = await create(temporary);
      try {
        try {
          await (typeof content === 'function' ? content(handle) : handle.writeFile(content));
          await handle.sync();
        } finally {
          await handle.close();
        }
        beforeRename?.();
        const target = known ?? path(typeof name === 'function' ? name() : name);
        await retryHeld(() => rename(path(temporary), target));
      } catch (error) {
        // The first error is the one to report.
        await remove(temporary).catch(() => {});
        throw error;
      }
      await sync();
    },
    async open(name, openOptions) {
      await verify(openOptions);
      return openVerified(path(name), openOptions);
    },
    async read(name, { limitBytes, ...openOptions }) {
      await verify(openOptions);
      await using file = await openVerified(path(name), openOptions);
      if (file.size > limitBytes) throw new UnsafeFileError(`${path(name)} is larger than ${limitBytes} bytes`);
      const content = await readExactly(file.handle, file.size);
      await file.requireUnchanged();
      return content;
    },
    async removeTemporary() {
      const left = (await list()).filter(
        (entry) => entry.kind !== 'directory' && entry.name.startsWith(prefix) && entry.name.endsWith(suffix),
      );
      for (const entry of left) await remove(entry.name);
      return left.length;
    },
    async subdirectory(name, { create: mayCreate = true } = {}) {
      await verify();
      const inner = privateDirectory(path(name), chain, options);
      if (mayCreate && (await createDirectory(inner.path()))) await sync();
      await inner.verify();
      return inner;
    },
  };
}

/** A file that is cut during the read returns less. */
async function readExactly(handle: FileHandle, size: number): Promise<Uint8Array> {
  const content = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(content, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return content.subarray(0, filled);
}

/** True when it was just created. */
async function createDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: DIRECTORY_MODE });
    if (POSIX) await chmod(path, DIRECTORY_MODE);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A name that stays inside its directory. */
function plain(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
    throw new UnsafeFileError('not a plain file name');
  return name;
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): DirectoryEntry['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}
