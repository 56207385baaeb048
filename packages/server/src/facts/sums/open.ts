import type { ColumnCache } from '../cache.ts';
import type { SumChunk } from '../chunk.ts';
import { openColumns } from '../segment-chunk.ts';
import type { SumsContent } from './blob.ts';

/** @param name for errors and as a prefix in the cache */
export function openSums(name: string, content: SumsContent, cache: ColumnCache): SumChunk {
  const { rows, totals, columns } = content;
  const opened = openColumns(
    {
      name,
      rows,
      span: { segmentId: null, firstEventId: 0, lastEventId: 0, minTimestampMs: 0, maxTimestampMs: 0 },
      column: (of) => {
        const found = columns.get(of);
        // A copy: the reader keeps or releases it.
        return found === undefined ? null : { ...found, data: new Uint8Array(found.data) };
      },
      encoding: (of) => columns.get(of)?.encoding ?? null,
    },
    cache,
    { liveRows: () => null, sums: () => null },
  );
  return { chunk: opened.chunk, totals, stored: opened.stored };
}
