import { type Credential, hasState } from '@manager/core/accounts/credential';
import type { CredentialClient } from '../accounts/client.ts';
import type { AuthFileCoordinator } from '../accounts/coordinator.ts';
import { createLookupTally } from '../accounts/lookup-tally.ts';
import { tryLock } from '../accounts/try-lock.ts';
import { UpstreamError } from '../errors.ts';
import { hold, isOf } from './change-account.ts';
import { type AccountScope, type Claim, filesOf, type Settled } from './claim.ts';
import type { ClaimOwner } from './owner.ts';
import type { ClaimStore } from './store.ts';

/** One that gets no answer must leave others their turn. */
const LOOK_MS = 6_000;

export interface SettleClaimsDeps {
  readonly store: ClaimStore;
  readonly client: Pick<CredentialClient, 'find'>;
  readonly lock: AuthFileCoordinator;
  readonly owners: ReadonlyMap<string, ClaimOwner>;
}

/**
 * Settles changes whose end is not known, because the manager was killed in between or the gateway gave no answer: what is
 * disabled now was disabled under its claim, everything else was not. Claims whose file cannot be read stay as they are.
 */
export interface ClaimSettlement {
  /** Under the lock of the files, so that a change which is under way is not taken for one that was left. False: no answer. */
  settleOpen(scope: AccountScope, signal?: AbortSignal): Promise<boolean>;
  settleAll(signal: AbortSignal): Promise<Settled>;
}

export function createClaimSettlement({ store, client, lock, owners }: SettleClaimsDeps): ClaimSettlement {
  const { reader, writer } = store;

  async function left(files: ReadonlySet<string> | null): Promise<readonly Claim[]> {
    const claims = await reader.run('unsettledClaims', null);
    // A later version may have written an owner that this one does not know.
    return claims.filter(({ owner, account }) => owners.has(owner) && (files?.has(account.authFileName) ?? true));
  }

  async function settleFile(fileName: string, claims: readonly Claim[], signal?: AbortSignal): Promise<boolean> {
    let live: readonly Credential[];
    try {
      live = await client.find(fileName, { timeoutMs: LOOK_MS, ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof UpstreamError) return false;
      throw error;
    }
    for (const claim of claims) await settle(claim, live);
    return true;
  }

  async function settle(claim: Claim, live: readonly Credential[]): Promise<void> {
    const owner = owners.get(claim.owner);
    if (owner === undefined) return;
    const [only, second] = live.filter((member) => isOf(claim, member));
    const isDisabled = only !== undefined && second === undefined && hasState(only, true);
    const as = claim.state === 'enabling' ? 'ended' : owner.retries ? 'requested' : 'dropped';
    if (isDisabled && claim.state === 'enabling') await writer.run('settleClaims', { ids: [claim.id], as: 'held' });
    else if (!isDisabled) await writer.run('settleClaims', { ids: [claim.id], as });
    // A person may have disabled it as well, so unlike a change of a moment ago it is never taken back.
    else if (!(await hold({ owner, store }, [claim])))
      await writer.run('settleClaims', { ids: [claim.id], as: 'ended' });
  }

  return {
    async settleOpen(scope, signal) {
      const claims = await left(filesOf(scope));
      const answers: boolean[] = [];
      for (const [file, ofFile] of Map.groupBy(claims, ({ account }) => account.authFileName)) {
        answers.push(await settleFile(file, ofFile, signal));
      }
      return !answers.includes(false);
    },
    async settleAll(signal) {
      const looks = createLookupTally();
      const found = await left(null);
      for (const file of new Set(found.map(({ account }) => account.authFileName))) {
        if (looks.isAway()) break;
        await tryLock(lock, [file], signal, async () => {
          const claims = await left(new Set([file]));
          if (claims.length > 0) looks.note(await settleFile(file, claims, signal));
        });
        signal.throwIfAborted();
      }
      return { found: found.length, left: (await left(null)).length };
    },
  };
}
