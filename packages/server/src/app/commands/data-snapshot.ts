import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspectDatabase } from '../../schema/open-migrated.ts';
import { type Command, type CommandContext, CommandError, throwIfCancelled } from './command.ts';
import type { ParsedFlags } from './flags.ts';
import { DB_PATH_FLAG, databasePath, requireExistingDatabase, withLock } from './offline-database.ts';
import { createSnapshot, deleteSnapshot, restoreSnapshot, type SnapshotTargets } from './snapshot-files.ts';

export const managerDataSnapshot: Command = {
  name: 'manager-data-snapshot',
  about: [
    'Creates, restores or deletes a database snapshot: a copy of the database and its data key. Stop the manager first.',
  ],
  actions: ['create', 'restore', 'delete'],
  flags: [
    { name: 'snapshot-dir', value: 'P', help: 'directory of the database snapshot', required: true },
    DB_PATH_FLAG,
    { name: 'data-key-path', value: 'P', help: 'data key (required for create and restore)' },
  ],
  async run(context, flags) {
    const directory = resolve(context.cwd, (flags.text('snapshot-dir') ?? '').trim());
    if (flags.action === 'delete') {
      deleteSnapshot(directory);
      context.stdout('The database snapshot was deleted.');
      return;
    }
    const dataKey = dataKeyPath(context, flags);
    const path = databasePath(context, flags);
    if (flags.action === 'create') requireExistingDatabase(path);
    await withLock(path, async (lock) => {
      throwIfCancelled(context.signal);
      const targets = targetsOf(lock.canonicalPath, dataKey);
      if (flags.action === 'restore') return restoreSnapshot(directory, targets, context);
      inspectDatabase(lock.canonicalPath);
      return createSnapshot(directory, targets, context);
    });
    context.stdout(
      flags.action === 'create' ? 'The database snapshot was created.' : 'The database snapshot was restored.',
    );
  },
};

function targetsOf(database: string, dataKey: string): SnapshotTargets {
  return {
    database,
    wal: `${database}-wal`,
    shm: `${database}-shm`,
    journal: `${database}-journal`,
    dataKey,
  };
}

/** Links are resolved, so that a restore replaces the file and not the link. */
function dataKeyPath(context: CommandContext, flags: ParsedFlags): string {
  const given = (flags.text('data-key-path') ?? '').trim();
  if (given === '') throw new CommandError('--data-key-path is required');
  const path = resolve(context.cwd, given);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
