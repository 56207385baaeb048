import type { Database } from 'bun:sqlite';
import { trimText } from '@manager/core/json/text';
import { withoutReasoningSuffix } from '@manager/core/usage/models';
import { foldText } from './case-folding.ts';
import { type FactColumn, FactFlag } from './columns.ts';
import { anySymbol, firstSymbol, flagBits, numberAtLeast, passNothing } from './kernels/predicates.ts';
import { searchPredicate } from './kernels/search.ts';
import { type CompiledQuery, type Predicate, refineByMask } from './kernels/selection.ts';
import { markEqual } from './kernels/text-search.ts';
import type { SymbolTable } from './symbols.ts';

export const CACHE_STATUSES = ['hit', 'miss', 'read', 'creation'] as const;
export type CacheStatus = (typeof CACHE_STATUSES)[number];

/** Values of a list are ORed, members are ANDed. Values are trimmed and not blank; an empty list does not filter. */
export interface FactFilters {
  readonly models: readonly string[];
  readonly providers: readonly string[];
  readonly accounts: readonly string[];
  readonly credential_ids: readonly string[];
  readonly auth_files: readonly string[];
  readonly auth_indices: readonly string[];
  readonly api_key_hashes: readonly string[];
  readonly source_hashes: readonly string[];
  readonly project_ids: readonly string[];
  readonly request_types: readonly string[];
  readonly header_error_kinds: readonly string[];
  readonly header_error_codes: readonly string[];
  readonly header_quota_plans: readonly string[];
  readonly header_trace_ids: readonly string[];
  readonly include_failed: boolean;
  readonly failed_only: boolean;
  /** 0 = no filter. */
  readonly min_latency_ms: number;
  readonly cache_status: CacheStatus | null;
  /** Leaves out events with an implausible time: for "latest" and "today". */
  readonly plausible_only?: boolean;
}

export interface FactSearch {
  /** As typed, '' = no text search. */
  readonly query: string;
  /** '' = none. */
  readonly apiKeyHash: string;
}

export interface FactQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly filters: FactFilters | null;
  readonly search: FactSearch;
}

/** Lets every event pass. */
export const NO_FILTERS: FactFilters = {
  models: [],
  providers: [],
  accounts: [],
  credential_ids: [],
  auth_files: [],
  auth_indices: [],
  api_key_hashes: [],
  source_hashes: [],
  project_ids: [],
  request_types: [],
  header_error_kinds: [],
  header_error_codes: [],
  header_quota_plans: [],
  header_trace_ids: [],
  include_failed: true,
  failed_only: false,
  min_latency_ms: 0,
  cache_status: null,
};

/** Shown when an event identifies no account. */
const NO_CREDENTIAL = '-';

const CREDENTIAL_COLUMNS = ['auth_file_snapshot', 'auth_index', 'source_hash', 'source'] as const;

const EXACT_FILTERS = {
  auth_files: 'auth_file_snapshot',
  auth_indices: 'auth_index',
  api_key_hashes: 'api_key_hash',
  source_hashes: 'source_hash',
  project_ids: 'auth_project_id_snapshot',
  request_types: 'executor_type',
  header_error_kinds: 'header_error_kind',
  header_error_codes: 'header_error_code',
  header_quota_plans: 'header_quota_plan_type',
} as const satisfies Partial<Record<keyof FactFilters, FactColumn>>;

/** What names are looked up in. */
interface Searched {
  readonly db: Database;
  readonly symbols: SymbolTable;
}

/** Converts names to symbols and filters to tests of rows. */
export function compileQuery(snapshot: Searched, query: FactQuery): CompiledQuery {
  const predicates = [
    ...(query.filters === null ? [] : filterPredicates(snapshot.symbols, query.filters)),
    ...searchPredicates(snapshot, query.search),
  ];
  return { fromMs: query.fromMs, toMs: query.toMs, predicates };
}

function filterPredicates(symbols: SymbolTable, filters: FactFilters): Predicate[] {
  const predicates: Predicate[] = [];
  if (filters.failed_only && !filters.include_failed) predicates.push(passNothing);
  else if (filters.failed_only) predicates.push(flagBits(FactFlag.failed, FactFlag.failed));
  else if (!filters.include_failed) predicates.push(flagBits(FactFlag.failed, 0));

  if (filters.plausible_only === true) predicates.push(flagBits(FactFlag.implausibleTime, 0));
  if (filters.models.length > 0) {
    predicates.push(anySymbol(exactly(symbols, filters.models.map(withoutReasoningSuffix)), 'analytics_model'));
  }
  if (filters.providers.length > 0) {
    predicates.push(anySymbol(folded(symbols, filters.providers), 'provider', 'auth_provider_snapshot'));
  }
  if (filters.accounts.length > 0) {
    const match = folded(symbols, filters.accounts);
    predicates.push(anySymbol(match, 'account_snapshot', 'auth_label_snapshot', 'source', 'auth_index'));
  }
  if (filters.credential_ids.length > 0) predicates.push(credentialPredicate(symbols, filters.credential_ids));
  for (const [name, column] of Object.entries(EXACT_FILTERS)) {
    const values = filters[name as keyof typeof EXACT_FILTERS];
    if (values.length > 0) predicates.push(anySymbol(exactly(symbols, values), column));
  }
  // `optional` columns hold value + 1, so that unknown is the smallest.
  if (filters.min_latency_ms > 0) predicates.push(numberAtLeast('latency_ms', filters.min_latency_ms + 1));
  if (filters.cache_status !== null) predicates.push(cachePredicate(filters.cache_status));
  if (filters.header_trace_ids.length > 0) predicates.push(tracePredicate(filters.header_trace_ids));
  return predicates;
}

function credentialPredicate(symbols: SymbolTable, ids: readonly string[]): Predicate {
  const wanted = new Set(ids);
  const match = symbols.match((text) => wanted.has(trimText(text)));
  const blank = symbols.match((text) => trimText(text) === '');
  return firstSymbol(CREDENTIAL_COLUMNS, match, blank, wanted.has(NO_CREDENTIAL));
}

function cachePredicate(status: CacheStatus): Predicate {
  switch (status) {
    case 'hit':
      return flagBits(FactFlag.cacheHit, FactFlag.cacheHit);
    case 'miss':
      return flagBits(FactFlag.cacheHit, 0);
    case 'read':
      return numberAtLeast('cache_read_tokens', 1);
    case 'creation':
      return numberAtLeast('cache_creation_tokens', 1);
  }
}

function tracePredicate(values: readonly string[]): Predicate {
  return {
    columns: [],
    judge: () => 'some',
    apply(chunk, selection) {
      const mask = new Uint8Array(chunk.rowCount);
      markEqual(chunk.texts('header_trace_id'), values, mask);
      return refineByMask(selection, mask);
    },
  };
}

function searchPredicates(snapshot: Searched, search: FactSearch): Predicate[] {
  const { symbols, db } = snapshot;
  const query = foldText(trimText(search.query));
  const keyHash = search.apiKeyHash === '' ? null : exactly(symbols, [search.apiKeyHash]);
  if (query === '') return keyHash === null ? [] : [anySymbol(keyHash, 'api_key_hash')];
  const containing = symbols.matchFolded((text) => text.includes(query));
  const name = Bun.SHA256.hash(JSON.stringify([query, search.apiKeyHash]), 'base64');
  return [searchPredicate({ name, query, containing, keyHash, wholeHashEventId: eventIdOfHash(db, query) })];
}

/** The ledger has every hash, so a whole one needs no scan; null when the query is not a whole hash. */
function eventIdOfHash(db: Database, query: string): number | null {
  if (!/^[0-9a-f]{64}$/.test(query)) return null;
  const row = db
    .query<{ event_id: number }, [Uint8Array]>('SELECT event_id FROM usage_event_identity_ledger WHERE event_hash = ?')
    .get(Buffer.from(query, 'hex'));
  return row?.event_id ?? -1;
}

function exactly(symbols: SymbolTable, values: readonly string[]): Uint8Array {
  const wanted = new Set(values);
  return symbols.match((text) => wanted.has(text));
}

function folded(symbols: SymbolTable, values: readonly string[]): Uint8Array {
  const wanted = new Set(values.map(foldText));
  return symbols.matchFolded((text) => wanted.has(text));
}
