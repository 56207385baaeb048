import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { PayloadInput } from './input.ts';

const READ_BYTES = 256 * 1024;

/** A file needs no buffer: marked bytes are read again. */
export function openFileInput(path: string): PayloadInput {
  // Not on every platform.
  const noFollow = constants.O_NOFOLLOW ?? 0;
  const file = openSync(path, constants.O_RDONLY | noFollow);
  if (!fstatSync(file).isFile()) {
    closeSync(file);
    throw new Error('not a regular file');
  }
  const buffer = new Uint8Array(READ_BYTES);
  let at = 0;
  let marked = 0;
  return {
    read() {
      const found = readSync(file, buffer, 0, buffer.length, at);
      at += found;
      return found === 0 ? null : buffer.subarray(0, found);
    },
    mark(unread) {
      marked = at - unread.length;
    },
    readAt: (offset, target) => readSync(file, target, 0, target.length, marked + offset),
    rewind(offset) {
      at = marked + offset;
    },
    close: () => closeSync(file),
  };
}
