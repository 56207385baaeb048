import type { Database } from 'bun:sqlite';
import { NOTIFICATION_EVENTS, type NotificationEvent } from '@manager/core/contract/notifications/kinds';
import { zoneNamed } from '@manager/core/time/zone-named';
import { stopPoint } from '../../../platform/stop-point.ts';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import type { SubjectState } from '../condition.ts';
import { contentOf, isDue, type MessageContent, PACE_MS } from '../content.ts';
import { isQuiet } from '../quiet-hours.ts';
import { titleOf } from '../render.ts';
import type { StoredTarget } from '../target-row.ts';
import { STATE_COLUMNS, type StateRow, toState } from './note-conditions.ts';
import { prune } from './outbox.ts';
import { readTargets } from './targets.ts';

/** While so many wait for a target, what happens is collected for one later message. */
const MAX_QUEUED = 5;

export interface ComposeArgs {
  /** One per target is enough. */
  readonly ids: readonly string[];
}

/** Write operation: for every target at most one message about all that it may hear of now. @returns how many were queued */
export function composeMessages({ db, now }: WriterContext, { ids }: ComposeArgs): number {
  const nowMs = now();
  const left = [...ids];
  let queued = 0;
  for (const target of readTargets(db)) {
    const zone = zoneNamed(target.config.timeZone);
    if (!target.enabled || isQuiet(target.config.quietHours, zone, nowMs) || isCrowded(db, target.id)) continue;
    const states = dueStates(db, target.id, nowMs);
    const id = states.length === 0 ? undefined : left.pop();
    if (id === undefined) continue;
    const content = contentOf(states);
    const title = titleOf(content, { ...target.config, zone });
    insertMessage(db, { id, target, title, content, nowMs });
    settle(db, target.id, states);
    queued += 1;
  }
  if (queued > 0) {
    prune(db, nowMs);
    stopPoint('notification_composed');
  }
  return queued;
}

function isCrowded(db: Database, targetId: string): boolean {
  const row = db
    .query<{ queued: number }, [string]>(
      "SELECT count(*) AS queued FROM notification_messages WHERE target_id = ? AND status = 'queued'",
    )
    .get(targetId);
  return (row?.queued ?? 0) >= MAX_QUEUED;
}

/** With something to tell, of events whose pause is over. By notification_states_pending. */
function dueStates(db: Database, targetId: string, nowMs: number): SubjectState[] {
  const rows = db
    .query<StateRow, [string]>(
      `SELECT ${STATE_COLUMNS} FROM notification_states WHERE target_id = ? AND pending IS NOT NULL ORDER BY subject`,
    )
    .all(targetId);
  if (rows.length === 0) return [];
  const sent = sentTimes(db, targetId, nowMs);
  const due = new Set<string>(NOTIFICATION_EVENTS.filter((event) => isDue(sent.get(event) ?? [], nowMs)));
  return rows.filter(({ event }) => due.has(event)).map(toState);
}

/** When messages about each event were composed lately. By notification_messages_target. */
function sentTimes(db: Database, targetId: string, nowMs: number): Map<NotificationEvent, number[]> {
  const rows = db
    .query<{ content: string; created_at_ms: number }, [string, number]>(
      `SELECT content, created_at_ms
       FROM notification_messages
       WHERE target_id = ? AND created_at_ms > ? AND test = 0`,
    )
    .all(targetId, nowMs - PACE_MS);
  const times = new Map<NotificationEvent, number[]>();
  for (const { content, created_at_ms: atMs } of rows) {
    const { groups } = JSON.parse(content) as MessageContent;
    for (const event of new Set(groups.map((group) => group.event))) {
      times.set(event, [...(times.get(event) ?? []), atMs]);
    }
  }
  return times;
}

interface NewMessage {
  readonly id: string;
  readonly target: StoredTarget;
  readonly title: string;
  readonly content: MessageContent;
  readonly nowMs: number;
}

function insertMessage(db: Database, { id, target, title, content, nowMs }: NewMessage): void {
  db.query(
    `INSERT INTO notification_messages (
       id, target_id, target_name, kind, test, status, title, content, attempts, next_attempt_at_ms, answer, created_at_ms
     )
     VALUES (?, ?, ?, ?, 0, 'queued', ?, ?, 0, ?, '', ?)`,
  ).run(id, target.id, target.config.name, target.kind, title, JSON.stringify(content), nowMs, nowMs);
}

/** What holds has been told; what is over is forgotten. */
function settle(db: Database, targetId: string, states: readonly SubjectState[]): void {
  const told = db.query(
    "UPDATE notification_states SET told = 'yes', pending = NULL WHERE target_id = ? AND event = ? AND subject = ?",
  );
  const forget = db.query('DELETE FROM notification_states WHERE target_id = ? AND event = ? AND subject = ?');
  for (const { event, pending, condition } of states) {
    (pending === 'raised' ? told : forget).run(targetId, event, condition.subject);
  }
}
