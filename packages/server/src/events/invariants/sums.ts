import type { Database } from 'bun:sqlite';
import type { FactChunk } from '../../facts/chunk.ts';
import { unpackColumn } from '../../facts/segment/blob.ts';
import { type SumsBlob, type SumsContent, unpackSums } from '../../facts/sums/blob.ts';
import { SUMS_VERSION } from '../../facts/sums/groupings.ts';
import { makeSums } from '../../facts/sums/make.ts';

interface StoredRow extends SumsBlob {
  readonly grouping: string;
}

/** The stored sums of fact segments equal a recount of their facts. They may be missing. */
export function checkSums(db: Database, chunks: readonly FactChunk[]): string[] {
  const stored = db.query<StoredRow, [number, number]>(
    'SELECT grouping, checksum, data FROM fact_segment_sums WHERE segment_id = ? AND version = ? ORDER BY grouping',
  );
  return chunks.flatMap((chunk) => {
    const rows = chunk.segmentId === null ? [] : stored.all(chunk.segmentId, SUMS_VERSION);
    if (rows.length === 0) return [];
    const counted = new Map(makeSums(chunk).map((sums) => [sums.grouping as string, sums]));
    return rows
      .filter((row) => !isSame(row, counted.get(row.grouping)))
      .map(({ grouping }) => `the sums of fact segment ${chunk.segmentId} by ${grouping} differ from its facts`);
  });
}

function isSame(stored: SumsBlob, counted: SumsBlob | undefined): boolean {
  if (counted === undefined) return false;
  if (stored.data.length === 0 || counted.data.length === 0) return stored.data.length === counted.data.length;
  const content = unpackSums(stored);
  return content !== null && Bun.deepEquals(valuesOf(content), valuesOf(unpackSums(counted)));
}

/** Without compression, whose result depends on the version of the runtime. */
function valuesOf(content: SumsContent | null) {
  if (content === null) return null;
  const { rows, totals, columns } = content;
  const values = [...columns].map(([name, column]) => {
    const { layout, payload } = unpackColumn(column, name);
    return [name, layout, column.min, column.max, payload];
  });
  return { rows, totals, values };
}
