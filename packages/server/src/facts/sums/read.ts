import type { Database } from 'bun:sqlite';
import type { ColumnCache } from '../cache.ts';
import type { SumChunk } from '../chunk.ts';
import { type SumsBlob, type SumsContent, unpackSums } from './blob.ts';
import { type Grouping, SUMS_VERSION } from './groupings.ts';
import { openSums } from './open.ts';

export interface StoredSums {
  /** Null where there are none, they are damaged or of another version. */
  of(segmentId: number, grouping: Grouping): SumChunk | null;
}

/** Missing sums may be stored later: only found ones are cached. */
export function createStoredSums(db: Database, cache: ColumnCache): StoredSums {
  // Both by the primary key.
  const exists = db.query<unknown, [number, string, number]>(
    'SELECT 1 FROM fact_segment_sums WHERE segment_id = ? AND grouping = ? AND version = ?',
  );
  const stored = db.query<SumsBlob, [number, string]>(
    'SELECT checksum, data FROM fact_segment_sums WHERE segment_id = ? AND grouping = ?',
  );

  function read(segmentId: number, grouping: Grouping): SumsContent | null {
    const blob = stored.get(segmentId, grouping);
    return blob === null ? null : unpackSums(blob);
  }

  return {
    of(segmentId, grouping) {
      if (exists.get(segmentId, grouping, SUMS_VERSION) === null) return null;
      const name = `sums of fact segment ${segmentId} by ${grouping}`;
      const found = cache.get(name, 'column', () => read(segmentId, grouping), sizeOf);
      return found === null ? null : openSums(name, found, cache);
    },
  };
}

function sizeOf(content: SumsContent | null): number {
  let bytes = 0;
  for (const { data } of content?.columns.values() ?? []) bytes += data.length;
  return bytes;
}
