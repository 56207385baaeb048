import type { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { seedBuiltInPrices } from '../features/prices/built-in/seed.ts';
import { type BootstrapResult, bootstrap } from '../features/setup/bootstrap.ts';
import { SETTLED_RESTORE, settlePendingRestore } from '../platform/files/pending-restore.ts';
import { acquireLock, type ProcessLock, requireSingleLink } from '../platform/lock/lock.ts';
import { openVault, type SecretVault } from '../platform/secrets/vault.ts';
import { deferIndexes } from '../schema/deferred-indexes.ts';
import { openMigrated } from '../schema/open-migrated.ts';
import { openDatabase } from '../sqlite/open.ts';
import type { ServeRequest } from './commands/serve.ts';

/** Logged at every later start: the key itself is shown only once, at the first start. */
const ADMIN_KEY_IS_SET =
  'the admin key is set; if it was lost, stop the manager and run manager-server reset-admin-key for a new one';

export interface OpenedStorage {
  readonly lock: ProcessLock;
  readonly vault: SecretVault;
  readonly boot: BootstrapResult;
  /** Read-only connection of the main thread, only for reads by primary key. */
  readonly db: Database;
}

/**
 * Takes the lock, then opens data key and database and updates both: schema and settings only, nothing that grows with
 * history. When a step fails everything is released.
 */
export function openStorage({ config, logging }: ServeRequest, now: () => number): OpenedStorage {
  const lock = acquireLock(config.databasePath);
  try {
    const settled = settlePendingRestore(lock.canonicalPath);
    if (settled !== 'none') logging.logger.warn(SETTLED_RESTORE[settled]);
    const vault = openVault({
      explicitText: config.dataKeyText,
      path: config.dataKeyPath,
      randomBytes,
      protectSecret: logging.protect,
      warn: (message) => logging.logger.warn(message),
      created: (keyPath) =>
        logging.logger.warn(
          `the data key ${keyPath} was missing, and a new one was created for a new secret; what was encrypted with the missing one stays ` +
            'unreadable unless that file is restored',
        ),
    });
    const path = lock.canonicalPath;
    const { boot, db } = bootstrapDatabase(
      path,
      (writable) => {
        seedBuiltInPrices({ db: writable, now });
        return bootstrap({ db: writable, vault, config, now, randomBytes });
      },
      now,
    );
    requireSingleLink(path);
    for (const warning of boot.warnings) logging.logger.warn(warning);
    if (boot.generatedAdminKey === null) logging.logger.info(ADMIN_KEY_IS_SET);
    else logging.announceAdminKey(boot.generatedAdminKey);
    if (boot.dataKeyCreated) logging.logger.info('a data key was created; back it up together with the database');
    return { lock, vault, boot, db };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function bootstrapDatabase(
  path: string,
  work: (db: Database) => BootstrapResult,
  now: () => number,
): { readonly boot: BootstrapResult; readonly db: Database } {
  const writable = openMigrated(path, { now, tempDirectory: dirname(path) });
  try {
    deferIndexes(writable);
    const boot = work(writable);
    // Opened before the other one closes: the connection that closes last checkpoints the whole WAL, which after a kill
    // delays the start.
    return { boot, db: openReader(path) };
  } finally {
    writable.close();
  }
}

function openReader(path: string): Database {
  const db = openDatabase(path, { readonly: true });
  // SQLite opens a connection only with its first read.
  db.query('SELECT 1 FROM sqlite_schema LIMIT 1').get();
  return db;
}
