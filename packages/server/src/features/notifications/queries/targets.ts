import type { Database } from 'bun:sqlite';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { type StoredTarget, TARGET_COLUMNS, type TargetRow, toTarget } from '../target-row.ts';

export type WrittenTarget = Pick<StoredTarget, 'id' | 'kind' | 'enabled' | 'config' | 'secrets'>;

/** Read operation: the oldest first. */
export function notificationTargets({ db }: ReaderContext, _: null): StoredTarget[] {
  return readTargets(db);
}

export function readTargets(db: Database): StoredTarget[] {
  return db
    .query<TargetRow, []>(`SELECT ${TARGET_COLUMNS} FROM notification_targets ORDER BY created_at_ms, id`)
    .all()
    .map(toTarget);
}

/** Read operation; null = not found. */
export function notificationTarget({ db }: ReaderContext, id: string): StoredTarget | null {
  const row = db.query<TargetRow, [string]>(`SELECT ${TARGET_COLUMNS} FROM notification_targets WHERE id = ?`).get(id);
  return row === null ? null : toTarget(row);
}

/** Read operation: messages that wait, by target. */
export function queuedMessages({ db }: ReaderContext, _: null): Record<string, number> {
  const rows = db
    .query<{ target_id: string; queued: number }, []>(
      "SELECT target_id, count(*) AS queued FROM notification_messages WHERE status = 'queued' GROUP BY target_id",
    )
    .all();
  return Object.fromEntries(rows.map(({ target_id, queued }) => [target_id, queued]));
}

/** Write operation. @returns false when there are `most` targets already */
export function addNotificationTarget(
  { db, now }: WriterContext,
  { target, most }: { readonly target: WrittenTarget; readonly most: number },
): boolean {
  const nowMs = now();
  const { changes } = db
    .query(
      `INSERT INTO notification_targets (${TARGET_COLUMNS})
       SELECT ?, ?, ?, ?, ?, '[]', ?, ?
       WHERE (SELECT count(*) FROM notification_targets) < ?`,
    )
    .run(
      target.id,
      target.kind,
      target.enabled ? 1 : 0,
      JSON.stringify(target.config),
      target.secrets,
      nowMs,
      nowMs,
      most,
    );
  return changes > 0;
}

/**
 * Write operation: what waits is tried at once with the new values; a target that is switched off forgets it, and what it was told.
 *
 * @returns false when the target does not exist
 */
export function changeNotificationTarget({ db, now }: WriterContext, target: WrittenTarget): boolean {
  const nowMs = now();
  const { changes } = db
    .query(
      `UPDATE notification_targets
       SET enabled = ?, config = ?, secrets = ?, updated_at_ms = ?
       WHERE id = ? AND kind = ?`,
    )
    .run(target.enabled ? 1 : 0, JSON.stringify(target.config), target.secrets, nowMs, target.id, target.kind);
  if (changes === 0) return false;
  if (target.enabled) {
    db.query("UPDATE notification_messages SET next_attempt_at_ms = ? WHERE target_id = ? AND status = 'queued'").run(
      nowMs,
      target.id,
    );
  } else {
    forget(db, target.id, nowMs);
  }
  return true;
}

/** Write operation: its finished messages stay in the log. @returns false when it does not exist */
export function removeNotificationTarget({ db, now }: WriterContext, id: string): boolean {
  forget(db, id, now());
  return db.query('DELETE FROM notification_targets WHERE id = ?').run(id).changes > 0;
}

function forget(db: Database, id: string, nowMs: number): void {
  db.query(
    `UPDATE notification_messages
     SET status = 'failed', answer = 'the target was switched off or removed', next_attempt_at_ms = NULL, finished_at_ms = ?
     WHERE target_id = ? AND status = 'queued'`,
  ).run(nowMs, id);
  db.query('DELETE FROM notification_states WHERE target_id = ?').run(id);
  db.query("UPDATE notification_targets SET observed = '[]' WHERE id = ?").run(id);
}
