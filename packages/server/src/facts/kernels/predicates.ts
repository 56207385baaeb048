import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { markCodes } from '../decode/codes.ts';
import { widen } from '../decode/packed.ts';
import type { Codes } from '../segment/symbol-codes.ts';
import {
  NOTHING,
  type Predicate,
  refineByCode,
  refineByMask,
  refineByNumber,
  type Selection,
  type Verdict,
} from './selection.ts';

/** Matching symbols, by symbol id: 1 = yes. */
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
    apply(chunk, selection, workspace) {
      const keeps = keepsByCodes(chunk, columns, match);
      const [only] = keeps;
      if (only !== undefined && keeps.size === 1) {
        const [codes, keep] = only;
        if (codes === null) return keep[0] === 1 ? selection : NOTHING;
        return refineByCode(chunk, selection, codes, keep, workspace);
      }
      const mask = new Uint8Array(chunk.rowCount);
      for (const [codes, keep] of keeps) markKept(codes, keep, mask);
      return refineByMask(selection, mask, workspace);
    },
  };
}

/** Which codes match in any of the columns: columns that follow from each other share their codes. */
function keepsByCodes(
  chunk: FactChunk,
  columns: readonly FactColumn[],
  match: SymbolMatch,
): ReadonlyMap<Codes | null, Uint8Array> {
  const keeps = new Map<Codes | null, Uint8Array>();
  for (const column of columns) {
    if (judgeSet(chunk.symbolSet(column), match) === 'none') continue;
    const { set, codes } = chunk.symbols(column);
    const keep = matchOfCodes(set, match);
    const known = keeps.get(codes);
    keeps.set(codes, known === undefined ? keep : keep.map((value, code) => value | (known[code] ?? 0)));
  }
  return keeps;
}

/** Sets the entry of every row with a matching symbol. */
export function markSymbols(chunk: FactChunk, column: FactColumn, match: SymbolMatch, mask: Uint8Array): void {
  const { set, codes } = chunk.symbols(column);
  markKept(codes, matchOfCodes(set, match), mask);
}

function markKept(codes: Codes | null, keep: Uint8Array, mask: Uint8Array): void {
  if (codes !== null) markCodes(codes, keep, mask);
  else if (keep[0] === 1) mask.fill(1);
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
 * Passes rows whose first non-blank column has a matching symbol; `whenBlank` decides on rows where all are blank. So
 * an account is identified by its file, and by its index only if it has no file.
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
    apply(chunk, selection, workspace) {
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
      return refineByMask(selection, mask, workspace);
    },
  };
}

/** Passes rows whose number is at least `least`. */
export function numberAtLeast(column: FactColumn, least: number): Predicate {
  return {
    columns: [column],
    judge: () => 'some',
    apply: (chunk, selection, workspace) => refineByNumber(chunk, selection, column, least, workspace),
  };
}

/** Passes rows with exactly the `wanted` bits set among `bits`. */
export function flagBits(bits: number, wanted: number): Predicate {
  return {
    columns: ['flags'],
    judge: () => 'some',
    apply(chunk, selection, workspace) {
      const flags = workspace.doubles('tested numbers', chunk.rowCount);
      widen(chunk.stored('flags').column, chunk.rowCount, flags);
      const mask = new Uint8Array(chunk.rowCount);
      markBits(flags, bits, wanted, mask);
      return refineByMask(selection, mask, workspace);
    },
  };
}

function markBits(flags: Float64Array, bits: number, wanted: number, mask: Uint8Array): void {
  for (let row = 0; row < mask.length; row++) mask[row] = ((flags[row] ?? 0) & bits) === wanted ? 1 : 0;
}

export const passNothing: Predicate = {
  columns: [],
  judge: () => 'none',
  apply: (_chunk: FactChunk, selection: Selection) => selection,
};
