import type { Database } from 'bun:sqlite';
import {
  NOTIFICATION_EVENTS,
  type NotificationChange,
  type NotificationEvent,
} from '@manager/core/contract/notifications/kinds';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import type { Condition, Observation, SubjectState, Told } from '../condition.ts';
import type { StoredTarget } from '../target-row.ts';
import { transitions } from '../transitions.ts';
import { readTargets } from './targets.ts';

export interface StateRow {
  readonly event: string;
  readonly told: string;
  readonly pending: string | null;
  readonly condition: string;
  readonly until_ms: number | null;
}

export const STATE_COLUMNS = 'event, told, pending, condition, until_ms';

export function toState(row: StateRow): SubjectState {
  return {
    // This file writes these.
    event: row.event as NotificationEvent,
    told: row.told as Told,
    pending: row.pending as NotificationChange | null,
    condition: JSON.parse(row.condition) as Condition,
    untilMs: row.until_ms,
  };
}

/** Write operation: what holds now, for every target that is switched on. */
export function noteConditions({ db, now }: WriterContext, observation: Observation): void {
  for (const target of readTargets(db)) if (target.enabled) noteFor(db, target, observation, now());
}

function noteFor(db: Database, target: StoredTarget, observation: Observation, nowMs: number): void {
  const { events, sendRecovered } = target.config;
  const observed = new Set(target.observed);
  for (const event of NOTIFICATION_EVENTS) {
    if (!events.includes(event)) {
      if (observed.delete(event)) removeEvent(db, target.id, event);
      continue;
    }
    const conditions = observation[event];
    if (conditions === undefined) continue;
    const rules = { first: !observed.has(event), sendRecovered, nowMs };
    const { put, remove } = transitions(event, statesOf(db, target.id, event), conditions, rules);
    for (const state of put) write(db, target.id, state);
    for (const subject of remove) removeSubject(db, target.id, event, subject);
    observed.add(event);
  }
  const list = JSON.stringify([...observed]);
  if (list !== JSON.stringify(target.observed))
    db.query('UPDATE notification_targets SET observed = ? WHERE id = ?').run(list, target.id);
}

/** By the primary key. */
function statesOf(db: Database, targetId: string, event: NotificationEvent): SubjectState[] {
  return db
    .query<StateRow, [string, string]>(
      `SELECT ${STATE_COLUMNS} FROM notification_states WHERE target_id = ? AND event = ?`,
    )
    .all(targetId, event)
    .map(toState);
}

export function write(db: Database, targetId: string, state: SubjectState): void {
  db.query(
    `INSERT INTO notification_states (target_id, event, subject, told, pending, condition, until_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (target_id, event, subject) DO UPDATE SET
       told = excluded.told,
       pending = excluded.pending,
       condition = excluded.condition,
       until_ms = excluded.until_ms`,
  ).run(
    targetId,
    state.event,
    state.condition.subject,
    state.told,
    state.pending,
    JSON.stringify(state.condition),
    state.untilMs,
  );
}

function removeEvent(db: Database, targetId: string, event: NotificationEvent): void {
  db.query('DELETE FROM notification_states WHERE target_id = ? AND event = ?').run(targetId, event);
}

function removeSubject(db: Database, targetId: string, event: NotificationEvent, subject: string): void {
  db.query('DELETE FROM notification_states WHERE target_id = ? AND event = ? AND subject = ?').run(
    targetId,
    event,
    subject,
  );
}
