import type { CredentialStats } from '@manager/core/contract/monitoring-sections';
import { foldTotals } from '../../../../facts/kernels/totals.ts';
import { totalsBlock } from '../../../../facts/ratios.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import { credentialId } from '../../identity.ts';
import { byBytes } from '../../sort.ts';
import { type Identity, newestValues } from '../fold/identities.ts';
import { orNone, snapshotMembers } from '../fold/members.ts';
import { modelRows } from '../fold/model-rows.ts';
import { gather, numberValues } from '../fold/numbering.ts';
import { type IdentityModels, MODEL_DIMENSION } from './identity-models.ts';

/** Values that a credential row shows of its newest events. */
export const CREDENTIAL_FIELDS = [
  'file',
  'authIndex',
  'source',
  'sourceHash',
  'account',
  'label',
  'provider',
  'project',
] as const satisfies readonly (keyof Identity)[];

/** Credentials, most expensive first. */
export function credentialStats({ state, groups }: IdentityModels, symbols: SymbolTable): CredentialStats[] {
  const credentials = numberValues(groups.identities.map(credentialId));
  const ids = credentials.distinct;
  const rowOf = gather(credentials.numbers, groups.identityOf);
  const values = newestValues(groups, rowOf, ids.length, CREDENTIAL_FIELDS);
  const models = modelRows(state, MODEL_DIMENSION, symbols, rowOf, ids.length);
  return foldTotals(state, rowOf, ids.length)
    .map(
      (sums, row): CredentialStats => ({
        id: ids[row] ?? '',
        ...credentialMembers(values[row]),
        ...totalsBlock(sums),
        models: orNone(models[row] ?? []),
      }),
    )
    .sort(mostExpensiveFirst);
}

export function credentialMembers(values: Identity | undefined) {
  if (values === undefined) return {};
  return {
    auth_file_snapshot: orNone(values.file),
    auth_index: orNone(values.authIndex),
    source: orNone(values.source),
    source_hash: orNone(values.sourceHash),
    ...snapshotMembers(values),
    auth_project_id_snapshot: orNone(values.project),
  };
}

type Ranked = Pick<CredentialStats, 'id' | 'last_seen_ms' | 'calls' | 'cost'>;

export function mostExpensiveFirst(left: Ranked, right: Ranked): number {
  return (
    right.cost - left.cost ||
    right.calls - left.calls ||
    right.last_seen_ms - left.last_seen_ms ||
    byBytes(left.id, right.id)
  );
}
