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
 * What of a directory would survive the loss of power, under the strictest reading of what a file system promises: of a file,
 * the content of its last sync; of a name, what it led to at the last sync of its directory. `recordSyncs` is loaded into the
 * server before anything else (`preload-durable-files.ts`) and writes this down; `loseUnsynced` puts it in place of the directory.
 */

interface Handle {
  readonly fd: number;
  sync(): Promise<void>;
}

export function recordSyncs(directory: string, record: string): void {
  mkdirSync(record, { recursive: true });
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
      note(this.fd, directory, record);
    };
    return handle;
  };
}

function note(fd: number, directory: string, record: string): void {
  const stats = fstatSync(fd);
  if (stats.isFile()) copyFileSync(`/proc/self/fd/${fd}`, join(record, String(stats.ino)));
  else if (stats.ino === lstatSync(directory).ino) {
    const names = readdirSync(directory).map((name) => [name, lstatSync(join(directory, name)).ino]);
    writeFileSync(join(record, 'names'), JSON.stringify(Object.fromEntries(names)));
  }
}

export function loseUnsynced(directory: string, record: string): void {
  const names = JSON.parse(readFileSync(join(record, 'names'), 'utf8')) as Record<string, number>;
  rmSync(directory, { recursive: true });
  mkdirSync(directory, { mode: 0o700 });
  for (const [name, inode] of Object.entries(names)) {
    const content = join(record, String(inode));
    writeFileSync(join(directory, name), existsSync(content) ? readFileSync(content) : '', { mode: 0o600 });
  }
}
