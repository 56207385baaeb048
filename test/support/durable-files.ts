import {
  copyFileSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * What survives a power loss under the strictest reading of a file system's promises: of a file, the content of its last sync; of
 * a name, its target at the last sync of its directory. `recordSyncs` is loaded into the server first
 * (`preload-durable-files.ts`) and records this; `loseUnsynced` replaces the directory with it.
 */

interface Handle {
  readonly fd: number;
  sync(): Promise<void>;
}

interface Entry {
  readonly inode: number;
  readonly isDirectory: boolean;
}

/** In every thread of the server that writes files. */
export function recordSyncs(record: string): void {
  const files = require('node:fs/promises') as { open(...args: unknown[]): Promise<Handle> };
  const open = files.open;
  let isPatched = false;
  files.open = async (...args) => {
    const handle = await open(...args);
    if (isPatched) return handle;
    isPatched = true;
    const prototype = Object.getPrototypeOf(handle) as Handle;
    const sync = prototype.sync;
    prototype.sync = async function (this: Handle) {
      await sync.call(this);
      note(`/proc/self/fd/${this.fd}`, fstatSync(this.fd), record);
    };
    return handle;
  };
}

/** What exists when the server starts was synced long ago. */
export function recordAll(directory: string, record: string): void {
  mkdirSync(record, { recursive: true });
  if (!existsSync(directory)) return;
  note(directory, lstatSync(directory), record);
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (lstatSync(path).isDirectory()) recordAll(path, record);
    else note(path, lstatSync(path), record);
  }
}

function note(path: string, stats: { readonly ino: number; isFile(): boolean }, record: string): void {
  const target = join(record, String(stats.ino));
  if (stats.isFile()) {
    copyFileSync(path, target);
    return;
  }
  const names = readdirSync(path).map((name): [string, Entry] => {
    const entry = lstatSync(join(path, name));
    return [name, { inode: entry.ino, isDirectory: entry.isDirectory() }];
  });
  writeFileSync(target, JSON.stringify(Object.fromEntries(names)));
}

export function loseUnsynced(directory: string, record: string): void {
  const { ino } = lstatSync(directory);
  rmSync(directory, { recursive: true });
  restore(directory, ino, record);
}

function restore(directory: string, inode: number, record: string): void {
  mkdirSync(directory, { mode: 0o700 });
  for (const [name, entry] of Object.entries(namesOf(inode, record))) {
    const path = join(directory, name);
    if (entry.isDirectory) restore(path, entry.inode, record);
    else writeFileSync(path, durable(entry.inode, record) ?? '', { mode: 0o600 });
  }
}

/** A directory that was never synced is empty. */
function namesOf(inode: number, record: string): Readonly<Record<string, Entry>> {
  const text = durable(inode, record);
  return text === null ? {} : (JSON.parse(text.toString()) as Record<string, Entry>);
}

function durable(inode: number, record: string): Buffer | null {
  const path = join(record, String(inode));
  return existsSync(path) ? readFileSync(path) : null;
}
