import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openMigrated } from '../../packages/server/src/schema/open-migrated.ts';
import { DEFAULT_SHAPE, generateFacts } from '../generate-facts.ts';
import { runChild } from '../lib/children.ts';
import { DATABASE_FILE, OUT, workFolder } from '../lib/paths.ts';
import { copyEvents } from './event-copies.ts';
import { storedForm } from './form.ts';
import { writePlainTable } from './plain-table.ts';

/** A data directory that must not be changed; measures that write work on a copy. */
export interface BaseDatabase {
  readonly folder: string;
  readonly path: string;
  readonly events: number;
}

/** The database of so many events, made through the writer of the product unless an earlier run left one. */
export async function eventDatabase(events: number, fresh: boolean): Promise<BaseDatabase> {
  return cached('events', events, fresh, async (path) => {
    await runChild('drivers/write-events.ts', { path, events, seed: 1 });
  });
}

/** A larger one in less time: facts that are written as segments, without an identity for every event. */
export async function factsDatabase(events: number, fresh: boolean): Promise<BaseDatabase> {
  return cached('facts', events, fresh, async (path) => generateFacts(path, { ...DEFAULT_SHAPE, events }));
}

/** More events than the writer takes in within minutes: copies of those of `base`, as denser traffic over the same time. */
export async function copiedDatabase(base: BaseDatabase, events: number, fresh: boolean): Promise<BaseDatabase> {
  const build = async (path: string) =>
    copyEvents(base.path, path, events, (done) => console.error(`  ${done.toLocaleString('en')} events`));
  return cached('copies', events, fresh, build, ['dataset/event-copies.ts', 'dataset/fact-copies.ts']);
}

/** The events of `base` as one plain table, without anything of the product. */
export async function plainDatabase(base: BaseDatabase, fresh: boolean): Promise<BaseDatabase> {
  const build = async (path: string) => writePlainTable(base.path, path);
  return cached('plain', base.events, fresh, build, ['dataset/plain-table.ts']);
}

async function cached(
  kind: string,
  events: number,
  fresh: boolean,
  build: (path: string) => Promise<void>,
  sources: readonly string[] = [],
): Promise<BaseDatabase> {
  const prefix = `${kind}-${events}-`;
  const folder = join(OUT, prefix + storedForm(sources));
  const path = join(folder, DATABASE_FILE);
  if (fresh) rmSync(folder, { recursive: true, force: true });
  if (existsSync(path)) {
    if (kind !== 'plain') bringUpToDate(path);
    return { folder, path, events };
  }
  mkdirSync(OUT, { recursive: true });
  for (const name of readdirSync(OUT)) if (name.startsWith(prefix)) rmSync(join(OUT, name), { recursive: true });
  console.error(`building ${kind} database of ${events.toLocaleString('en')} events …`);
  const started = performance.now();
  const unfinished = workFolder();
  await build(join(unfinished, DATABASE_FILE));
  renameSync(unfinished, folder);
  const seconds = (performance.now() - started) / 1000;
  console.error(`  ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB in ${seconds.toFixed(0)} s`);
  return { folder, path, events };
}

/** Runs the schema steps that came after the database was built. */
function bringUpToDate(path: string): void {
  const db = openMigrated(path, { now: Date.now, tempDirectory: dirname(path) });
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

export interface WorkingCopy {
  readonly folder: string;
  readonly path: string;
  remove(): void;
}

export function copyOf(base: BaseDatabase): WorkingCopy {
  const folder = workFolder();
  const path = join(folder, DATABASE_FILE);
  const { exitCode } = Bun.spawnSync(['cp', '--reflink=auto', base.path, path]);
  if (exitCode !== 0) throw new Error('the database cannot be copied; is the disk full?');
  // What was just written would otherwise be flushed in the middle of a measurement.
  Bun.spawnSync(['sync', '-f', path]);
  return { folder, path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function emptyDataFolder(): WorkingCopy {
  const folder = workFolder();
  return { folder, path: join(folder, DATABASE_FILE), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Asks the kernel to forget the pages of a file, as after a restart of the machine. */
export function dropFromPageCache(path: string): void {
  Bun.spawnSync(['dd', `if=${path}`, 'iflag=nocache', 'count=0', 'status=none'], { cwd: dirname(path) });
}
