import type { FilterOptions } from '@manager/core/contract/monitoring/analytics';
import type { AccountStats } from '@manager/core/contract/monitoring/sections';
import { accountId, clientKeyId, unknownKeyId } from '../../../../facts/answers/identity.ts';
import { IDENTITY_COLUMNS, type Identity, identityOf } from '../../../../facts/answers/identity-columns.ts';
import { sortTexts } from '../../../../facts/answers/sort.ts';
import { distinctSymbolsSection } from '../../../../facts/kernels/distinct.ts';
import { newestOfGroups, newestOfGroupsSection } from '../../../../facts/kernels/newest-of-groups.ts';
import { distinctValues, type IdentityGroups, newestValues, textsOf } from '../fold/identities.ts';
import { orNone, snapshotMembers } from '../fold/members.ts';
import { gather, numberValues } from '../fold/numbering.ts';
import type { AnalyticsPlan } from '../plan.ts';

const TEXT_COLUMNS = ['analytics_model', 'api_key_hash', 'auth_file_snapshot'] as const;

/** Values for the filter menus: range and search count, filters do not, so a choice never removes its alternatives. */
export function planFilterSelectors({ base, snapshot }: AnalyticsPlan): () => FilterOptions {
  const { symbols } = snapshot;
  const readTexts = base.add(distinctSymbolsSection(TEXT_COLUMNS));
  const readIdentities = base.add(newestOfGroupsSection(IDENTITY_COLUMNS, 'api_key_hash', symbols));
  return () => {
    const distinct = readTexts();
    const columnTexts = (column: (typeof TEXT_COLUMNS)[number]) =>
      Array.from(distinct.get(column) ?? [], (symbol) => symbols.text(symbol));
    const keys = sortTexts(columnTexts('api_key_hash').map((text) => clientKeyId(text) ?? ''));
    const newest = newestOfGroups(readIdentities());
    const identities = newest.map((group) => identityOf(group.symbols, symbols));
    const accounts = lightAccounts({
      identities,
      identityOf: Uint32Array.from(newest, (_, group) => group),
      newestMs: Float64Array.from(newest, ({ newestMs }) => newestMs),
      newestId: Float64Array.from(newest, ({ newestId }) => newestId),
    });
    const unknownKeys = new Set(identities.filter((_, group) => newest[group]?.anyBlank === true).map(unknownKeyId));
    return {
      models: orNone(sortTexts(columnTexts('analytics_model'))),
      api_key_hashes: orNone(keys),
      providers: orNone(sortTexts(identities.map(({ provider }) => provider))),
      auth_files: orNone(sortTexts(columnTexts('auth_file_snapshot'))),
      accounts: orNone(sortTexts(identities.map(({ account }) => account))),
      account_stats: orNone(accounts),
      account_count: accounts.length || undefined,
      api_key_count: keys.length + unknownKeys.size || undefined,
    };
  };
}

const NO_SNAPSHOT: Pick<Identity, 'account' | 'label' | 'provider'> = { account: '', label: '', provider: '' };

/** Named accounts, by id, without counts. */
function lightAccounts(groups: IdentityGroups): AccountStats[] {
  const named = numberValues(groups.identities.map((identity) => accountId(identity) ?? ''));
  const ids = named.distinct;
  const rowOf = gather(named.numbers, groups.identityOf);
  const snapshots = newestValues(groups, rowOf, ids.length, ['account', 'label', 'provider']);
  const authIndices = distinctValues(groups, rowOf, ids.length, 'authIndex');
  const sources = distinctValues(groups, rowOf, ids.length, 'source');
  const sourceHashes = distinctValues(groups, rowOf, ids.length, 'sourceHash');
  const rowOfId = new Map(ids.map((id, row) => [id, row]));
  return sortTexts(ids).map((id) => {
    const row = rowOfId.get(id) ?? 0;
    return {
      id,
      ...snapshotMembers(snapshots[row] ?? NO_SNAPSHOT),
      auth_indices: orNone(textsOf(authIndices, row)),
      sources: orNone(textsOf(sources, row)),
      source_hashes: orNone(textsOf(sourceHashes, row)),
      ...NO_COUNTS,
    };
  });
}

const NO_COUNTS = {
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
