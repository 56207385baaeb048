import type { Database } from 'bun:sqlite';
import { countSealedRows, trimTail } from '../../facts/seal.ts';
import { buildDeferredIndex, deferIndexes, dropParkedTable } from '../../schema/deferred-indexes.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';
import { DB_PATH_FLAG, withOfflineDatabase } from './offline-database.ts';

export const cleanupDerived: Command = {
  name: 'cleanup-derived',
  about: [
    'Finishes upgrade work that would delay a start: builds deferred indexes and removes old tables.',
    'Start the manager once after the upgrade, then stop it. Events are not changed; running it again is harmless.',
  ],
  flags: [DB_PATH_FLAG],
  async run(context, flags) {
    const done = await withOfflineDatabase(context, flags, (db) => cleanUp(context, db));
    if (done.jobs + done.rows + done.indexes === 0) context.stdout('nothing pending');
    else context.stdout(`jobs=${done.jobs} processed_rows=${done.rows} prepared_indexes=${done.indexes}`);
  },
};

/** One transaction per step. Tables first: they may hold the name of an index. */
async function cleanUp(context: CommandContext, db: Database) {
  const done = { jobs: 0, rows: 0, indexes: 0 };
  deferIndexes(db);
  for (;;) {
    await requireGoingOn(context);
    const rows = dropParkedTable(db);
    if (rows === null) break;
    context.stderr(`removed a table of an older format (${rows} rows)`);
    done.jobs += 1;
    done.rows += rows;
  }
  done.rows += await trimSealedRows(context, db);
  for (;;) {
    await requireGoingOn(context);
    if (!buildDeferredIndex(db)) break;
    context.stderr('built an index');
    done.indexes += 1;
  }
  return done;
}

/** Facts in a segment whose rows a killed server left behind. */
async function trimSealedRows(context: CommandContext, db: Database): Promise<number> {
  const rows = countSealedRows(db);
  while (trimTail({ db, now: context.now })) await requireGoingOn(context);
  return rows;
}

async function requireGoingOn({ signal }: CommandContext): Promise<void> {
  // Signals are handled only between two turns of the event loop.
  await new Promise((next) => setImmediate(next));
  if (signal.aborted) throw new CommandError('canceled; finished work is kept. Run the same command to continue');
}
