import type { Credential } from '@manager/core/accounts/credential';
import { matchOwnership } from '@manager/core/accounts/inspection/ownership';
import { codeOf } from '../../../sqlite/worker/errors.ts';
import type { OwnershipRow } from '../ownership.ts';
import type { InspectionJournal, InspectionStore } from '../ports.ts';

/**
 * Which credentials are disabled by an inspection. Rows that hold no more are deleted for good: kept, they would fit a later
 * change of a person. Without the rows nothing is owned, which at worst leaves an account to a person.
 *
 * @param live every credential of the upstream, listed before the rows are read
 */
export async function loadOwned(
  store: Pick<InspectionStore, 'loadOwnership' | 'dropOwnership'>,
  live: readonly Credential[],
  journal: InspectionJournal,
): Promise<ReadonlySet<Credential>> {
  let rows: readonly OwnershipRow[];
  try {
    rows = await store.loadOwnership();
  } catch (error) {
    journal.log('error', 'ownership_failed', { error: `ownership could not be read (${codeOf(error)})` });
    return new Set();
  }
  // What is not known to be owned is neither owned nor over.
  const { owned, stale } = matchOwnership(
    rows.filter(({ state }) => state === 'owned'),
    live,
  );
  if (stale.length > 0) {
    await store.dropOwnership(stale.map(({ id }) => id)).catch((error: unknown) => {
      const text = `outdated ownership could not be deleted (${codeOf(error)})`;
      journal.log('error', 'ownership_cleanup_failed', { error: text });
    });
  }
  return owned;
}
