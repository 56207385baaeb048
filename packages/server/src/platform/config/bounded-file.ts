import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A file that cannot hold a key. The message is for the operator and has the path. */
export class SmallFileError extends Error {
  override readonly name = 'SmallFileError';
}

/** Far above every key, far below the output of a device file or a wrong path. */
const MAX_BYTES = 64 * 1024;
/** A pipe whose writer is slower, or never comes, must not hold up the start. */
const PIPE_PATIENCE_MS = 5_000;
const PIPE_POLL_MS = 20;

/**
 * Content of a small file. Pipes are read too, because shells and service managers pass secrets that way.
 *
 * @throws SmallFileError for one that is larger than any key, and for a pipe into which nobody writes; the error of the file system
 */
export function readSmallFile(path: string, patienceMs = PIPE_PATIENCE_MS): Buffer {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const isPipe = fstatSync(file).isFIFO();
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    const endMs = performance.now() + patienceMs;
    let size = 0;
    for (;;) {
      const read = tryRead(file, bytes, size);
      if (read !== null) size += read;
      if (size > MAX_BYTES) throw new SmallFileError(`${path} is larger than ${MAX_BYTES / 1024} KiB, which no key is`);
      // The end of a pipe before the first byte: its writer has not come yet.
      const isOver = read === 0 && !(isPipe && size === 0);
      if (isOver) return bytes.subarray(0, size);
      if (read !== null && read > 0) continue;
      if (performance.now() >= endMs) {
        if (read === 0) return Buffer.alloc(0);
        throw new SmallFileError(`${path} is a pipe into which nobody writes`);
      }
      Bun.sleepSync(PIPE_POLL_MS);
    }
  } finally {
    closeSync(file);
  }
}

/** null = a pipe has nothing yet. */
function tryRead(file: number, bytes: Buffer, at: number): number | null {
  try {
    return readSync(file, bytes, at, bytes.length - at, null);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return null;
    throw error;
  }
}
