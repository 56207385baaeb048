import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clone } from '../lib/builds.ts';
import { runDriver, runStatements } from '../lib/children.ts';
import { OUT, workFolder } from '../lib/paths.ts';

const FILE = 'usage.sqlite';

export interface DataFolder {
  readonly folder: string;
  readonly path: string;
}

/** Must not be changed; measures that write work on a copy. */
export interface BaseDatabase extends DataFolder {
  readonly events: number;
}

/** The databases of a clone, written by its own writer unless an earlier run left them. */
export interface Databases {
  events(events: number): Promise<BaseDatabase>;
  /** More events than the writer can write within minutes: copies of those of `base`, as denser traffic over the same time. */
  copies(base: BaseDatabase, events: number): Promise<BaseDatabase>;
}

/** @param fresh rebuild them, each once */
export function databasesOf(clone: Clone, fresh = false): Databases {
  const made = new Set<string>();

  async function cached(kind: string, events: number, build: (path: string) => Promise<void>): Promise<BaseDatabase> {
    const prefix = `${clone.label}-${kind}-${events}-`;
    const folder = join(OUT, prefix + clone.form);
    const database = { folder, path: join(folder, FILE), events };
    if (existsSync(database.path) && (!fresh || made.has(folder))) return database;
    mkdirSync(OUT, { recursive: true });
    for (const name of readdirSync(OUT)) if (name.startsWith(prefix)) rmSync(join(OUT, name), { recursive: true });
    console.error(`building the database of ${events.toLocaleString('en')} events (${clone.label}, ${kind}) …`);
    const startedMs = performance.now();
    const unfinished = workFolder();
    await build(join(unfinished, FILE));
    renameSync(unfinished, folder);
    made.add(folder);
    const seconds = (performance.now() - startedMs) / 1000;
    console.error(`  ${(statSync(database.path).size / 2 ** 20).toFixed(0)} MiB in ${seconds.toFixed(0)} s`);
    return database;
  }

  return {
    events: (events) =>
      cached('events', events, async (path) => {
        await runDriver(clone, 'drivers/write-events.ts', { path, events, seed: 1 });
        endAutomation(path);
      }),
    copies: (base, events) =>
      cached('copies', events, (path) => {
        const module = join(clone.root, 'bench/dataset/event-copies.ts');
        const call = `copyEvents(${[base.path, path, events].map((value) => JSON.stringify(value)).join(', ')}, () => {})`;
        return runStatements(clone, `import { copyEvents } from ${JSON.stringify(module)}; ${call}`);
      }),
  };
}

/**
 * Beside a gateway the account automation reads events as they come. Without this, every manager on a copy would read the
 * whole history while it is measured.
 */
function endAutomation(path: string): void {
  const db = new Database(path);
  db.run('DELETE FROM collected_batches');
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

export function copyOf(base: BaseDatabase): DataFolder & Disposable {
  const copy = emptyDataFolder();
  const { exitCode } = Bun.spawnSync(['cp', '--reflink=auto', base.path, copy.path]);
  if (exitCode !== 0) throw new Error('the database cannot be copied; is the disk full?');
  // Otherwise recent writes would be flushed during a measurement.
  Bun.spawnSync(['sync', '-f', copy.path]);
  return copy;
}

export function emptyDataFolder(): DataFolder & Disposable {
  const folder = workFolder();
  return {
    folder,
    path: join(folder, FILE),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Asks the kernel to drop a file from its page cache, as after a reboot. */
export function dropFromPageCache(path: string): void {
  Bun.spawnSync(['dd', `if=${path}`, 'iflag=nocache', 'count=0', 'status=none'], { cwd: dirname(path) });
}
