import type { Database } from 'bun:sqlite';
import { SourceDamaged } from './source.ts';

/** One row by its id, with what `alongside` selects. */
export interface IdRow {
  readonly row_id: number;
  readonly bytes: number;
}

export interface RowIds {
  /** The next rows after an id, by id; empty = the end. @throws SourceDamaged when the table is not in order */
  after(db: Database, id: number): readonly IdRow[];
}

export interface RowIdOptions {
  readonly table: string;
  /** The column of the id. */
  readonly id: string;
  /** Bytes of what is read of each row later; 0 when that does not matter. */
  readonly bytes?: string;
  readonly limit: number;
}

/**
 * Reads row ids so that a damaged tree ends in an error: rows that do not rise would be read for ever, and a page in a wrong
 * place would hide all rows before it. SQLite notices neither, but a walk back over the same rows then finds others.
 */
export function rowIdsOf({ table, id, bytes = '0', limit }: RowIdOptions): RowIds {
  const forward = `SELECT ${id} AS row_id, ${bytes} AS bytes FROM ${table} WHERE ${id} > ? ORDER BY ${id} LIMIT ${limit}`;
  const back = (bound: string) =>
    `SELECT ${id} AS row_id FROM ${table} WHERE ${id} > ?1 ${bound} ORDER BY ${id} DESC LIMIT ?2`;
  const backToEnd = back('');
  const backToRow = back(`AND ${id} <= ?3`);
  return {
    after: (db, after) =>
      // One picture of the table for both ways, because its owner may write.
      db.transaction(() => {
        const rows = db.query<IdRow, [number]>(forward).all(after);
        const damaged = () =>
          new SourceDamaged(`the rows of ${table} are not in order${after < 0 ? '' : ` after row ${after}`}`);
        let last = after;
        for (const { row_id } of rows) {
          if (!Number.isSafeInteger(row_id) || row_id <= last) throw damaged();
          last = row_id;
        }
        const most = rows.length + 1;
        const found =
          rows.length < limit
            ? db.query<{ row_id: number }, [number, number]>(backToEnd).all(after, most)
            : db.query<{ row_id: number }, [number, number, number]>(backToRow).all(after, most, last);
        const agree =
          found.length === rows.length && found.every(({ row_id }, at) => row_id === rows.at(-1 - at)?.row_id);
        if (!agree) throw damaged();
        return rows;
      })(),
  };
}

/** The first rows, until they have too many bytes for one page. At least one. */
export function startOfPage(rows: readonly IdRow[], maxBytes: number): readonly IdRow[] {
  let sum = 0;
  const end = rows.findIndex(({ bytes }, at) => {
    sum += bytes;
    return at > 0 && sum > maxBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
