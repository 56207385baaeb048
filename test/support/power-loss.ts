import { cpSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loseUnsynced } from './durable-files.ts';
import { type ManagerOptions, temporaryFolder } from './manager-process.ts';

/** A data directory whose server can be killed together with the power. */
export interface PoweredDirectory {
  readonly dataDir: string;
  /** Environment and preload the server needs. */
  readonly options: Pick<ManagerOptions, 'env' | 'preload'>;
  /** Cuts the power of a killed server: every unsynced write is lost. Returns the data directory. */
  lose(): string;
  remove(): void;
}

/**
 * The strictest possible file system, for the files of one directory of the data directory. The database is trusted: what it
 * committed stays.
 */
export function strictDirectory(name: string, source?: string): PoweredDirectory {
  const dataDir = temporaryFolder();
  const record = temporaryFolder();
  if (source !== undefined) cpSync(source, dataDir, { recursive: true, preserveTimestamps: true });
  const directory = join(dataDir, name);
  return {
    dataDir,
    options: {
      preload: join(import.meta.dir, 'preload-durable-files.ts'),
      env: { DURABLE_DIRECTORY: directory, DURABLE_RECORD: record },
    },
    lose() {
      loseUnsynced(directory, record);
      return dataDir;
    },
    remove() {
      for (const folder of [dataDir, record]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const MEDIUM_BYTES = 96 * 1024 * 1024;

/**
 * A real file system with a journal on its own medium, database included. The medium is copied at the moment of the loss and
 * mounted again, as after the next boot; what was only in kernel memory is lost.
 */
export function mediumDirectory(source?: string): PoweredDirectory {
  const base = temporaryFolder();
  const [before, after] = [mediumIn(base, 'before'), mediumIn(base, 'after')];
  writeFileSync(before.image, '');
  truncateSync(before.image, MEDIUM_BYTES);
  run('mkfs.ext4', '-q', '-F', before.image);
  before.mount();
  mkdirSync(before.dataDir);
  if (source !== undefined) cpSync(source, before.dataDir, { recursive: true, preserveTimestamps: true });
  run('sync', '-f', before.folder);
  return {
    dataDir: before.dataDir,
    options: {},
    lose() {
      run('cp', '--sparse=always', before.image, after.image);
      after.mount();
      return after.dataDir;
    },
    remove() {
      for (const { folder } of [before, after]) Bun.spawnSync(['umount', '-l', folder]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function mediumIn(base: string, name: string) {
  const image = join(base, `${name}.image`);
  const folder = join(base, name);
  mkdirSync(folder);
  return {
    image,
    folder,
    dataDir: join(folder, 'data'),
    mount() {
      // Nothing is written before a sync: no timed commit, no flush when a file is replaced.
      run('mount', '-o', 'loop,commit=300,noauto_da_alloc', image, folder);
    },
  };
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command[0]} is needed, and the rights to mount (root): ${stderr.toString()}`);
}
