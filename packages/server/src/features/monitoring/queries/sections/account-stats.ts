import type { AccountStats } from '@manager/core/contract/monitoring-sections';
import { foldTotals } from '../../../../facts/kernels/totals.ts';
import { totalsBlock } from '../../../../facts/ratios.ts';
import type { Pass } from '../../../../facts/sections.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import { accountId } from '../../identity.ts';
import { byBytes } from '../../sort.ts';
import { distinctValues, newestValues } from '../fold/identities.ts';
import { orNone, snapshotMembers } from '../fold/members.ts';
import { modelRows } from '../fold/model-rows.ts';
import { gather, numberValues } from '../fold/numbering.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { type IdentityModels, MODEL_DIMENSION, planIdentityModels } from './identity-models.ts';

/** Nothing names the account. */
const NO_ACCOUNT = '-';

export function planAccountStats(plan: AnalyticsPlan, pass: Pass): () => AccountStats[] {
  const models = planIdentityModels(plan, pass);
  return () => plan.once(pass, 'account stats', () => accountStats(models(), plan.snapshot.symbols));
}

/** Accounts, last seen first. */
function accountStats({ state, groups }: IdentityModels, symbols: SymbolTable): AccountStats[] {
  const accounts = numberValues(groups.identities.map((identity) => accountId(identity) ?? NO_ACCOUNT));
  const ids = accounts.distinct;
  const rowOf = gather(accounts.numbers, groups.identityOf);
  const totals = foldTotals(state, rowOf, ids.length);
  const snapshots = newestValues(groups, rowOf, ids.length, ['account', 'label', 'provider']);
  const authIndices = distinctValues(groups, rowOf, ids.length, 'authIndex');
  const sources = distinctValues(groups, rowOf, ids.length, 'source');
  const sourceHashes = distinctValues(groups, rowOf, ids.length, 'sourceHash');
  const models = modelRows(state, MODEL_DIMENSION, symbols, rowOf, ids.length);
  return totals
    .map(
      (sums, row): AccountStats => ({
        id: ids[row] ?? '',
        ...snapshotMembers(snapshots[row] ?? NO_SNAPSHOT),
        auth_indices: orNone(authIndices[row] ?? []),
        sources: orNone(sources[row] ?? []),
        source_hashes: orNone(sourceHashes[row] ?? []),
        ...totalsBlock(sums),
        models: orNone(models[row] ?? []),
      }),
    )
    .sort(lastSeenFirst);
}

const NO_SNAPSHOT = { account: '', label: '', provider: '' };

type Ranked = Pick<AccountStats, 'id' | 'last_seen_ms' | 'calls' | 'cost'>;

export function lastSeenFirst(left: Ranked, right: Ranked): number {
  return (
    right.last_seen_ms - left.last_seen_ms ||
    right.calls - left.calls ||
    right.cost - left.cost ||
    byBytes(left.id, right.id)
  );
}
