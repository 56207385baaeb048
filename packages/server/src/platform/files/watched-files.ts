import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { errorCode } from './held-files.ts';

/** Files that this process has open, and that may be removed or replaced under it. */
export interface WatchedFiles {
  /** The first path that does not lead to its file any more, else null. */
  lost(): string | null;
  /** Only after all other use of the files in this process: it drops the locks on them. */
  close(): void;
}

/**
 * Keeps the files open, so that they can be compared with what their paths lead to now. Numbers of earlier would not do: some file systems
 * change them. A missing file is not watched.
 */
export function watchFiles(paths: readonly string[]): WatchedFiles {
  // Windows does not let anyone remove an open database.
  const known = process.platform === 'win32' ? [] : paths.flatMap((path) => openedAs(path));
  return {
    lost: () => known.find(({ path, file }) => !isSame(path, file))?.path ?? null,
    close() {
      for (const { file } of known.splice(0)) closeSync(file);
    },
  };
}

function openedAs(path: string): { readonly path: string; readonly file: number }[] {
  try {
    return [{ path, file: openSync(path, 'r') }];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** An error that says nothing about the file counts as the same file. */
function isSame(path: string, file: number): boolean {
  try {
    const now = statSync(path, { bigint: true });
    const opened = fstatSync(file, { bigint: true });
    return now.ino === opened.ino && now.dev === opened.dev;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
