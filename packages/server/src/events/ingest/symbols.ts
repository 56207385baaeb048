import type { Database } from 'bun:sqlite';

/** Numbers of the low-cardinality texts of facts. 0 is the empty text. */
export interface SymbolWriter {
  idOf(text: string): number;
  /** The transaction in which symbols were added was rolled back: forget them. */
  rolledBack(): void;
}

/** Recently used symbols kept in memory, in two generations; older ones are found again by their text. */
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
      // A fresh copy: a slice would keep the record it was cut from in memory.
      young.set(Buffer.from(text).toString(), id);
      return id;
    },
    rolledBack() {
      young = new Map();
      old = new Map();
    },
  };
}
