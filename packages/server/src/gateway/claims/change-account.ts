import { accountIdentity, matchesIdentity } from '@manager/core/accounts/identity';
import { hasState, type ListedAccount } from '@manager/core/accounts/listed-account';
import type { TargetProblem } from '@manager/core/accounts/target-state';
import { stopPoint } from '../../platform/stop-point.ts';
import type { AccountChanges } from '../accounts/changes.ts';
import type { Reach } from '../accounts/reach.ts';
import { type Switched, switchStatus, undoSwitch } from '../accounts/switch-status.ts';
import type { AccountTargets, Target } from '../accounts/targets.ts';
import { type AccountScope, type Claim, type NewClaim, scopeOf } from './claim.ts';
import type { ClaimOwner } from './owner.ts';
import type { ClaimStore } from './store.ts';

/** Result of a change. Nothing was sent except for `done`, `failed`, `unrecorded` and `withdrawn`. */
export type Changed =
  | { readonly kind: 'done' }
  /** The accounts already have that state; `disable`: somebody else disabled one of them. */
  | { readonly kind: 'already'; readonly reach: Reach }
  | { readonly kind: 'problem'; readonly problem: TargetProblem }
  /** The owner's reason. */
  | { readonly kind: 'left'; readonly reason: string }
  /** `enable`: it was disabled by somebody else. */
  | { readonly kind: 'not_owned' }
  | { readonly kind: 'not_stored'; readonly error: unknown }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** A look-up decides later. */
      readonly mayHaveHappened: boolean;
      /** A different account is in the file by now. */
      readonly replaced: boolean;
    }
  /** It was done and could not be stored, or is not wanted any more; then it was reverted, unless that failed. */
  | { readonly kind: 'unrecorded'; readonly undone: boolean; readonly error: unknown }
  | { readonly kind: 'withdrawn'; readonly undone: boolean };

export interface Disabling {
  readonly lookUp: () => Promise<Target<Reach>>;
  /** Claims under which the accounts are disabled, all of which are enabled; or why they are not changed. */
  readonly claims: (reach: Reach) => Promise<readonly NewClaim[] | string>;
}

export interface Enabling {
  readonly lookUp: () => Promise<Target<Reach>>;
  /** Claims of the owner that may end. */
  readonly claims: () => Promise<readonly Claim[]>;
}

/**
 * How every automation changes accounts: look them up, store the intent, send the change, store the result. The caller holds
 * the lock of the files for all of it.
 */
export interface OwnedChanges {
  disable(change: Disabling): Promise<Changed>;
  enable(change: Enabling): Promise<Changed>;
}

export interface OwnedChangesDeps {
  readonly owner: ClaimOwner;
  readonly store: ClaimStore;
  readonly targets: AccountTargets;
  readonly changes: AccountChanges;
  /** Settles changes that a crash left open first. False: the gateway does not answer. */
  readonly settleOpen: (scope: AccountScope) => Promise<boolean>;
}

export function createOwnedChanges(deps: OwnedChangesDeps): OwnedChanges {
  const { owner } = deps;
  const { writer } = deps.store;

  async function found(lookUp: () => Promise<Target<Reach>>): Promise<Reach | Changed> {
    const target = await lookUp();
    if (!target.found) return { kind: 'problem', problem: target.problem };
    const isSettled = await deps.settleOpen(scopeOf(target.target));
    return isSettled ? target.target : { kind: 'problem', problem: 'unavailable' };
  }

  /** Claims of accounts that may have the new state stay, until a look-up decides. */
  async function failed(
    claims: readonly Claim[],
    switched: Extract<Switched, { done: false }>,
    as: 'requested' | 'held' | 'dropped' | 'ended',
  ): Promise<Changed> {
    const { reason, uncertain, replaced } = switched;
    const certain = claims.filter((claim) => !uncertain.some((member) => isOf(claim, member)));
    const settled = { ids: idsOf(certain), as, lastError: as === 'ended' ? reason : '' };
    await writer.run('settleClaims', settled).catch(leaveOpen);
    return { kind: 'failed', reason, replaced, mayHaveHappened: certain.length < claims.length };
  }

  return {
    async disable({ lookUp, claims }) {
      const reach = await found(lookUp);
      if (!('members' in reach)) return reach;
      if (reach.members.some((member) => hasState(member, true))) return { kind: 'already', reach };
      const wanted = await claims(reach);
      if (typeof wanted === 'string') return { kind: 'left', reason: wanted };
      let begun: readonly Claim[];
      try {
        begun = await writer.run('beginDisabling', { owner: owner.kind, claims: wanted, enabled: scopeOf(reach) });
      } catch (error) {
        return { kind: 'not_stored', error };
      }
      if (begun.length < wanted.length) {
        await writer.run('settleClaims', { ids: idsOf(begun), as: 'dropped' });
        return { kind: 'left', reason: 'it is not wanted any more' };
      }
      stopPoint('claim_stored');
      const switched = await switchStatus(deps, reach, true, 'automation');
      stopPoint('claim_answered');
      if (!switched.done) return failed(begun, switched, owner.retries && !switched.replaced ? 'requested' : 'dropped');
      let outcome: { kind: 'withdrawn' } | { kind: 'unrecorded'; error: unknown };
      try {
        if (await hold(deps, begun)) {
          stopPoint('claim_settled');
          return { kind: 'done' };
        }
        outcome = { kind: 'withdrawn' };
      } catch (error) {
        outcome = { kind: 'unrecorded', error };
      }
      const undone = await undoSwitch(deps, reach, true);
      // An unknown result stays open, until a look-up decides.
      if (undone) await writer.run('settleClaims', { ids: idsOf(begun), as: 'dropped' }).catch(leaveOpen);
      return { ...outcome, undone };
    },

    async enable({ lookUp, claims }) {
      const reach = await found(lookUp);
      if (!('members' in reach)) return reach;
      const own = (await claims()).filter((claim) => reach.members.some((member) => isOf(claim, member)));
      const off = reach.members.filter((member) => hasState(member, true));
      try {
        if (off.length === 0) {
          await writer.run('settleClaims', { ids: idsOf(own), as: 'ended' });
          return { kind: 'already', reach };
        }
        if (!off.every((member) => own.some((claim) => isOf(claim, member)))) return { kind: 'not_owned' };
        await writer.run('beginEnabling', idsOf(own));
      } catch (error) {
        return { kind: 'not_stored', error };
      }
      stopPoint('claim_stored');
      const switched = await switchStatus(deps, reach, false, 'automation');
      stopPoint('claim_answered');
      if (!switched.done) return failed(own, switched, switched.replaced ? 'ended' : 'held');
      try {
        await writer.run('settleClaims', { ids: idsOf(own), as: 'ended' });
        stopPoint('claim_settled');
        return { kind: 'done' };
      } catch (error) {
        return { kind: 'unrecorded', undone: await undoSwitch(deps, reach, false), error };
      }
    },
  };
}

/** A result that cannot be stored stays open: a look-up decides. */
function leaveOpen(): void {}

/** @returns false when the accounts should no longer be disabled */
export async function hold(
  { owner, store }: Pick<OwnedChangesDeps, 'owner' | 'store'>,
  claims: readonly Claim[],
): Promise<boolean> {
  if (owner.hold !== undefined) return owner.hold(claims);
  await store.writer.run('settleClaims', { ids: idsOf(claims), as: 'held' });
  return true;
}

export function isOf({ account }: Claim, member: ListedAccount): boolean {
  return matchesIdentity(member, accountIdentity(account));
}

export function idsOf(claims: readonly Claim[]): readonly number[] {
  return claims.map(({ id }) => id);
}
