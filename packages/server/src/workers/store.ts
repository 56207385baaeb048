import type { DatabaseFiles } from '@manager/core/contract/system/status';
import { SEGMENT_ROWS } from '../facts/columns.ts';
import { watchFiles } from '../platform/files/watched-files.ts';
import type { MemoryShares } from '../platform/memory/budget.ts';
import { openMigrated } from '../schema/open-migrated.ts';
import { createCheckpointer } from '../sqlite/checkpointer.ts';
import type { OperationClient, RunOptions } from '../sqlite/contexts.ts';
import { createUpkeep, type UpkeepLog } from '../sqlite/upkeep.ts';
import { createWorkerClient } from '../sqlite/worker/client.ts';
import { workerEntry } from '../sqlite/worker/entry.ts';
import type { CheckpointerInit, CheckpointerOperations } from './checkpointer.ts';
import { DATABASE_WORKERS } from './entries.ts';
import { createFileGuard } from './file-guard.ts';
import type { Reads } from './operations/reads.ts';
import type { Writes } from './operations/writes.ts';
import type { ReaderInit } from './reader.ts';
import { createSealer, type Sealer } from './sealer.ts';
import { createSumsKeeper } from './sums-keeper.ts';
import type { WriterInit } from './writer.ts';

export interface StoreOptions {
  /** Canonical path; its process lock is held. Already migrated by `openMigrated`. */
  readonly path: string;
  /** False: the hourly rollup is not updated. */
  readonly hourlyRollup: boolean;
  readonly now: () => number;
  readonly log: UpkeepLog;
  /** Files without which what is written would be lost: nothing is written while one of them is another than at the start. */
  readonly watched?: readonly string[];
  /** Most row readers; each starts when an operation waits for the others. Default 2, one per expected core. */
  readonly readers?: number;
  /** Pages of the database in the writer and in each reader. */
  readonly memory?: Pick<MemoryShares, 'writerPageBytes' | 'readerPageBytes'>;
  /** Deadline of a read. Default 30,000: then the panel times out. */
  readonly readDeadlineMs?: number;
  /** Facts of a segment. Tests use fewer than the default. */
  readonly segmentRows?: number;
}

/** The server's database: one writer, some readers, upkeep. */
export interface Store {
  readonly writer: OperationClient<Writes>;
  readonly reader: OperationClient<Reads>;
  /** The `database` object of `/status`. */
  databaseFiles(): DatabaseFiles | null;
  /** Seals the oldest facts of the tail, however few they are. False when others were sealed meanwhile. */
  sealOldest(rowCount: number): Promise<boolean>;
  /** Stores the sums of segments that have none; otherwise once a minute. Never rejects. */
  storeMissingSums(): Promise<void>;
  /** Updates the hourly rollup where it is behind, unless it is disabled. Never rejects. */
  catchUpHourlyRollup(): Promise<void>;
  /** Finishes accepted operations, then ends all workers. */
  close(): Promise<void>;
}

const TICK_MS = 1_000;
const READER_REST_MS = 60_000;

/** Creates or upgrades the database, then closes it again: workers open it themselves. At start. */
export function prepareStore(
  path: string,
  options: { readonly now: () => number; readonly tempDirectory: string },
): void {
  openMigrated(path, options).close();
}

export function openStore(options: StoreOptions): Store {
  const { path, now, log } = options;
  const writerInit: WriterInit = {
    path,
    hourlyRollup: options.hourlyRollup,
    pageBytes: options.memory?.writerPageBytes,
    preparer: String(workerEntry(DATABASE_WORKERS.preparer)),
  };
  const writer = createWorkerClient<Writes>({
    name: 'database writer',
    entry: workerEntry(DATABASE_WORKERS.writer),
    init: writerInit,
  });
  const readerInit: ReaderInit = { path, pageBytes: options.memory?.readerPageBytes };
  const reader = createWorkerClient<Reads>({
    name: 'database reader',
    entry: workerEntry(DATABASE_WORKERS.reader),
    init: readerInit,
    size: options.readers ?? 2,
    // With an open panel none is without work for that long; seven megabytes each.
    lasting: 0,
    restMs: READER_REST_MS,
    deadlineMs: options.readDeadlineMs ?? 30_000,
    stoppable: true,
  });
  const checkpointerInit: CheckpointerInit = { path };
  const checkpointWorker = createWorkerClient<CheckpointerOperations>({
    name: 'database checkpointer',
    entry: workerEntry(DATABASE_WORKERS.checkpointer),
    init: checkpointerInit,
    lasting: 0,
  });
  const checkpointer = createCheckpointer({
    path,
    now,
    checkpointWorker: (mode) => checkpointWorker.run('checkpoint', mode),
    inWriter: (mode) => writer.run('checkpoint', mode, { priority: 'background' }),
    whileReadersRest: reader.withoutBackground,
    log,
  });
  const segmentRows = options.segmentRows ?? SEGMENT_ROWS;
  const sealer = createSealer({ writer, checkpointWorker, segmentRows, now, log });
  const sums = createSumsKeeper({ writer, checkpointWorker, now, log });
  // Derived data may be behind: the hourly rollup was disabled for a while, a table is newer than the events.
  const hourlyRollup = createUpkeep({
    title: 'catching up the hourly rollup',
    work: () => catchUp(writer, 'catchUpHourlyRollup'),
    now,
    log,
  });
  const headerSnapshots = createUpkeep({
    title: 'catching up the newest response headers',
    work: () => catchUp(writer, 'fillHeaderSnapshots'),
    now,
    log,
  });
  const files = watchFiles(options.watched ?? []);
  const guard = createFileGuard(files, log);
  const ticks = setInterval(() => {
    guard.tick();
    void checkpointer.tick();
    for (const upkeep of [sealer, hourlyRollup, headerSnapshots, sums]) upkeep.tick();
  }, TICK_MS);
  ticks.unref();
  const catchUpHourlyRollup = async () => {
    if (options.hourlyRollup) await hourlyRollup.request();
  };
  // A process that was killed between an insert and its seal left a long tail.
  void sealer.request();
  void catchUpHourlyRollup();
  void headerSnapshots.request();

  return {
    writer: { run: guard.guard(sealing(writer, sealer, segmentRows)), close: () => writer.close() },
    reader,
    databaseFiles() {
      const files = checkpointer.files();
      const sealing = sealer.failure();
      return files === null || sealing === null ? files : { ...files, sealing };
    },
    sealOldest: (rowCount) => sealer.sealOldest(rowCount),
    storeMissingSums: sums.request,
    catchUpHourlyRollup,
    async close() {
      clearInterval(ticks);
      await Promise.all([sealer.idle(), sums.close()]);
      await Promise.all([reader.close(), checkpointWorker.close()]);
      // Last: the connection that closes last checkpoints the log, which a reader cannot do.
      await writer.close();
      files.close();
    },
  };
}

/** Fills derived data, part by part. */
async function catchUp(
  writer: OperationClient<Writes>,
  step: 'catchUpHourlyRollup' | 'fillHeaderSnapshots',
): Promise<void> {
  while ((await writer.run(step, null, { priority: 'background' })).behind) {
    // The next part.
  }
}

const INSERTS: ReadonlySet<string> = new Set(['ingest', 'importEvents'] satisfies (keyof Writes)[]);

/** Runs operations of the writer and checks the result of each insert for whether a segment is due. */
function sealing(writer: OperationClient<Writes>, sealer: Sealer, segmentRows: number): OperationClient<Writes>['run'] {
  async function run(name: keyof Writes & string, args: never, options?: RunOptions): Promise<unknown> {
    const result: unknown = await writer.run(name, args, options);
    if (INSERTS.has(name) && tailRowsOf(result) >= segmentRows) void sealer.request();
    return result;
  }
  return run as OperationClient<Writes>['run'];
}

function tailRowsOf(result: unknown): number {
  return typeof result === 'object' && result !== null && 'tailRows' in result ? Number(result.tailRows) : 0;
}
