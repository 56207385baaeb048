import { Database } from 'bun:sqlite';
import { join } from 'node:path';

export interface Gap {
  readonly from_ms: number;
  readonly to_ms: number | null;
  readonly kind: string;
}

/** The recorded gaps, read from the file of a stopped manager. */
export function readGaps(dataDir: string): Gap[] {
  const db = new Database(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    return db.query<Gap, []>('SELECT from_ms, to_ms, kind FROM collection_gaps ORDER BY from_ms').all();
  } finally {
    db.close();
  }
}

export function insideGap(gaps: readonly Gap[], atMs: number): boolean {
  return gaps.some((gap) => gap.from_ms <= atMs && atMs <= (gap.to_ms ?? Number.POSITIVE_INFINITY));
}
