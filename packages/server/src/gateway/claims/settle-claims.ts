import { hasState, type ListedAccount } from '@manager/core/accounts/listed-account';
import type { AccountClient } from '../accounts/client.ts';
import type { AuthFileCoordinator } from '../accounts/coordinator.ts';
import { createLookupTally } from '../accounts/lookup-tally.ts';
import { tryLock } from '../accounts/try-lock.ts';
import { GatewayError } from '../errors.ts';
import { hold, isOf } from './change-account.ts';
import { type AccountScope, type Claim, filesOf, type Settled } from './claim.ts';
import type { ClaimOwner } from './owner.ts';
import type { ClaimStore } from './store.ts';

/** A look-up without an answer must not block the others. */
const LOOK_MS = 6_000;

export interface SettleClaimsDeps {
  readonly store: ClaimStore;
  readonly client: Pick<AccountClient, 'find'>;
  readonly lock: AuthFileCoordinator;
  readonly owners: ReadonlyMap<string, ClaimOwner>;
}

/**
 * Settles changes with an unknown result, because the manager was killed in between or the gateway gave no answer: a disabled
 * account was disabled under its claim, any other was not. Claims whose file cannot be read stay open.
 */
export interface ClaimSettlement {
  /** Under the lock of the files, so that a running change is not taken for an abandoned one. False: no answer. */
  settleOpen(scope: AccountScope, signal?: AbortSignal): Promise<boolean>;
  settleAll(signal: AbortSignal): Promise<Settled>;
}

export function createClaimSettlement({ store, client, lock, owners }: SettleClaimsDeps): ClaimSettlement {
  const { reader, writer } = store;

  async function unsettledOf(files: ReadonlySet<string> | null): Promise<readonly Claim[]> {
    const claims = await reader.run('unsettledClaims', null);
    // A newer version may have stored an owner that this one does not know.
    return claims.filter(({ owner, account }) => owners.has(owner) && (files?.has(account.authFileName) ?? true));
  }

  async function settleFile(fileName: string, claims: readonly Claim[], signal?: AbortSignal): Promise<boolean> {
    let live: readonly ListedAccount[];
    try {
      live = await client.find(fileName, { timeoutMs: LOOK_MS, ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof GatewayError) return false;
      throw error;
    }
    for (const claim of claims) await settle(claim, live);
    return true;
  }

  async function settle(claim: Claim, live: readonly ListedAccount[]): Promise<void> {
    const owner = owners.get(claim.owner);
    if (owner === undefined) return;
    const [only, second] = live.filter((member) => isOf(claim, member));
    const isDisabled = only !== undefined && second === undefined && hasState(only, true);
    const as = claim.state === 'enabling' ? 'ended' : owner.retries ? 'requested' : 'dropped';
    if (isDisabled && claim.state === 'enabling') await writer.run('settleClaims', { ids: [claim.id], as: 'held' });
    else if (!isDisabled) await writer.run('settleClaims', { ids: [claim.id], as });
    else await hold({ owner, store }, [claim]);
  }

  return {
    async settleOpen(scope, signal) {
      const claims = await unsettledOf(filesOf(scope));
      const answers: boolean[] = [];
      for (const [file, ofFile] of Map.groupBy(claims, ({ account }) => account.authFileName)) {
        answers.push(await settleFile(file, ofFile, signal));
      }
      return !answers.includes(false);
    },
    async settleAll(signal) {
      const lookups = createLookupTally();
      const found = await unsettledOf(null);
      for (const file of new Set(found.map(({ account }) => account.authFileName))) {
        if (lookups.isAway()) break;
        await tryLock(lock, [file], signal, async () => {
          const claims = await unsettledOf(new Set([file]));
          if (claims.length > 0) lookups.note(await settleFile(file, claims, signal));
        });
        signal.throwIfAborted();
      }
      return { found: found.length, left: (await unsettledOf(null)).length };
    },
  };
}
