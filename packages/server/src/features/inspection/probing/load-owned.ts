import { matchOwnership } from '@manager/core/accounts/inspection/ownership';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import type { Claim } from '../../../gateway/claims/claim.ts';
import type { ClaimStore } from '../../../gateway/claims/store.ts';
import { codeOf } from '../../../sqlite/worker/errors.ts';
import { INSPECTION } from '../claim.ts';
import type { InspectionJournal } from '../ports.ts';

/**
 * Which accounts an inspection disabled. Claims that no longer apply are ended: otherwise they would match a later manual
 * change. Without the claims nothing is owned, which at worst leaves an account to the operator.
 *
 * @param live every account of the gateway, listed before the claims are read
 */
export async function loadOwned(
  { reader, writer }: ClaimStore,
  live: readonly ListedAccount[],
  journal: InspectionJournal,
): Promise<ReadonlySet<ListedAccount>> {
  let claims: readonly Claim[];
  try {
    claims = await reader.run('openClaims', INSPECTION);
  } catch (error) {
    journal.log('error', 'ownership_failed', { error: `ownership could not be read (${codeOf(error)})` });
    return new Set();
  }
  // A claim of uncertain state is neither owned nor over.
  const held = claims.filter(({ state }) => state === 'held').map(({ id, account }) => ({ id, ...account }));
  const { owned, stale } = matchOwnership(held, live);
  if (stale.length > 0) {
    await writer.run('settleClaims', { ids: stale.map(({ id }) => id), as: 'ended' }).catch((error: unknown) => {
      const text = `outdated ownership could not be deleted (${codeOf(error)})`;
      journal.log('error', 'ownership_cleanup_failed', { error: text });
    });
  }
  return owned;
}
