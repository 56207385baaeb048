import type { Database } from 'bun:sqlite';

/** Ids of the low-cardinality texts of facts. 0 is the empty text. */
export interface SymbolWriter {
  idOf(text: string): number;
  /** The transaction that added symbols was rolled back: drop them. */
  rolledBack(): void;
}

/** Recently used symbols in memory, in two generations; older ones are read again by their text. */
const GENERATION = 32_768;

export function createSymbolWriter(db: Database): SymbolWriter {
  const find = db.query<{ id: number }, [string]>('SELECT id FROM symbols WHERE text = ?');
  const insert = db.query<{ id: number }, [string]>('INSERT INTO symbols (text) VALUES (?) RETURNING id');
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  return {
    idOf(text) {
      if (text === '') return 0;
      const recent = young.get(text);
      if (recent !== undefined) return recent;
      const id = old.get(text) ?? (find.get(text) ?? insert.get(text))?.id;
      if (id === undefined) throw new Error('symbol not written');
      if (young.size >= GENERATION) {
        old = young;
        young = new Map();
      }
      // A copy: a slice would keep its record in memory.
      young.set(Buffer.from(text).toString(), id);
      return id;
    },
    rolledBack() {
      young = new Map();
      old = new Map();
    },
  };
}
