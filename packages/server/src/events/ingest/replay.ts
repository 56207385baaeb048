import type { Database } from 'bun:sqlite';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { sha256Hex } from '../../platform/sha256.ts';
import { isRecordFailure } from '../../sqlite/worker/errors.ts';
import { createEventWriter, type EventBatch, type EventWriter } from './event-writer.ts';

export interface ReplayResult {
  readonly added: number;
  readonly skipped: number;
  readonly kept: number;
}

/** Payloads can be 10 MiB each, so few are in memory at once. */
const PAGE_ROWS = 50;

interface LetterRow {
  readonly id: number;
  readonly payload: string;
  readonly created_at_ms: number;
}

/**
 * Reads every dead letter again. Those that are events now, or were known already, are removed; the others stay. Each
 * page is one transaction, so that a stopped command loses nothing and can be started again.
 */
export function replayDeadLetters(db: Database, options: { readonly hourlyRollup?: boolean } = {}): ReplayResult {
  const writer = createEventWriter(db, { hourlyRollup: options.hourlyRollup ?? true });
  const total = { added: 0, skipped: 0, kept: 0 };
  let after = 0;
  for (;;) {
    const page = db
      .query<LetterRow, [number, number]>(
        'SELECT id, payload, created_at_ms FROM dead_letters WHERE id > ? ORDER BY id LIMIT ?',
      )
      .all(after, PAGE_ROWS);
    const last = page.at(-1);
    if (last === undefined) return total;
    after = last.id;
    const done = replayPage(db, writer, page);
    total.added += done.added;
    total.skipped += done.skipped;
    total.kept += done.kept;
  }
}

function replayPage(db: Database, writer: EventWriter, page: readonly LetterRow[]): ReplayResult {
  const remove = db.query('DELETE FROM dead_letters WHERE id = ?');
  const counts = { added: 0, skipped: 0, kept: 0 };
  try {
    db.transaction(() => {
      const batch = writer.begin();
      for (const letter of page) {
        const outcome = replayLetter(db, writer, batch, letter);
        counts[outcome] += 1;
        if (outcome !== 'kept') remove.run(letter.id);
      }
      batch.finish();
    }).immediate();
  } catch (error) {
    writer.rolledBack();
    throw error;
  }
  return counts;
}

function replayLetter(db: Database, writer: EventWriter, batch: EventBatch, letter: LetterRow): keyof ReplayResult {
  const outcome = readRecord(letter.payload, { nowMs: letter.created_at_ms, sha256Hex });
  if (outcome.kind !== 'event') return 'kept';
  try {
    return db.transaction(() => {
      if (!batch.claim(outcome.event)) return 'skipped' as const;
      batch.write(prepareForInsert(outcome.event).event, letter.created_at_ms);
      return 'added' as const;
    })();
  } catch (error) {
    if (!isRecordFailure(error)) throw error;
    writer.rolledBack();
    return 'kept';
  }
}
