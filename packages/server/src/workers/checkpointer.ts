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
  const columns = sealed.columns.map((column) => ({ ...column, data: whole(column.data) }));
  collect();
  return new Transfer(
    { ...sealed, columns },
    columns.map(({ data }) => data.buffer),
  );
}

/** A buffer of its own, which can be moved. */
function whole(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = data;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === data.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(data);
}

function encodeSegmentSums({ db }: { readonly db: Database }, segmentId: number): SegmentSums | null {
  const collect = () => Bun.gc(true);
  const made = encodeSums(db, segmentId, collect);
  collect();
  return made;
}

const OPERATIONS = { checkpoint, encodeTail: encodeSegment, encodeSums: encodeSegmentSums } as const;

export type CheckpointerOperations = typeof OPERATIONS;

serveOperations<CheckpointerInit, { readonly db: Database }>((init) => {
  const db = openDatabase(init.path, { mustExist: true, busyTimeoutMs: 250, cacheBytes: 1024 * 1024 });
  return { operations: OPERATIONS, context: { db }, close: () => db.close() };
});
