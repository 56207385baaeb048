import type { Database } from 'bun:sqlite';
import { createColumnCache } from '../cache.ts';
import { createFactSegments } from '../segments.ts';
import { GROUPING_NAMES, SUMS_VERSION } from './groupings.ts';
import { type EncodedSums, makeSums } from './make.ts';

/** Sums for a stored segment. */
export interface SegmentSums {
  readonly segmentId: number;
  readonly sums: readonly EncodedSums[];
}

/** Stores the sums of a segment, inside the caller's transaction. They go with the segment. */
export function insertSums(db: Database, segmentId: number, sums: readonly EncodedSums[]): void {
  const insert = db.query(
    'INSERT INTO fact_segment_sums (segment_id, grouping, version, checksum, data) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { grouping, checksum, data } of sums) insert.run(segmentId, grouping, SUMS_VERSION, checksum, data);
}

/** The newest segment without sums of this version: sealed or corrected before, or by an earlier version. Null when none is. */
export function segmentWithoutSums(db: Database): number | null {
  // One row per 65,536 facts; the sums by the primary key.
  const sql = `
    SELECT id
    FROM fact_segments
    WHERE (SELECT count(*) FROM fact_segment_sums WHERE segment_id = fact_segments.id AND version = ?) < ?
    ORDER BY id DESC
    LIMIT 1`;
  return db.query<{ id: number }, [number, number]>(sql).get(SUMS_VERSION, GROUPING_NAMES.length)?.id ?? null;
}

/** The sums of a stored segment; null when it was replaced meanwhile. For a connection other than the writer's. */
export function encodeSums(db: Database, segmentId: number, onGarbage: () => void = () => {}): SegmentSums | null {
  const encode = db.transaction(() => {
    const chunks = createFactSegments(db, createColumnCache(), () => null).list();
    const chunk = chunks.find((segment) => segment.segmentId === segmentId);
    return chunk === undefined ? null : { segmentId, sums: makeSums(chunk, onGarbage) };
  });
  return encode.deferred();
}

/** Stores sums of a segment in place of earlier ones, inside the caller's transaction, unless the segment was replaced. */
export function storeSums(db: Database, { segmentId, sums }: SegmentSums): void {
  // By the primary key.
  if (db.query('SELECT 1 FROM fact_segments WHERE id = ?').get(segmentId) === null) return;
  db.query('DELETE FROM fact_segment_sums WHERE segment_id = ?').run(segmentId);
  insertSums(db, segmentId, sums);
}
