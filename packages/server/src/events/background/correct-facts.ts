import type { Database } from 'bun:sqlite';
import { SEGMENT_ROWS } from '../../facts/columns.ts';
import { type FactChange, rewriteSegment, segmentOf } from '../../facts/rewrite.ts';
import { readSealedUntil } from '../../facts/sealed-until.ts';
import { countedFacts, numberAt } from '../ingest/chunk-sums.ts';
import { readCounter } from '../ingest/counters.ts';
import { COUNTED_COLUMNS, HourlySums } from '../ingest/hourly-rollup.ts';

/**
 * Writes corrected facts and the difference in the hourly rollup, in the transaction that also corrects the raw rows. So a sum
 * always equals a recount of the events. Clearing and refilling the hourly rollup would leave it incomplete meanwhile.
 *
 * All facts are in sealed segments, which are replaced: readers may keep the tail, because its rows never change.
 */
export function correctFacts(db: Database, changes: readonly FactChange[]): void {
  const sums = new HourlySums();
  const covered = readCounter(db, 'hourly_core_event_id');
  for (const [segmentId, inSegment] of bySegment(db, changes)) {
    rewriteSegment(db, segmentId, inSegment, ({ before, after, rows, changed }) => {
      if (!COUNTED_COLUMNS.some((name) => changed.has(name))) return;
      const ids = before.eventIds();
      const factBefore = countedFacts(before);
      const factAfter = countedFacts(after);
      for (const row of rows) {
        // Facts beyond it are added later, already corrected.
        if (numberAt(ids, row) > covered) continue;
        sums.remove(factBefore(row));
        sums.add(factAfter(row));
      }
    });
  }
  sums.writeTo(db);
}

/** Number of facts that must be sealed before events up to `eventId` can be corrected. */
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

function bySegment(db: Database, changes: readonly FactChange[]): ReadonlyMap<number, readonly FactChange[]> {
  const segments = new Map<number, FactChange[]>();
  let segment: ReturnType<typeof segmentOf> = null;
  for (const change of changes) {
    if (segment === null || change.eventId > segment.lastEventId) segment = segmentOf(db, change.eventId);
    if (segment === null) throw new Error(`the fact of event ${change.eventId} is not sealed`);
    const known = segments.get(segment.id) ?? [];
    known.push(change);
    segments.set(segment.id, known);
  }
  return segments;
}
