import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { PayloadRefused } from './refused.ts';

const MEMORY_BYTES = 10 * 1024 * 1024;
const SPOOL_BYTES = 64 * 1024 * 1024;
const PREFIX = 'spool-';

export interface SpoolOptions {
  /** Folder of the files; created on demand. */
  readonly directory: string;
  /** Unique part of a file name. */
  readonly newId: () => string;
}

/** Bytes that are read a second time: in memory, and in a separate file once they are many. */
export interface Spool {
  readonly size: number;
  append(bytes: Uint8Array): void;
  readAt(offset: number, target: Uint8Array): number;
  dispose(): void;
}

export function createSpool(options: SpoolOptions): Spool {
  let memory = new Uint8Array(64 * 1024);
  let file: { readonly descriptor: number; readonly path: string } | null = null;
  let size = 0;

  function writeAll(descriptor: number, bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
    }
  }

  return {
    get size() {
      return size;
    },
    append(bytes) {
      const total = size + bytes.length;
      if (total > SPOOL_BYTES) {
        throw new PayloadRefused(`an object is larger than ${SPOOL_BYTES} bytes; use an import session`);
      }
      if (file === null && total > MEMORY_BYTES) {
        file = openSpoolFile(options);
        writeAll(file.descriptor, memory.subarray(0, size), 0);
        memory = new Uint8Array();
      }
      if (file !== null) {
        writeAll(file.descriptor, bytes, size);
      } else {
        if (total > memory.length) {
          const grown = new Uint8Array(Math.min(Math.max(total, memory.length * 2), MEMORY_BYTES));
          grown.set(memory.subarray(0, size));
          memory = grown;
        }
        memory.set(bytes, size);
      }
      size = total;
    },
    readAt(offset, target) {
      const wanted = Math.min(target.length, size - offset);
      if (wanted <= 0) return 0;
      if (file !== null) return readSync(file.descriptor, target, 0, wanted, offset);
      target.set(memory.subarray(offset, offset + wanted));
      return wanted;
    },
    dispose() {
      memory = new Uint8Array();
      size = 0;
      if (file === null) return;
      closeSync(file.descriptor);
      rmSync(file.path, { force: true });
      file = null;
    },
  };
}

function openSpoolFile({ directory, newId }: SpoolOptions): { readonly descriptor: number; readonly path: string } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (lstatSync(directory).isSymbolicLink()) throw new Error('the import directory is a symbolic link');
  chmodSync(directory, 0o700);
  const path = join(directory, `${PREFIX}${newId()}`);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    chmodSync(path, 0o600);
    // Without a name nothing can be left; where an open file cannot be removed, `dispose` does it.
    rmSync(path, { force: true });
  } catch {
    // Same as above.
  }
  return { descriptor, path };
}

/** Removes leftovers of a killed process, where they could not be prevented. */
export function removeLeftSpools(directory: string): void {
  let names: string[];
  try {
    if (lstatSync(directory).isSymbolicLink()) return;
    names = readdirSync(directory);
  } catch {
    return;
  }
  for (const name of names) if (name.startsWith(PREFIX)) rmSync(join(directory, name), { force: true });
}
