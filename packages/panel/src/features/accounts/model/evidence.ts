import type { Evidence } from '../../../platform/accounts/availability.ts';

/** Equal pieces of evidence, shown once. */
export interface FoldedEvidence extends Evidence {
  readonly count: number;
}

/** Ids and numbers differ between otherwise equal failures. */
const VARYING = /\S*\d\S*/g;

/** Folds repeated evidence (newest first) into its newest piece. */
export function foldedEvidence(evidence: readonly Evidence[]): readonly FoldedEvidence[] {
  const folded = new Map<string, { readonly newest: Evidence; count: number }>();
  for (const one of evidence) {
    const key = [one.source, one.says, one.status, one.code ?? '', one.text.replace(VARYING, '#')].join('\n');
    const known = folded.get(key);
    if (known === undefined) folded.set(key, { newest: one, count: 1 });
    else known.count += 1;
  }
  return [...folded.values()].map(({ newest, count }) => ({ ...newest, count }));
}
