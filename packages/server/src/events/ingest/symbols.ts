import type { Database } from 'bun:sqlite';

/** Ids of the low-cardinality texts of facts. 0 is the empty text. */
export interface SymbolWriter {
  idOf(text: string): number;
  /** The same for texts that every caller of the gateway can choose freely: they leave room for names. */
  idOfCaller(text: string): number;
  /** Texts so far that found no room, and are shown as `(other)`. */
  readonly withoutRoom: number;
  /** The transaction that added symbols was rolled back: drop them. */
  rolledBack(): void;
}

export type SymbolIds = Pick<SymbolWriter, 'idOf' | 'idOfCaller'>;
export type CountedSymbolIds = Pick<SymbolWriter, 'idOf' | 'idOfCaller' | 'withoutRoom'>;

export interface SymbolLimits {
  /** Characters of all symbols, and a share for each. */
  readonly total: number;
  /** Above this only names get symbols. */
  readonly callers: number;
}

/** What facts show for a text that has no symbol; the raw row has the text. */
export const OTHER_TEXT = '(other)';

/**
 * The analytics worker keeps every symbol in memory, and they are never removed: made-up names and addresses must not fill it. There is room for
 * more than half a million addresses, or 60,000 names of the greatest length.
 */
const LIMITS: SymbolLimits = { total: 64 * 2 ** 20, callers: 48 * 2 ** 20 };
/** Memory of a symbol beside its text. */
const SHARE = 64;
/** Recently used symbols in memory, in two generations; older ones are read again by their text. */
const GENERATION = 32_768;

export function createSymbolWriter(db: Database, limits: SymbolLimits = LIMITS): SymbolWriter {
  const find = db.query<{ id: number }, [string]>('SELECT id FROM symbols WHERE text = ?');
  const insert = db.query<{ id: number }, [string]>('INSERT INTO symbols (text) VALUES (?) RETURNING id');
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  /** Symbols of a rolled-back transaction stay counted until the next start. */
  let used: number | null = null;
  let withoutRoom = 0;

  function add(text: string, limit: number): number | undefined {
    used ??= usedBy(db);
    const needed = text.length + SHARE;
    if (used + needed > limit) return undefined;
    used += needed;
    return insert.get(text)?.id;
  }

  function idOf(text: string, limit: number): number {
    if (text === '') return 0;
    const recent = young.get(text);
    if (recent !== undefined) return recent;
    const id = old.get(text) ?? find.get(text)?.id ?? add(text, limit);
    if (id === undefined) {
      if (text === OTHER_TEXT) return otherId();
      withoutRoom += 1;
      return idOf(OTHER_TEXT, limit);
    }
    if (young.size >= GENERATION) {
      old = young;
      young = new Map();
    }
    // A copy: a slice would keep its record in memory.
    young.set(Buffer.from(text).toString(), id);
    return id;
  }

  /** It has no limit. */
  function otherId(): number {
    const id = insert.get(OTHER_TEXT)?.id;
    if (id === undefined) throw new Error('symbol not written');
    return id;
  }

  return {
    idOf: (text) => idOf(text, limits.total),
    idOfCaller: (text) => idOf(text, limits.callers),
    get withoutRoom() {
      return withoutRoom;
    },
    rolledBack() {
      young = new Map();
      old = new Map();
    },
  };
}

function usedBy(db: Database): number {
  const row = db
    .query<{ symbols: number; characters: number | null }, []>(
      `SELECT count(*) AS symbols, sum(length(text)) AS characters
       FROM symbols`,
    )
    .get();
  return (row?.characters ?? 0) + (row?.symbols ?? 0) * SHARE;
}
