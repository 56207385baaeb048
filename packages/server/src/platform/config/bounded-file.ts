import { closeSync, openSync, readSync } from 'node:fs';

/** Far above every key, far below the output of a device file or a wrong path. */
const MAX_BYTES = 64 * 1024;

/**
 * Text of a small file. Pipes are read too, because shells and service managers pass secrets that way.
 *
 * @throws when it is unreadable, or larger than any key.
 */
export function readSmallFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let size = 0;
    for (;;) {
      const read = readSync(file, bytes, size, bytes.length - size, null);
      size += read;
      if (size > MAX_BYTES) throw new Error('too large for a key');
      if (read === 0) return bytes.toString('utf8', 0, size);
    }
  } finally {
    closeSync(file);
  }
}
