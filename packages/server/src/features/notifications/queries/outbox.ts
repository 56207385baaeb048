import type { Database } from 'bun:sqlite';
import { NOTIFICATION_LIMITS, type TargetKind } from '@manager/core/contract/notifications/kinds';
import type { NotificationLogEntry } from '@manager/core/contract/notifications/targets';
import { zoneNamed } from '@manager/core/time/zone-named';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { MAX_ATTEMPTS, MAX_PAUSE_MS, pauseAfter } from '../attempts.ts';
import type { MessageContent } from '../content.ts';
import { isQuiet } from '../quiet-hours.ts';
import type { StoredTarget } from '../target-row.ts';
import { readTargets } from './targets.ts';

const DAY_MS = 86_400_000;
const LOG_MS = 30 * DAY_MS;
/** News of yesterday helps nobody. */
const MAX_AGE_MS = DAY_MS;

export interface DueMessage {
  readonly id: string;
  readonly content: MessageContent;
  readonly createdAtMs: number;
  readonly target: StoredTarget;
}

interface QueuedRow {
  readonly id: string;
  readonly content: string;
  readonly attempts: number;
  readonly next_attempt_at_ms: number;
  readonly created_at_ms: number;
}

/**
 * Write operation: the oldest message of each target, where it is due. Each counts as tried from here on, so that a process that dies with a
 * message does not send it for ever.
 */
export function beginAttempts({ db, now }: WriterContext, _: null): DueMessage[] {
  const nowMs = now();
  const due: DueMessage[] = [];
  for (const target of readyTargets(db, nowMs)) {
    for (;;) {
      const row = oldest(db, target.id);
      if (row === null || !isDue(row.next_attempt_at_ms, nowMs)) break;
      if (row.attempts >= MAX_ATTEMPTS || nowMs - row.created_at_ms > MAX_AGE_MS) {
        finish(db, row.id, 'failed', null, nowMs);
        continue;
      }
      const attempts = row.attempts + 1;
      db.query('UPDATE notification_messages SET attempts = ?, next_attempt_at_ms = ? WHERE id = ?').run(
        attempts,
        nowMs + pauseAfter(attempts, null),
        row.id,
      );
      const content = JSON.parse(row.content) as MessageContent;
      due.push({ id: row.id, content, createdAtMs: row.created_at_ms, target });
      break;
    }
  }
  return due;
}

/** To which messages may be sent now. */
function readyTargets(db: Database, nowMs: number): StoredTarget[] {
  return readTargets(db).filter(
    ({ enabled, config }) => enabled && !isQuiet(config.quietHours, zoneNamed(config.timeZone), nowMs),
  );
}

/** A time further away than any pause is from before the clock was set back. */
const isDue = (atMs: number, nowMs: number): boolean => atMs <= nowMs || atMs - nowMs > MAX_PAUSE_MS;

/** By notification_messages_queued. */
function oldest(db: Database, targetId: string): QueuedRow | null {
  return db
    .query<QueuedRow, [string]>(
      `SELECT id, content, attempts, next_attempt_at_ms, created_at_ms
       FROM notification_messages
       WHERE target_id = ? AND status = 'queued'
       ORDER BY number
       LIMIT 1`,
    )
    .get(targetId);
}

export interface EndAttemptArgs {
  readonly id: string;
  readonly outcome: 'sent' | 'retry' | 'refused';
  /** Without secrets. */
  readonly answer: string;
  readonly retryAfterMs: number | null;
}

/** Write operation. @returns whether the message was given up */
export function endAttempt({ db, now }: WriterContext, { id, outcome, answer, retryAfterMs }: EndAttemptArgs): boolean {
  const nowMs = now();
  const row = db
    .query<{ attempts: number }, [string]>(
      "SELECT attempts FROM notification_messages WHERE id = ? AND status = 'queued'",
    )
    .get(id);
  // Switched off or removed meanwhile.
  if (row === null) return false;
  const isGivenUp = outcome === 'refused' || (outcome === 'retry' && row.attempts >= MAX_ATTEMPTS);
  if (outcome === 'retry' && !isGivenUp) {
    db.query('UPDATE notification_messages SET next_attempt_at_ms = ?, answer = ? WHERE id = ?').run(
      nowMs + pauseAfter(row.attempts, retryAfterMs),
      answer,
      id,
    );
  } else {
    finish(db, id, isGivenUp ? 'failed' : 'sent', answer, nowMs);
    prune(db, nowMs);
  }
  return isGivenUp;
}

/** @param answer null = the last one stays */
function finish(db: Database, id: string, status: 'sent' | 'failed', answer: string | null, nowMs: number): void {
  db.query(
    `UPDATE notification_messages
     SET status = ?, answer = coalesce(?, answer), next_attempt_at_ms = NULL, finished_at_ms = ?
     WHERE id = ?`,
  ).run(status, answer, nowMs, id);
}

export interface TestRecord {
  readonly id: string;
  readonly target: StoredTarget;
  readonly title: string;
  readonly sent: boolean;
  readonly answer: string;
}

/** Write operation: a test message in the log. */
export function recordTest({ db, now }: WriterContext, { id, target, title, sent, answer }: TestRecord): void {
  const nowMs = now();
  db.query(
    `INSERT INTO notification_messages (
       id, target_id, target_name, kind, test, status, title, content, attempts, answer, created_at_ms, finished_at_ms
     )
     VALUES (?, ?, ?, ?, 1, ?, ?, '{"groups":[]}', 1, ?, ?, ?)`,
  ).run(id, target.id, target.config.name, target.kind, sent ? 'sent' : 'failed', title, answer, nowMs, nowMs);
  prune(db, nowMs);
}

/** Keeps the log small. */
export function prune(db: Database, nowMs: number): void {
  db.query("DELETE FROM notification_messages WHERE status <> 'queued' AND finished_at_ms < ?").run(nowMs - LOG_MS);
  db.query(
    `DELETE FROM notification_messages
     WHERE status <> 'queued' AND number <= (
       SELECT number
       FROM notification_messages
       WHERE status <> 'queued'
       ORDER BY number DESC
       LIMIT 1 OFFSET ?
     )`,
  ).run(NOTIFICATION_LIMITS.log);
}

/** Read operation: when a message is to be tried next, of those that may be sent now; null = none waits. */
export function nextAttemptMs({ db }: ReaderContext, nowMs: number): number | null {
  const times = readyTargets(db, nowMs).flatMap(({ id }) => oldest(db, id)?.next_attempt_at_ms ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

interface LogRow {
  readonly id: string;
  readonly target_id: string;
  readonly target_name: string;
  readonly kind: string;
  readonly test: number;
  readonly status: string;
  readonly title: string;
  readonly content: string;
  readonly attempts: number;
  readonly next_attempt_at_ms: number | null;
  readonly created_at_ms: number;
  readonly finished_at_ms: number | null;
  readonly answer: string;
}

/** Read operation: messages, the newest first. */
export function notificationLog({ db }: ReaderContext, limit: number): NotificationLogEntry[] {
  return db
    .query<LogRow, [number]>(
      `SELECT
         id, target_id, target_name, kind, test, status, title, content, attempts, next_attempt_at_ms, created_at_ms, finished_at_ms,
         answer
       FROM notification_messages
       ORDER BY number DESC
       LIMIT ?`,
    )
    .all(limit)
    .map((row) => ({
      id: row.id,
      targetId: row.target_id,
      targetName: row.target_name,
      // This feature writes these.
      kind: row.kind as TargetKind,
      test: row.test !== 0,
      status: row.status as NotificationLogEntry['status'],
      title: row.title,
      changes: (JSON.parse(row.content) as MessageContent).groups.map(({ event, change, count }) => ({
        event,
        change,
        count,
      })),
      attempts: row.attempts,
      nextAttemptAtMs: row.next_attempt_at_ms,
      createdAtMs: row.created_at_ms,
      finishedAtMs: row.finished_at_ms,
      answer: row.answer,
    }));
}
