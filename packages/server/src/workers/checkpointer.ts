import type { Database } from 'bun:sqlite';
import { encodeTail, type SealedTail } from '../facts/seal.ts';
import { encodeSums, type SegmentSums } from '../facts/sums/write.ts';
import { checkpoint } from '../sqlite/checkpoint.ts';
import { openDatabase } from '../sqlite/open.ts';
import { serveOperations } from '../sqlite/worker/serve.ts';
import { Transfer } from '../sqlite/worker/transfer.ts';

export interface CheckpointerInit {
  readonly path: string;
}

/** Encodes a segment of the oldest facts of the tail; null when there are too few. */
function encodeSegment({ db }: { readonly db: Database }, rowCount: number): Transfer<SealedTail> | null {
  // This worker allocates little else, so that its garbage would stay for a long time.
  const collect = () => Bun.gc(true);
  const sealed = encodeTail(db, rowCount, collect);
  if (sealed === null) return null;
  // Columns may share a buffer, or be a part of one.
  const columns = sealed.columns.map((column) => ({ ...column, data: new Uint8Array(column.data) }));
  collect();
  return new Transfer(
    { ...sealed, columns },
    columns.map(({ data }) => data.buffer),
  );
}

function encodeSegmentSums({ db }: { readonly db: Database }, segmentId: number): SegmentSums | null {
  const made = encodeSums(db, segmentId);
  Bun.gc(true);
  return made;
}

const OPERATIONS = { checkpoint, encodeTail: encodeSegment, encodeSums: encodeSegmentSums } as const;

export type CheckpointerOperations = typeof OPERATIONS;

serveOperations<CheckpointerInit, { readonly db: Database }>((init) => {
  const db = openDatabase(init.path, { mustExist: true, busyTimeoutMs: 250, cacheBytes: 1024 * 1024 });
  return { operations: OPERATIONS, context: { db }, close: () => db.close() };
});
