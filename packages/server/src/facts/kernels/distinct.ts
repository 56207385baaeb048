import type { FactColumn } from '../columns.ts';
import type { Section } from '../section.ts';
import { collectSymbols } from './groups.ts';

/** Symbols found in each column. */
export type DistinctSymbols = ReadonlyMap<FactColumn, Set<number>>;

const ENTRY_BYTES = 32;

/** The distinct symbols of some columns. A completely selected segment answers without its rows. */
export function distinctSymbolsSection(columns: readonly FactColumn[]): Section<DistinctSymbols> {
  return {
    key: `distinct:${columns.join()}`,
    columns,
    create: () => new Map(columns.map((column) => [column, new Set()])),
    add(state, { chunk, selection }) {
      for (const [column, symbols] of state) collectSymbols(chunk, selection, column, symbols);
    },
    exchange: {
      pack: (state) => state,
      merge(state, packed: DistinctSymbols) {
        for (const [column, symbols] of packed) for (const symbol of symbols) state.get(column)?.add(symbol);
      },
    },
    clone: (state) => new Map([...state].map(([column, symbols]) => [column, new Set(symbols)])),
    bytes: (state) => [...state.values()].reduce((sum, symbols) => sum + symbols.size * ENTRY_BYTES, 0),
  };
}
