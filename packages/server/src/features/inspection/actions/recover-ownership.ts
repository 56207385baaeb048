import type { Credential } from '@manager/core/accounts/credential';
import { matchOwnership } from '@manager/core/accounts/inspection/ownership';
import type { Credentials } from '../../../gateway/accounts/credentials.ts';
import { createLookupTally } from '../../../gateway/accounts/lookup-tally.ts';
import { tryLock } from '../../../gateway/accounts/try-lock.ts';
import { UpstreamError } from '../../../gateway/errors.ts';
import type { OwnershipRow } from '../ownership.ts';
import type { InspectionStore } from '../ports.ts';

/** One that gets no answer must leave others their turn. */
const LOOK_MS = 6_000;

type OwnershipRecoveryStore = Pick<InspectionStore, 'loadOwnership' | 'confirmOwnership' | 'dropOwnership'>;

/**
 * Settles changes whose end is not known, because the manager was killed in between or the upstream gave no answer: what is
 * disabled now was disabled by the inspection, everything else was not. Rows whose file cannot be read stay as they are.
 *
 * @returns how many rows are still not settled
 */
export async function recoverOwnership(
  { client, lock }: Pick<Credentials, 'client' | 'lock'>,
  store: OwnershipRecoveryStore,
  signal: AbortSignal,
): Promise<number> {
  const files = new Set((await pendingRows(store)).map(({ authFileName }) => authFileName));
  const looks = createLookupTally();
  for (const fileName of files) {
    if (looks.isAway()) break;
    // Under the lock, so that a change which is going on right now is not taken for one that was left.
    await tryLock(lock, [fileName], signal, async () => {
      const rows = await pendingRows(store, fileName);
      if (rows.length === 0) return;
      const live = await look(fileName);
      looks.note(live !== null);
      if (live !== null) await settle(rows, live);
    });
    signal.throwIfAborted();
  }
  return (await pendingRows(store)).length;

  /** null = the upstream does not say. */
  async function look(fileName: string): Promise<readonly Credential[] | null> {
    try {
      return await client.find(fileName, { signal, timeoutMs: LOOK_MS });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UpstreamError) return null;
      throw error;
    }
  }

  async function settle(rows: readonly OwnershipRow[], live: readonly Credential[]): Promise<void> {
    const { stale } = matchOwnership(rows, live);
    const gone = new Set(stale);
    const owned = rows.filter((row) => !gone.has(row));
    if (owned.length > 0) await store.confirmOwnership(owned.map(({ id }) => id));
    if (stale.length > 0) await store.dropOwnership(stale.map(({ id }) => id));
  }
}

async function pendingRows(store: OwnershipRecoveryStore, fileName?: string): Promise<readonly OwnershipRow[]> {
  const rows = await store.loadOwnership();
  return rows.filter(
    ({ state, authFileName }) => state === 'pending' && (fileName === undefined || authFileName === fileName),
  );
}
