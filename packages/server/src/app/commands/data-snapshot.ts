import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openVault } from '../../platform/secrets/vault.ts';
import { inspectDatabase } from '../../schema/open-migrated.ts';
import { openedBy, sealedTexts } from '../../schema/sealed-texts.ts';
import { openForReading } from '../../sqlite/open-unused.ts';
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
      const opensAll = requireRightKey(context, lock.canonicalPath, dataKey);
      await createSnapshot(directory, targets, context);
      const lost = opensAll
        ? ''
        : ' The data key does not decrypt all of its secrets: some were stored with another one.';
      return `The database snapshot was created.${lost}`;
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

/**
 * With another key a restored database would have lost its secrets.
 *
 * @returns whether it decrypts all of them: after a lost key, some stay as they were until they are entered again
 */
function requireRightKey(context: CommandContext, database: string, path: string): boolean {
  const db = openForReading(database);
  const sealed = sealedTexts(db);
  db.close();
  if (sealed.length === 0) return true;
  const { dataKeyText, dataKeyPath: configured } = context.config();
  const vault = openVault({ explicitText: dataKeyText, path, randomBytes: context.randomBytes });
  const opened = openedBy(vault, sealed);
  if (opened !== 'none') return opened === 'all';
  if (dataKeyText !== '') throw new CommandError(`MANAGER_DATA_KEY ${WRONG_KEY}`);
  const other = configured !== path && existsSync(configured) ? `, the configured one is ${configured}` : '';
  throw new CommandError(`${path} ${WRONG_KEY}; check --data-key-path${other}`);
}

const WRONG_KEY =
  'does not decrypt the secrets of this database, so nothing was created. Give the key that the manager uses; if it is lost, set up the ' +
  'connection again first, the history stays';

/** Links are resolved, so that a restore replaces the file and not the link. */
function dataKeyPath(context: CommandContext, flags: ParsedFlags): string {
  const given = (flags.text('data-key-path') ?? '').trim();
  if (given === '') throw new CommandError('--data-key-path is required');
  return canonicalPath(resolve(context.cwd, given));
}
