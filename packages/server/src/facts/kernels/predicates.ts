import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { type Predicate, refineByCode, refineByMask, type Selection, type Verdict } from './selection.ts';

/** Which symbols count, by symbol id: 1 = yes. */
export type SymbolMatch = Uint8Array;

/** Passes rows with a matching symbol in any of the columns. */
export function anySymbol(match: SymbolMatch, ...columns: readonly FactColumn[]): Predicate {
  return {
    columns,
    judge(chunk) {
      let verdict: Verdict = 'none';
      for (const column of columns) {
        const found = judgeSet(chunk.symbolSet(column), match);
        if (found === 'all') return 'all';
        if (found === 'some') verdict = 'some';
      }
      return verdict;
    },
    apply(chunk, selection) {
      const useful = columns.filter((column) => judgeSet(chunk.symbolSet(column), match) !== 'none');
      const [only] = useful;
      if (only !== undefined && useful.length === 1) {
        const { set, codes } = chunk.symbols(only);
        return codes === null ? selection : refineByCode(selection, codes, matchOfCodes(set, match));
      }
      const mask = new Uint8Array(chunk.rowCount);
      for (const column of useful) markSymbols(chunk, column, match, mask);
      return refineByMask(selection, mask);
    },
  };
}

/** Sets the entry of every row with a matching symbol. */
export function markSymbols(chunk: FactChunk, column: FactColumn, match: SymbolMatch, mask: Uint8Array): void {
  const { set, codes } = chunk.symbols(column);
  const keep = matchOfCodes(set, match);
  if (codes === null) {
    if (keep[0] === 1) mask.fill(1);
    return;
  }
  for (let row = 0; row < mask.length; row++) mask[row] = (mask[row] ?? 0) | (keep[codes[row] ?? 0] ?? 0);
}

export function judgeSet(set: Uint32Array, match: SymbolMatch): Verdict {
  let matching = 0;
  for (const symbol of set) matching += match[symbol] ?? 0;
  if (matching === 0) return 'none';
  return matching === set.length ? 'all' : 'some';
}

function matchOfCodes(set: Uint32Array, match: SymbolMatch): Uint8Array {
  const keep = new Uint8Array(set.length);
  for (const [code, symbol] of set.entries()) keep[code] = match[symbol] ?? 0;
  return keep;
}

/**
 * Passes rows whose first column with a symbol that is not blank has a matching one; `whenBlank` decides on rows where all
 * are blank. With it a credential is known by its file, and by its index only where it has no file.
 */
export function firstSymbol(
  columns: readonly FactColumn[],
  match: SymbolMatch,
  blank: SymbolMatch,
  whenBlank: boolean,
): Predicate {
  return {
    columns,
    judge(chunk) {
      const anyMatch = columns.some((column) => judgeSet(chunk.symbolSet(column), match) !== 'none');
      return anyMatch || whenBlank ? 'some' : 'none';
    },
    apply(chunk, selection) {
      const mask = new Uint8Array(chunk.rowCount);
      const undecided = new Uint8Array(chunk.rowCount).fill(1);
      for (const column of columns) {
        const { set, codes } = chunk.symbols(column);
        const matches = matchOfCodes(set, match);
        const blanks = matchOfCodes(set, blank);
        for (let row = 0; row < mask.length; row++) {
          const code = codes === null ? 0 : (codes[row] ?? 0);
          if (undecided[row] === 0 || blanks[code] === 1) continue;
          mask[row] = matches[code] ?? 0;
          undecided[row] = 0;
        }
      }
      if (whenBlank) for (let row = 0; row < mask.length; row++) mask[row] = (mask[row] ?? 0) | (undecided[row] ?? 0);
      return refineByMask(selection, mask);
    },
  };
}

/** Passes rows whose number is at least `least`. */
export function numberAtLeast(column: FactColumn, least: number): Predicate {
  return numberPredicate(column, (base, values, mask) => {
    const offset = least - base;
    for (let row = 0; row < mask.length; row++) mask[row] = (values?.[row] ?? 0) >= offset ? 1 : 0;
  });
}

/** Passes rows of which exactly the `wanted` ones among the bits of `bits` are set. */
export function flagBits(bits: number, wanted: number): Predicate {
  return numberPredicate('flags', (base, values, mask) => {
    for (let row = 0; row < mask.length; row++) mask[row] = ((base + (values?.[row] ?? 0)) & bits) === wanted ? 1 : 0;
  });
}

export const passNothing: Predicate = {
  columns: [],
  judge: () => 'none',
  apply: (_chunk: FactChunk, selection: Selection) => selection,
};

function numberPredicate(
  column: FactColumn,
  fill: (base: number, values: ArrayLike<number> | null, mask: Uint8Array) => void,
): Predicate {
  return {
    columns: [column],
    judge: () => 'some',
    apply(chunk, selection) {
      const { base, values } = chunk.numbers(column);
      const mask = new Uint8Array(chunk.rowCount);
      fill(base, values, mask);
      return refineByMask(selection, mask);
    },
  };
}
