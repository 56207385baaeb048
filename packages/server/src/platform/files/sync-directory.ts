import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes creations, renames and removals in a directory durable. Windows cannot open one, and needs no such call. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
