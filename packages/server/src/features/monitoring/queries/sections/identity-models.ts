import { IDENTITY_COLUMNS } from '../../../../facts/answers/identity-columns.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { type TotalsState, totalsSection } from '../../../../facts/kernels/totals.ts';
import type { Scan } from '../../../../facts/scan.ts';
import { type IdentityGroups, identityGroups } from '../fold/identities.ts';
import type { AnalyticsPlan } from '../plan.ts';

/** Sums by identity and analytics model: rows of accounts, channels and failure sources are folded from them. */
export interface IdentityModels {
  readonly state: TotalsState;
  readonly groups: IdentityGroups;
}

export const MODEL_DIMENSION = 1;

export function planIdentityModels({ snapshot, pricer, once }: AnalyticsPlan, scan: Scan): () => IdentityModels {
  const dimensions = [symbolDimension(IDENTITY_COLUMNS), symbolDimension(['analytics_model'])];
  const read = scan.add(totalsSection(dimensions, pricer));
  return () =>
    once(scan, 'identity models', () => {
      const state = read();
      return { state, groups: identityGroups(state, 0, snapshot.symbols) };
    });
}
