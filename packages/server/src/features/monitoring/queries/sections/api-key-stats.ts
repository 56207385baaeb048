import type { ApiKeyStats, KeyContext, ModelSubRow } from '@manager/core/contract/monitoring-sections';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { costOfTotals, foldTotals, type TotalsState, totalsSection } from '../../../../facts/kernels/totals.ts';
import { averageLatency, ratio, totalsBlock } from '../../../../facts/ratios.ts';
import type { Pass } from '../../../../facts/sections.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import { clientKeyId, keyContextId, UNKNOWN_KEY, unknownKeyId } from '../../identity.ts';
import {
  distinctValues,
  IDENTITY_COLUMNS,
  type IdentityGroups,
  identityGroups,
  newestValues,
} from '../fold/identities.ts';
import { orNone, snapshotMembers } from '../fold/members.ts';
import { modelRows } from '../fold/model-rows.ts';
import { gather, membersOfRows, type Numbering, numberPairs, numberValues } from '../fold/numbering.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { lastSeenFirst } from './account-stats.ts';
import { keyDimension, keyIdOf } from './client-keys.ts';
import { mostExpensiveFirst } from './credential-stats.ts';

const SNAPSHOT_FIELDS = ['account', 'label', 'provider'] as const;
const CONTEXT_FIELDS = [...SNAPSHOT_FIELDS, 'authIndex', 'source', 'sourceHash'] as const;
const NO_CONTEXT = { account: '', label: '', provider: '', authIndex: '', source: '', sourceHash: '' };

interface KeySums {
  /** By client key and identity. */
  readonly contexts: TotalsState;
  /** By client key, or where it is missing the credential, and analytics model. */
  readonly models: TotalsState;
}

export function planApiKeyStats(plan: AnalyticsPlan, pass: Pass): () => ApiKeyStats[] {
  const { pricer, snapshot } = plan;
  const contexts = pass.add(
    totalsSection([symbolDimension(['api_key_hash']), symbolDimension(IDENTITY_COLUMNS)], pricer),
  );
  const models = pass.add(
    totalsSection([keyDimension(snapshot.symbols), symbolDimension(['analytics_model'])], pricer),
  );
  return () =>
    plan.once(pass, 'api key stats', () => apiKeyStats({ contexts: contexts(), models: models() }, snapshot.symbols));
}

/** Client keys, last seen first; calls without a key by the credential that served them. */
function apiKeyStats({ contexts, models }: KeySums, symbols: SymbolTable): ApiKeyStats[] {
  const groups = identityGroups(contexts, 1, symbols);
  const keys = keysOfGroups(contexts, groups, symbols);
  const rowOf = keys.numbers;
  const rowCount = keys.distinct.length;
  const snapshots = newestValues(groups, rowOf, rowCount, SNAPSHOT_FIELDS);
  const authIndices = distinctValues(groups, rowOf, rowCount, 'authIndex');
  const sources = distinctValues(groups, rowOf, rowCount, 'source');
  const sourceHashes = distinctValues(groups, rowOf, rowCount, 'sourceHash');
  const contextRows = keyContexts(contexts, groups, rowOf, rowCount);
  const modelsOfKeys = modelsByKey(models, symbols, keys.distinct);
  return foldTotals(contexts, rowOf, rowCount)
    .map((totals, row): ApiKeyStats => {
      const id = keys.distinct[row] ?? '';
      return {
        id,
        api_key_hash: id.startsWith(UNKNOWN_KEY) ? '' : id,
        ...snapshotMembers(snapshots[row] ?? NO_CONTEXT),
        auth_indices: orNone(authIndices[row] ?? []),
        sources: orNone(sources[row] ?? []),
        source_hashes: orNone(sourceHashes[row] ?? []),
        ...totalsBlock(totals),
        models: orNone(modelsOfKeys[row] ?? []),
        contexts: orNone(contextRows[row] ?? []),
      };
    })
    .sort(lastSeenFirst);
}

/** The key row of each group. */
function keysOfGroups(contexts: TotalsState, groups: IdentityGroups, symbols: SymbolTable): Numbering<string> {
  const keyIds = contexts.groups.valuesIn(0).map(([key = 0]) => clientKeyId(symbols.text(key)));
  const originIds = groups.identities.map(unknownKeyId);
  const keyOf = contexts.groups.membersOf(0);
  return numberValues(Array.from(keyOf, (key, group) => keyIds[key] ?? originIds[groups.identityOf[group] ?? 0] ?? ''));
}

/** Models of each key row. */
function modelsByKey(models: TotalsState, symbols: SymbolTable, ids: readonly string[]): ModelSubRow[][] {
  const rowOfId = new Map(ids.map((id, row) => [id, row]));
  const rowOfMember = Uint32Array.from(models.groups.valuesIn(0), (value) => rowOfId.get(keyIdOf(value, symbols)) ?? 0);
  return modelRows(models, 1, symbols, gather(rowOfMember, models.groups.membersOf(0)), ids.length);
}

/** The circumstances each key was used in, most expensive first. */
function keyContexts(state: TotalsState, groups: IdentityGroups, rowOf: Uint32Array, rowCount: number): KeyContext[][] {
  const contexts = numberValues(groups.identities.map(keyContextId));
  const pairs = numberPairs(rowOf, gather(contexts.numbers, groups.identityOf));
  const shown = newestValues(groups, pairs.numbers, pairs.count, CONTEXT_FIELDS);
  const rows = foldTotals(state, pairs.numbers, pairs.count).map((totals, pair): KeyContext => {
    const values = shown[pair] ?? NO_CONTEXT;
    return {
      id: contexts.distinct[pairs.right[pair] ?? 0] ?? '',
      ...snapshotMembers(values),
      auth_index: orNone(values.authIndex),
      source: orNone(values.source),
      source_hash: orNone(values.sourceHash),
      calls: totals.calls,
      success_calls: totals.calls - totals.failures,
      failure_calls: totals.failures,
      success_rate: ratio(totals.calls - totals.failures, totals.calls),
      failure_rate: ratio(totals.failures, totals.calls),
      total_tokens: totals.totalTokens,
      cost: costOfTotals(totals),
      average_latency_ms: averageLatency(totals),
      last_seen_ms: totals.newestMs,
    };
  });
  return membersOfRows(pairs.left, rowCount).map((members) =>
    members.flatMap((pair) => rows[pair] ?? []).sort(mostExpensiveFirst),
  );
}
