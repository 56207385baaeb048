import type { FilterOptions } from '@manager/core/contract/monitoring';
import type { AccountStats } from '@manager/core/contract/monitoring-sections';
import { trimText } from '@manager/core/usage/text';
import type { FactChunk } from '../../../facts/chunk.ts';
import type { FactColumn } from '../../../facts/columns.ts';
import { collectSymbols, groupBySymbols } from '../../../facts/kernels/groups.ts';
import { type Selection, scan } from '../../../facts/kernels/selection.ts';
import { compileQuery } from '../../../facts/query.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import type { SymbolTable } from '../../../facts/symbols.ts';
import { accountId, unknownKeyId } from '../identity.ts';
import type { AnalyticsQuery } from '../request.ts';
import { sortTexts } from '../sort.ts';

const IDENTITY_COLUMNS = [
  'account_snapshot',
  'auth_label_snapshot',
  'source',
  'auth_index',
  'source_hash',
  'auth_provider_snapshot',
  'provider',
] as const satisfies readonly FactColumn[];

/** The events that agree in everything that names an account. */
interface Identity {
  readonly account: string;
  readonly label: string;
  readonly source: string;
  readonly authIndex: string;
  readonly sourceHash: string;
  /** Provider snapshot, else provider. */
  readonly provider: string;
  newestMs: number;
  newestId: number;
  withoutKey: boolean;
}

/** Values for the filter menus: range and search count, filters do not, so a choice never removes its alternatives. */
export function readFilterSelectors(
  snapshot: FactSnapshot,
  query: AnalyticsQuery,
  checkStopped: () => void,
): FilterOptions {
  const { symbols } = snapshot;
  const models = new Set<number>();
  const keys = new Set<number>();
  const files = new Set<number>();
  const identities = new Map<string, Identity>();
  scan(snapshot.chunks, compileQuery(snapshot, { ...query, filters: null }), checkStopped, (chunk, selection) => {
    chunk.prepare(['timestamp_ms', 'analytics_model', 'api_key_hash', 'auth_file_snapshot', ...IDENTITY_COLUMNS]);
    collectSymbols(chunk, selection, 'analytics_model', models);
    collectSymbols(chunk, selection, 'api_key_hash', keys);
    collectSymbols(chunk, selection, 'auth_file_snapshot', files);
    collectIdentities(chunk, selection, symbols, identities);
  });

  const textsOf = (ids: Set<number>) => sortTexts([...ids].map(symbols.text));
  const keyTexts = sortTexts([...keys].map((id) => trimText(symbols.text(id)).toLowerCase()));
  const all = [...identities.values()];
  const accounts = selectorAccounts(all);
  const unknownKeys = new Set(all.filter((identity) => identity.withoutKey).map(unknownKeyId));
  return {
    ...list('models', textsOf(models)),
    ...list('api_key_hashes', keyTexts),
    ...list('providers', sortTexts(all.map((identity) => identity.provider))),
    ...list('auth_files', textsOf(files)),
    ...list('accounts', sortTexts(all.map((identity) => identity.account))),
    ...(accounts.length > 0 ? { account_stats: accounts, account_count: accounts.length } : {}),
    ...(keyTexts.length + unknownKeys.size > 0 ? { api_key_count: keyTexts.length + unknownKeys.size } : {}),
  };
}

function collectIdentities(
  chunk: FactChunk,
  selection: Selection,
  symbols: SymbolTable,
  identities: Map<string, Identity>,
): void {
  const groups = groupBySymbols(chunk, selection, IDENTITY_COLUMNS);
  const times = chunk.numbers('timestamp_ms');
  const eventIds = chunk.eventIds();
  const keys = chunk.symbols('api_key_hash');
  const blankKeys = Uint8Array.from(keys.set, (id) => (trimText(symbols.text(id)) === '' ? 1 : 0));
  const newestMs = new Float64Array(groups.count).fill(Number.NEGATIVE_INFINITY);
  const newestRow = new Uint32Array(groups.count);
  const withoutKey = new Uint8Array(groups.count);
  for (let index = 0; index < selection.count; index++) {
    const row = selection.rows === null ? index : (selection.rows[index] ?? 0);
    const group = groups.groupOf[index] ?? 0;
    const time = times.base + (times.values?.[row] ?? 0);
    // Rows come in the order of their ids, so of equal times the later row is the newer event.
    if (time >= (newestMs[group] ?? 0)) {
      newestMs[group] = time;
      newestRow[group] = row;
    }
    if (blankKeys[keys.codes === null ? 0 : (keys.codes[row] ?? 0)] === 1) withoutKey[group] = 1;
  }

  for (let group = 0; group < groups.count; group++) {
    const ids = groups.symbols.map((column) => column[group] ?? 0);
    const key = ids.join(',');
    const identity = identities.get(key) ?? newIdentity(ids.map(symbols.text));
    identities.set(key, identity);
    const time = newestMs[group] ?? 0;
    const eventId = eventIds.base + (eventIds.values?.[newestRow[group] ?? 0] ?? 0);
    if (time > identity.newestMs || (time === identity.newestMs && eventId > identity.newestId)) {
      identity.newestMs = time;
      identity.newestId = eventId;
    }
    if (withoutKey[group] === 1) identity.withoutKey = true;
  }
}

function newIdentity(texts: readonly string[]): Identity {
  const [account = '', label = '', source = '', authIndex = '', sourceHash = '', snapshot = '', provider = ''] = texts;
  return {
    account,
    label,
    source,
    authIndex,
    sourceHash,
    provider: snapshot !== '' ? snapshot : provider,
    newestMs: Number.NEGATIVE_INFINITY,
    newestId: -1,
    withoutKey: false,
  };
}

function selectorAccounts(identities: readonly Identity[]): AccountStats[] {
  const byId = new Map<string, Identity[]>();
  for (const identity of identities.toSorted(newestFirst)) {
    const id = accountId(identity);
    if (id === null) continue;
    const members = byId.get(id) ?? [];
    members.push(identity);
    byId.set(id, members);
  }
  return sortTexts([...byId.keys()]).map((id) => selectorAccount(id, byId.get(id) ?? []));
}

/** @param members newest first, so that the first value that is not empty is the newest */
function selectorAccount(id: string, members: readonly Identity[]): AccountStats {
  const newest = (field: 'account' | 'label' | 'provider') => members.find((member) => member[field] !== '')?.[field];
  const distinct = (field: 'authIndex' | 'source' | 'sourceHash') => sortTexts(members.map((member) => member[field]));
  return {
    id,
    ...text('account_snapshot', newest('account')),
    ...text('auth_label_snapshot', newest('label')),
    ...text('auth_provider_snapshot', newest('provider')),
    ...list('auth_indices', distinct('authIndex')),
    ...list('sources', distinct('source')),
    ...list('source_hashes', distinct('sourceHash')),
    calls: 0,
    success_calls: 0,
    failure_calls: 0,
    success_rate: 1,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    total_tokens: 0,
    cost: 0,
    average_latency_ms: null,
    last_seen_ms: 0,
  };
}

function newestFirst(left: Identity, right: Identity): number {
  return right.newestMs - left.newestMs || right.newestId - left.newestId;
}

function list<Name extends string>(name: Name, values: string[]): { readonly [Key in Name]?: string[] } {
  return values.length === 0 ? {} : ({ [name]: values } as { readonly [Key in Name]: string[] });
}

function text<Name extends string>(name: Name, value: string | undefined): { readonly [Key in Name]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}
