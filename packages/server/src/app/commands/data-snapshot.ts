import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspectDatabase } from '../../schema/open-migrated.ts';
import { type Command, type CommandContext, CommandError, throwIfCancelled } from './command.ts';
import type { ParsedFlags } from './flags.ts';
import { canonicalPath, DB_PATH_FLAG, databasePath, requireExistingDatabase, withLock } from './offline-database.ts';
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
    const said = await withLock(context, path, async (lock) => {
      throwIfCancelled(context.signal);
      const targets = targetsOf(lock.canonicalPath, dataKey);
      if (flags.action === 'restore') {
        const { keptDataKey } = await restoreSnapshot(directory, targets, context);
        const kept = keptDataKey ? ` It has no data key; ${dataKey} stays as it was.` : '';
        return `The database snapshot was restored.${kept}`;
      }
      requireDataKey(context, dataKey);
      inspectDatabase(lock.canonicalPath);
      await createSnapshot(directory, targets, context);
      return 'The database snapshot was created.';
    });
    context.stdout(said);
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

/** Without it a snapshot could not bring the gateway's key back, and nobody would notice before that is needed. */
function requireDataKey(context: CommandContext, path: string): void {
  const { dataKeyText, dataKeyPath: configured } = context.config();
  if (dataKeyText !== '' || existsSync(path)) return;
  const other = existsSync(configured) ? `; the configured one is ${configured}` : '';
  throw new CommandError(`no data key at ${path}; check --data-key-path${other}`);
}

/** Links are resolved, so that a restore replaces the file and not the link. */
function dataKeyPath(context: CommandContext, flags: ParsedFlags): string {
  const given = (flags.text('data-key-path') ?? '').trim();
  if (given === '') throw new CommandError('--data-key-path is required');
  return canonicalPath(resolve(context.cwd, given));
}
