import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import type { FactChunk } from '../../facts/chunk.ts';
import { SEGMENT_ROWS } from '../../facts/columns.ts';
import { type FactChange, rewriteSegment, segmentOf } from '../../facts/rewrite.ts';
import { readSealedUntil } from '../../facts/sealed-until.ts';
import { countedFacts, numberAt } from '../ingest/chunk-sums.ts';
import { readCounter } from '../ingest/counters.ts';
import type { EventWriter } from '../ingest/event-writer.ts';
import { HourlySums } from '../ingest/hourly-core.ts';

/** An event whose raw row changes, with what changes in its fact. */
export interface Correction {
  readonly event: UsageEvent;
  readonly fact: FactChange;
}

/**
 * Writes corrected events: raw rows, facts, and the difference in the hourly core, inside the transaction of the caller. So at
 * every moment a sum is a recount of the events, some in the old form and some in the new one. Clearing the hourly core and
 * filling it again would leave it without most of its hours meanwhile.
 *
 * All facts lie in sealed segments, which are replaced by new ones: readers may keep the tail, because its rows never change.
 */
export function correctEvents(db: Database, writer: EventWriter, corrections: readonly Correction[]): void {
  for (const { event, fact } of corrections) writer.correct(event, fact.eventId);
  const sums = new HourlySums();
  const covered = readCounter(db, 'hourly_core_event_id');
  const count = (change: 'add' | 'remove') => (segment: FactChunk, rows: readonly number[]) => {
    const ids = segment.eventIds();
    const factAt = countedFacts(segment);
    for (const row of rows) {
      // What is not covered yet is caught up later, from the corrected facts.
      if (numberAt(ids, row) > covered) continue;
      const fact = factAt(row);
      sums[change](fact.timestampMs, fact.sums);
    }
  };
  for (const [segmentId, changes] of bySegment(db, corrections)) {
    rewriteSegment(db, segmentId, changes, { before: count('remove'), after: count('add') });
  }
  sums.writeTo(db);
}

/** Facts that must be sealed before events up to `eventId` can be corrected; 0 = none. */
export function unsealedRows(db: Database, eventId: number, untilEventId: number): number {
  const sealedUntil = readSealedUntil(db);
  if (eventId <= sealedUntil) return 0;
  // By the primary key.
  const rows = db
    .query<{ rows: number }, [number, number]>(
      'SELECT count(*) AS rows FROM facts_tail WHERE event_id > ? AND event_id <= ?',
    )
    .get(sealedUntil, untilEventId)?.rows;
  return Math.min(rows ?? 0, SEGMENT_ROWS);
}

function bySegment(db: Database, corrections: readonly Correction[]): Map<number, FactChange[]> {
  const changes = new Map<number, FactChange[]>();
  let segment: ReturnType<typeof segmentOf> = null;
  for (const { fact } of corrections) {
    if (segment === null || fact.eventId > segment.lastEventId) segment = segmentOf(db, fact.eventId);
    if (segment === null) throw new Error(`the fact of event ${fact.eventId} is not sealed`);
    const known = changes.get(segment.id) ?? [];
    known.push(fact);
    changes.set(segment.id, known);
  }
  return changes;
}
