import type { UsageEvent } from '@manager/core/usage/event';
import { restoreMetadata } from '@manager/core/usage/restore-metadata';
import { eventDecoder } from '../event-decoder.ts';
import { readCounter } from '../ingest/counters.ts';
import type { EventWriter } from '../ingest/event-writer.ts';
import { factHeaders } from '../ingest/fact-row.ts';
import { HeaderSnapshots } from '../ingest/header-snapshots.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { type Correction, correctEvents, unsealedRows } from './correct-events.ts';
import type { DataMigrationState } from './state.ts';
import type { StepResult } from './step.ts';

/** Events of one step. */
const BATCH = 1_000;

/**
 * Events of an earlier format get the response metadata that is read from headers and failures today: raw row, columns of the
 * fact and newest headers of the credential together. Reading and writing are one transaction, so nothing can come between;
 * and what was restored once is found complete afterwards, so one pass is enough.
 */
export function stepResponseMetadata(context: IngestContext, state: DataMigrationState): StepResult {
  if (state.status === 'completed') return { state };
  const { db } = context;
  // What is inserted from now on is complete.
  const targetEventId = state.targetEventId || newestEvent(context);
  // By the primary key.
  const rows = db
    .query<{ id: number; detail: Uint8Array }, [number, number, number]>(
      `SELECT id, detail
       FROM usage_events
       WHERE id > ? AND id <= ?
       ORDER BY id
       LIMIT ?`,
    )
    .all(state.lastEventId, targetEventId, BATCH);
  const decode = eventDecoder(db);
  const corrections: Correction[] = [];
  for (const { id, detail } of rows) {
    const event = decode(detail);
    const restored = restoreMetadata(event);
    if (restored !== event) corrections.push(correctionOf(id, restored, context.events));
  }
  const last = corrections.at(-1);
  const sealRows = last === undefined ? 0 : unsealedRows(db, last.fact.eventId, targetEventId);
  const running: DataMigrationState = { ...state, status: 'running', targetEventId };
  if (sealRows > 0) return { state: running, sealRows };
  correctEvents(db, context.events, corrections);
  const headers = new HeaderSnapshots();
  // Older events are still to be looked at for this table.
  const pending = readCounter(db, 'header_snapshots_pending_id');
  for (const { event, fact } of corrections) if (fact.eventId > pending) headers.add(event, fact.eventId);
  headers.writeTo(db);
  const lastEventId = rows.length < BATCH ? targetEventId : (rows.at(-1)?.id ?? targetEventId);
  return {
    state: {
      ...running,
      status: lastEventId < targetEventId ? 'running' : 'completed',
      lastEventId,
      processedRows: state.processedRows + rows.length,
      changedRows: state.changedRows + corrections.length,
      appliedRows: state.appliedRows + corrections.length,
    },
  };
}

function correctionOf(eventId: number, event: UsageEvent, writer: EventWriter): Correction {
  return { event, fact: { eventId, values: factHeaders(event, writer.symbols) } };
}

function newestEvent({ db }: IngestContext): number {
  return (
    db.query<{ id: number }, []>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'usage_events'").get()?.id ?? 0
  );
}
