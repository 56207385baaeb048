import type { Database } from 'bun:sqlite';
import type { ColumnCache } from './cache.ts';
import type { FactChunk } from './chunk.ts';
import { SegmentDamaged } from './segment/blob.ts';
import { SEGMENT_FORMAT } from './segment/encode.ts';
import { type ColumnSource, openColumns, type StoredColumn } from './segment-chunk.ts';
import { createStoredSums } from './sums/read.ts';

interface SegmentRow {
  readonly id: number;
  readonly format: number;
  readonly row_count: number;
  readonly first_event_id: number;
  readonly last_event_id: number;
  readonly min_timestamp_ms: number;
  readonly max_timestamp_ms: number;
}

export interface FactSegments {
  /** Every sealed segment in this read transaction, oldest first. */
  list(): FactChunk[];
}

/** Segments never change, so cached values stay valid. */
export function createFactSegments(
  db: Database,
  cache: ColumnCache,
  liveRows: (chunk: FactChunk) => Uint8Array | null,
): FactSegments {
  const segments = db.query<SegmentRow, []>(
    `SELECT id, format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms
     FROM fact_segments
     ORDER BY first_event_id`,
  );
  // Reads by the primary key.
  const column = db.query<StoredColumn, [number, string]>(
    `SELECT encoding, min_value AS min, max_value AS max, checksum, data
     FROM fact_segment_columns
     WHERE segment_id = ? AND name = ?`,
  );
  // By the primary key.
  const encoding = db.query<{ encoding: string }, [number, string]>(
    'SELECT encoding FROM fact_segment_columns WHERE segment_id = ? AND name = ?',
  );
  const sums = createStoredSums(db, cache);

  function open(segment: SegmentRow): FactChunk {
    const { id } = segment;
    const name = `fact segment ${id}`;
    if (segment.format !== SEGMENT_FORMAT) {
      throw new SegmentDamaged(`${name}: format ${segment.format} is unknown to this version`);
    }
    const source: ColumnSource = {
      name,
      rows: segment.row_count,
      span: {
        segmentId: id,
        firstEventId: segment.first_event_id,
        lastEventId: segment.last_event_id,
        minTimestampMs: segment.min_timestamp_ms,
        maxTimestampMs: segment.max_timestamp_ms,
      },
      column: (of) => column.get(id, of),
      encoding: (of) => encoding.get(id, of)?.encoding ?? null,
    };
    return openColumns(source, cache, { liveRows, sums: (grouping) => sums.of(id, grouping) }).chunk;
  }

  return { list: () => segments.all().map(open) };
}
