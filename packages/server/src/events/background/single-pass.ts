import type { UsageEvent } from '@manager/core/usage/event';
import type { FactChange } from '../../facts/rewrite.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { BATCH_EVENTS, withinBudget } from './budget.ts';
import { correctFacts, unsealedRows } from './correct-facts.ts';
import { newestEvent } from './newest-event.ts';
import type { DataMigrationState } from './state.ts';
import type { StepResult } from './step-result.ts';

/** What a job changes in an event. */
export interface Correction {
  /** The correct event; the same object when nothing changes. */
  readonly correct: (event: UsageEvent) => UsageEvent;
  /** The columns of the fact that a correction can change. */
  readonly factOf: (event: UsageEvent) => Pick<FactChange, 'values' | 'flags'>;
  /** After an event was corrected. */
  readonly corrected?: (event: UsageEvent, eventId: number) => void;
  /** In the transaction of the step that reaches the end. */
  readonly finish?: () => void;
}

/**
 * Corrects all events, or those of a range of ids, once: raw row and fact together. Reading and writing are one transaction, so nothing can come
 * between, and events that are inserted from now on are correct, so one pass is enough.
 */
export function stepSinglePass(context: IngestContext, state: DataMigrationState, correction: Correction): StepResult {
  if (state.status === 'completed') return { state };
  const { db, now, events: writer } = context;
  const targetEventId = state.targetEventId || newestEvent(db);
  // By the primary key.
  const rows = db
    .query<{ id: number; detail: Uint8Array }, [number, number, number]>(
      `SELECT id, detail
       FROM usage_events
       WHERE id > ? AND id <= ?
       ORDER BY id
       LIMIT ?`,
    )
    .all(state.lastEventId, targetEventId, BATCH_EVENTS);
  const running: DataMigrationState = { ...state, status: 'running', targetEventId };
  const sealRows = unsealedRows(db, rows.at(-1)?.id ?? 0, targetEventId);
  if (sealRows > 0) return { state: running, sealRows };
  const decode = eventDecoder(db);
  const changes: FactChange[] = [];
  const looked = withinBudget(rows, now, ({ id, detail }) => {
    const stored = decode(detail);
    const event = correction.correct(stored);
    if (event === stored) return;
    writer.correct(event, id);
    changes.push({ eventId: id, ...correction.factOf(event) });
    correction.corrected?.(event, id);
  });
  correctFacts(db, changes);
  const isEnd = looked.length === rows.length && rows.length < BATCH_EVENTS;
  const lastEventId = isEnd ? targetEventId : (looked.at(-1)?.id ?? targetEventId);
  const isCompleted = lastEventId >= targetEventId;
  if (isCompleted) correction.finish?.();
  return {
    state: {
      ...running,
      status: isCompleted ? 'completed' : 'running',
      lastEventId,
      processedRows: state.processedRows + looked.length,
      changedRows: state.changedRows + changes.length,
      appliedRows: state.appliedRows + changes.length,
    },
  };
}
