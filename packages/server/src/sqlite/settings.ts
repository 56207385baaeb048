import type { Database } from 'bun:sqlite';
import { stopPoint } from '../platform/stop-point.ts';
import type { ReaderContext, WriterContext } from './contexts.ts';

/** One row of `settings`: `value` is JSON text whose format belongs to the owner of the key. */
export interface Setting {
  readonly value: string;
  readonly updatedAtMs: number;
}

export interface SettingChange {
  readonly key: string;
  /** JSON text; null removes the row. */
  readonly value: string | null;
  readonly updatedAtMs: number;
}

/** Works on any connection, so that start-up and offline commands need no worker. */
export function readSetting(db: Database, key: string): Setting | null {
  const row = db
    .query<{ value: string; updated_at_ms: number }, [string]>(
      'SELECT value, updated_at_ms FROM settings WHERE key = ?',
    )
    .get(key);
  return row === null ? null : { value: row.value, updatedAtMs: row.updated_at_ms };
}

/** Applies all changes or none. */
export function writeSettings(db: Database, changes: readonly SettingChange[]): void {
  db.transaction(() => {
    for (const change of changes) {
      if (change.value === null) db.query('DELETE FROM settings WHERE key = ?').run(change.key);
      else db.query(UPSERT).run(change.key, change.value, change.updatedAtMs);
    }
    stopPoint('settings_written');
  }).immediate();
}

const UPSERT = `
INSERT INTO settings (key, value, updated_at_ms) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at_ms = excluded.updated_at_ms`;

/** Read operation: the rows that exist among `keys`. */
export function getSettings(context: ReaderContext, keys: readonly string[]): Record<string, Setting> {
  const found: Record<string, Setting> = {};
  for (const key of keys) {
    const setting = readSetting(context.db, key);
    if (setting !== null) found[key] = setting;
  }
  return found;
}

/** Write operation. */
export function putSettings(context: WriterContext, changes: readonly SettingChange[]): void {
  writeSettings(context.db, changes);
}
