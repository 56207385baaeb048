import type { Database } from 'bun:sqlite';
import { stopPoint } from '../../platform/stop-point.ts';
import { readSetting, type SettingChange, writeSettings } from '../../sqlite/settings.ts';

export const MANAGER_ROW = 'manager_config_v1';
/** Record of the connection only, kept next to the manager's for older readers. */
export const LEGACY_ROW = 'setup';
export const BOOTSTRAP_ROW = 'bootstrap_state_v1';
export const ADMIN_ROW = 'admin_credential_v1';

/** JSON texts as stored; null = missing. */
export interface StoredRows {
  readonly manager: string | null;
  readonly legacy: string | null;
}

export function readConnectionRows(db: Database): StoredRows {
  return { manager: readValue(db, MANAGER_ROW), legacy: readValue(db, LEGACY_ROW) };
}

/** A primary-key read of a few microseconds, so it may run on the main thread. */
export function readAdminCredential(db: Database): string | null {
  return readValue(db, ADMIN_ROW);
}

export function readBootstrapRow(db: Database): string | null {
  return readValue(db, BOOTSTRAP_ROW);
}

/** Whether anything was ever collected or configured. Each branch stops at its first row. */
export function hasHistoricalData(db: Database): boolean {
  const row = db
    .query<{ found: number }, []>(
      `SELECT EXISTS (SELECT 1 FROM usage_events)
         OR EXISTS (SELECT 1 FROM dead_letters)
         OR EXISTS (SELECT 1 FROM model_prices WHERE source <> 'built-in')
         OR EXISTS (SELECT 1 FROM api_key_aliases)
         OR EXISTS (SELECT 1 FROM settings WHERE key IN ('${MANAGER_ROW}', '${LEGACY_ROW}')) AS found`,
    )
    .get();
  return row?.found === 1;
}

/**
 * Writes rows that replace a plaintext secret: the freed space is overwritten and the WAL emptied, so that the old text does
 * not stay in the files. Only for a start or an offline command, without other readers.
 */
export function writeOverPlaintext(
  db: Database,
  changes: readonly SettingChange[],
  /** Runs before the commit; an exception rolls back the write. */
  verify: () => void = () => undefined,
): void {
  db.run('PRAGMA secure_delete = ON');
  db.transaction(() => {
    writeSettings(db, changes);
    verify();
  }).immediate();
  stopPoint('connection_committed');
  db.run('PRAGMA secure_delete = OFF');
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
}

function readValue(db: Database, key: string): string | null {
  return readSetting(db, key)?.value ?? null;
}
