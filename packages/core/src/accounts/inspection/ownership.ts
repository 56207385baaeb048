import { type Credential, hasState } from '../credential.ts';
import { type AccountRecord, matchesAccountRecord } from '../identity.ts';

export interface OwnershipMatch<Row> {
  readonly owned: ReadonlySet<Credential>;
  /** Records that hold no more and must be deleted for good: otherwise they would fit a later change of a person. */
  readonly stale: readonly Row[];
}

/**
 * Which live credentials are disabled by an inspection.
 *
 * @param live all credentials, not only those of the providers that are inspected
 */
export function matchOwnership<Row extends AccountRecord>(
  rows: readonly Row[],
  live: readonly Credential[],
): OwnershipMatch<Row> {
  const owned = new Set<Credential>();
  const stale: Row[] = [];
  for (const row of rows) {
    const matching = live.filter((credential) => matchesAccountRecord(credential, row));
    const [only] = matching;
    if (only !== undefined && matching.length === 1 && hasState(only, true)) owned.add(only);
    else stale.push(row);
  }
  return { owned, stale };
}
