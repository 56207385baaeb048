import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import { isHexNeedle, markHexDigits, markOpaque } from './hash-search.ts';
import { judgeSet, markSymbols, type SymbolMatch } from './predicates.ts';
import { type Predicate, refineByMask } from './selection.ts';
import { markSubstring } from './text-search.ts';

/** The searchable fields that are symbols; the plain provider is not one. */
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

/** The searchable fields that are texts of their own; the event hash is the 29th field. */
export const SEARCHED_TEXTS = [
  'request_id',
  'header_trace_id',
  'fail_summary',
] as const satisfies readonly FactColumn[];

export interface SearchTerms {
  /** Folded and trimmed, not empty. */
  readonly query: string;
  /** Symbols whose folded text contains the query. */
  readonly containing: SymbolMatch;
  /** Symbols of the alternative: exactly this key hash. null = none. */
  readonly keyHash: SymbolMatch | null;
  /**
   * Event whose whole hash the query is, when the query is one: -1 when there is none, null when the query is not a whole
   * hash and the hashes must be searched.
   */
  readonly wholeHashEventId: number | null;
}

/** Passes rows of which any searchable field contains the query, or that have the key hash. */
export function searchPredicate(terms: SearchTerms): Predicate {
  const needle = new TextEncoder().encode(terms.query);
  const keyHashes = terms.keyHash === null ? terms.containing : union(terms.containing, terms.keyHash);
  const matchOf = (column: FactColumn) => (column === 'api_key_hash' ? keyHashes : terms.containing);

  return {
    columns: SEARCHED_SYMBOLS,
    judge: (chunk) =>
      SEARCHED_SYMBOLS.some((column) => judgeSet(chunk.symbolSet(column), matchOf(column)) === 'all') ? 'all' : 'some',
    apply(chunk, selection) {
      const mask = new Uint8Array(chunk.rowCount);
      for (const column of SEARCHED_SYMBOLS) {
        if (judgeSet(chunk.symbolSet(column), matchOf(column)) === 'none') continue;
        markSymbols(chunk, column, matchOf(column), mask);
      }
      for (const column of SEARCHED_TEXTS) markSubstring(chunk.foldedTexts(column), needle, mask);
      if (terms.wholeHashEventId !== null) markEvent(chunk, terms.wholeHashEventId, mask);
      else if (isHexNeedle(terms.query)) markHexDigits(chunk.hashes('event_hash'), terms.query, mask);
      if (chunk.hasOpaqueHashes()) markOpaque(chunk.hashes('event_hash'), terms.query, mask);
      return refineByMask(selection, mask);
    },
  };
}

function markEvent(chunk: FactChunk, eventId: number, mask: Uint8Array): void {
  if (eventId < chunk.firstEventId || eventId > chunk.lastEventId) return;
  const { base, values } = chunk.eventIds();
  const offset = eventId - base;
  for (let row = 0; row < mask.length; row++) if ((values?.[row] ?? 0) === offset) mask[row] = 1;
}

function union(left: SymbolMatch, right: SymbolMatch): SymbolMatch {
  return left.map((value, index) => value | (right[index] ?? 0));
}
