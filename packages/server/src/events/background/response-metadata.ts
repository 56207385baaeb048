import type { Database } from 'bun:sqlite';
import { restoreMetadata } from '@manager/core/usage/restore-metadata';
import type { FactChange } from '../../facts/rewrite.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import { readCounter } from '../ingest/counters.ts';
import { factHeaders } from '../ingest/fact-row.ts';
import { HeaderSnapshots } from '../ingest/header-snapshots.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { BATCH_EVENTS, withinBudget } from './budget.ts';
import { correctFacts, unsealedRows } from './correct-facts.ts';
import type { DataMigrationState } from './state.ts';
import type { StepResult } from './step-result.ts';

/**
 * Events of an earlier format get the response metadata that is read from headers and failures today: raw row, columns
 * of the fact and newest headers of the account together. Reading and writing are one transaction, so nothing can come
 * between; a restored event is complete, so one pass is enough.
 */
export function stepResponseMetadata(context: IngestContext, state: DataMigrationState): StepResult {
  if (state.status === 'completed') return { state };
  const { db, now, events: writer } = context;
  // Events that are inserted from now on are complete.
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
  const headers = new HeaderSnapshots();
  // Older events are not in that table yet.
  const pending = readCounter(db, 'header_snapshots_pending_id');
  const looked = withinBudget(rows, now, ({ id, detail }) => {
    const stored = decode(detail);
    const event = restoreMetadata(stored);
    if (event === stored) return;
    writer.correct(event, id);
    changes.push({ eventId: id, values: factHeaders(event, writer.symbols) });
    if (id > pending) headers.add(event, id, now());
  });
  correctFacts(db, changes);
  headers.writeTo(db);
  const isEnd = looked.length === rows.length && rows.length < BATCH_EVENTS;
  const lastEventId = isEnd ? targetEventId : (looked.at(-1)?.id ?? targetEventId);
  return {
    state: {
      ...running,
      status: lastEventId < targetEventId ? 'running' : 'completed',
      lastEventId,
      processedRows: state.processedRows + looked.length,
      changedRows: state.changedRows + changes.length,
      appliedRows: state.appliedRows + changes.length,
    },
  };
}

function newestEvent(db: Database): number {
  return (
    db.query<{ id: number }, []>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'usage_events'").get()?.id ?? 0
  );
}
