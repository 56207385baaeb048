import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Compactor, startCompactor } from '../../features/archives/compact/compactor.ts';
import type { Baseline } from '../../features/archives/compact/operations.ts';
import { inspectDatabase } from '../../schema/open-migrated.ts';
import type { CheckpointOutcome } from '../../sqlite/checkpoint.ts';
import { isDiskFull } from '../../sqlite/database-problem.ts';
import { codeOf } from '../../sqlite/worker/errors.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';
import { DB_PATH_FLAG, databasePath, requireExistingDatabase, withLock } from './offline-database.ts';

const HEARTBEAT_MS = 30_000;
const NOTHING_LOST = 'the database is unchanged';

export const compactUsage: Command = {
  name: 'compact-usage',
  about: [
    'Returns the free space of the database to the disk. Stop the manager first. Needs as much free disk space as the size of',
    'the database; twice that is safe. Prints a report as one JSON object; progress goes to stderr.',
  ],
  flags: [DB_PATH_FLAG],
  async run(context, flags) {
    const path = databasePath(context, flags);
    requireExistingDatabase(path);
    const report = await withLock(context, path, async (lock) => {
      inspectDatabase(lock.canonicalPath);
      const worker = startCompactor({ path: lock.canonicalPath });
      return closing(worker, context, () => compact(context, worker, lock.canonicalPath));
    });
    context.stdout(JSON.stringify(report, null, 2));
  },
};

async function compact(context: CommandContext, worker: Compactor, path: string) {
  const stage = createStages(context);
  const missing = await stage('prepare', () => worker.run('prepare', null));
  if (missing.length > 0) {
    throw new CommandError(
      `not a manager database of this version (it lacks ${missing.join(', ')}); start the manager once. Nothing was changed`,
    );
  }
  await stage('preflight', async () => {
    if (await worker.run('isArchiving', null)) {
      throw new CommandError(
        'an archive run is active; start the manager and let it finish, or cancel it. Nothing was changed',
      );
    }
    requireFreeSpace(context, path);
  });
  const before = await stage('baseline', () => worker.run('baseline', null));
  requireSound(before, 'restore a backup. Nothing was changed');
  const preCheckpoint = await stage('checkpoint', () => worker.run('checkpointBefore', null));
  const postCheckpoint = await stage('vacuum', async () => {
    await worker.run('vacuum', null);
    return worker.run('checkpointAfter', null);
  });
  const after = await stage('verify', () => worker.run('verify', null));
  requireSound(after, 'restore the backup made before');
  if (!Bun.deepEquals(before.summary, after.summary)) {
    throw new CommandError('the totals differ from those before compaction; restore the backup made before');
  }
  return stage('finalize', async () => ({
    database_path: path,
    before: before.statistics,
    after: after.statistics,
    summary: after.summary.raw,
    fact_summary: after.summary.facts,
    pre_checkpoint: toReport(preCheckpoint),
    post_checkpoint: toReport(postCheckpoint),
    reclaimed_bytes: Math.max(before.statistics.total_bytes - after.statistics.total_bytes, 0),
    integrity_verified: true,
  }));
}

/** Announces each part on stderr, prints progress regularly, and stops between parts when canceled. */
function createStages(context: CommandContext) {
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    if (context.signal.aborted) throw cancelled();
    context.stderr(name);
    const startedAt = context.now();
    const heartbeat = setInterval(() => {
      context.stderr(`${name}: running for ${Math.round((context.now() - startedAt) / 1000)} s`);
    }, HEARTBEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(heartbeat);
    }
  };
}

/**
 * Runs the work, then closes the worker. A statement cannot be interrupted: on cancel it ends with the process, and the
 * old content stays.
 */
async function closing<Result>(
  worker: Compactor,
  { signal }: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(cancelled());
  signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await Promise.race([work(), stopped.promise]);
    await worker.close();
    return result;
  } catch (error) {
    if (!signal.aborted) await worker.close();
    throw readable(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function cancelled(): CommandError {
  return new CommandError(`canceled; ${NOTHING_LOST}`);
}

/** VACUUM writes a copy next to the database and then, in the worst case, all of it into the WAL. */
function requireFreeSpace(context: CommandContext, path: string): void {
  const size = statSync(path).size;
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  const amounts = `${megabytes(free)} free, database size ${megabytes(size)}`;
  if (free < size) {
    throw new CommandError(
      `not enough disk space: ${amounts}. Free at least the size of the database. Nothing was changed`,
    );
  }
  if (free < 2 * size) context.stderr(`preflight: disk space may not suffice: ${amounts}; twice that is safe`);
}

function requireSound({ damage }: Baseline, remedy: string): void {
  const [first] = damage;
  if (first === undefined) return;
  throw new CommandError(`the database is damaged (${damage.length} findings, first: ${first}); ${remedy}`);
}

function readable(error: unknown): unknown {
  if (isDiskFull(error)) return new CommandError(`the disk is full; ${NOTHING_LOST}. Free space and try again`);
  switch (codeOf(error)) {
    case 'SQLITE_BUSY':
      return new CommandError('another program has the database open; close it and try again. Nothing was changed');
    case 'SQLITE_CORRUPT':
      return new CommandError('the database is damaged; restore a backup');
    default:
      return error;
  }
}

function toReport({ busy, logFrames, checkpointedFrames }: CheckpointOutcome) {
  return { busy, log_frames: logFrames, checkpointed_frames: checkpointedFrames };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
