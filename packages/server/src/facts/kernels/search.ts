import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { judgeSet, markSymbols, type SymbolMatch } from './predicates.ts';
import { NOTHING, type Predicate, refineByMask } from './selection.ts';

/** The searchable symbol columns; the plain provider is not one. */
export const SEARCHED_SYMBOLS = [
  'model',
  'requested_model',
  'analytics_model',
  'resolved_model',
  'endpoint',
  'method',
  'path',
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'source',
  'source_hash',
  'api_key_hash',
  'auth_index',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_file_snapshot',
  'auth_provider_snapshot',
  'auth_project_id_snapshot',
  'reasoning_effort',
  'service_tier',
  'executor_type',
  'header_quota_plan_type',
  'header_error_kind',
  'header_error_code',
] as const satisfies readonly FactColumn[];

/** The searchable text columns; the event hash is the 29th field. */
export const SEARCHED_TEXTS = [
  'request_id',
  'header_trace_id',
  'fail_summary',
] as const satisfies readonly FactColumn[];

export interface SearchTerms {
  /** Identifies the search. */
  readonly name: string;
  /** Folded and trimmed, not empty. */
  readonly query: string;
  /** Symbols whose folded text contains the query. */
  readonly containing: SymbolMatch;
  /** Symbols of this exact key hash, the alternative to the query. null = none. */
  readonly keyHash: SymbolMatch | null;
  /**
   * Id of the event whose whole hash is the query: -1 when there is none, null when the query is not a whole hash and
   * the hashes must be searched.
   */
  readonly wholeHashEventId: number | null;
}

/** Passes rows in which any searchable field contains the query, or that have the key hash. */
export function searchPredicate(terms: SearchTerms): Predicate {
  const needle = new TextEncoder().encode(terms.query);
  const keyHashes = terms.keyHash === null ? terms.containing : union(terms.containing, terms.keyHash);
  const matchOf = (column: FactColumn) => (column === 'api_key_hash' ? keyHashes : terms.containing);

  return {
    columns: [...SEARCHED_SYMBOLS, ...SEARCHED_TEXTS, 'event_hash'],
    judge: (chunk) =>
      SEARCHED_SYMBOLS.some((column) => judgeSet(chunk.symbolSet(column), matchOf(column)) === 'all') ? 'all' : 'some',
    apply(chunk, selection) {
      // Predicates and queries over other ranges share the result of a chunk.
      const bits = chunk.kept(`search:${terms.name}`, () => packMask(search(chunk)), bitsBytes);
      return bits === null ? NOTHING : refineByMask(selection, unpackMask(bits, chunk.rowCount));
    },
  };

  function search(chunk: FactChunk): Uint8Array {
    const mask = new Uint8Array(chunk.rowCount);
    for (const column of SEARCHED_SYMBOLS) {
      if (judgeSet(chunk.symbolSet(column), matchOf(column)) === 'none') continue;
      markSymbols(chunk, column, matchOf(column), mask);
    }
    const { searched } = chunk;
    for (const column of SEARCHED_TEXTS) searched.markTexts(column, needle, mask);
    if (terms.wholeHashEventId === null) searched.markHashes(terms.query, mask);
    else {
      markEvent(chunk, terms.wholeHashEventId, mask);
      searched.markOpaqueHashes(terms.query, mask);
    }
    return mask;
  }
}

function markEvent(chunk: FactChunk, eventId: number, mask: Uint8Array): void {
  if (eventId < chunk.firstEventId || eventId > chunk.lastEventId) return;
  const { base, values } = chunk.eventIds();
  const offset = eventId - base;
  for (let row = 0; row < mask.length; row++) if ((values?.[row] ?? 0) === offset) mask[row] = 1;
}

/** A bit a row, null = no row. */
function packMask(mask: Uint8Array): Uint8Array | null {
  if (!mask.includes(1)) return null;
  const bits = new Uint8Array(Math.ceil(mask.length / 8));
  for (let row = 0; row < mask.length; row++) bits[row >> 3] = (bits[row >> 3] ?? 0) | ((mask[row] ?? 0) << (row & 7));
  return bits;
}

function unpackMask(bits: Uint8Array, rows: number): Uint8Array {
  const mask = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) mask[row] = ((bits[row >> 3] ?? 0) >> (row & 7)) & 1;
  return mask;
}

function bitsBytes(bits: Uint8Array | null): number {
  return bits?.byteLength ?? 0;
}

function union(left: SymbolMatch, right: SymbolMatch): SymbolMatch {
  return left.map((value, index) => value | (right[index] ?? 0));
}
