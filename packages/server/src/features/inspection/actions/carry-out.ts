import { identityOf } from '@manager/core/accounts/identity';
import type { ValidAction } from '@manager/core/accounts/inspection/action-validation';
import { TARGET_PROBLEMS, type TargetProblem } from '@manager/core/accounts/target-state';
import { AppError } from '@manager/core/contract/errors';
import type { OutcomeStatus } from '@manager/core/contract/inspection/runs';
import { AccountChangeError } from '../../../gateway/accounts/changes.ts';
import type { GatewayAccounts } from '../../../gateway/accounts/gateway-accounts.ts';
import { type Reach, reachAccount, reachFile } from '../../../gateway/accounts/reach.ts';
import { reasonOf, type Switched, switchStatus } from '../../../gateway/accounts/switch-status.ts';
import type { Target } from '../../../gateway/accounts/targets.ts';
import type { Changed, OwnedChanges } from '../../../gateway/claims/change-account.ts';
import { scopeOf } from '../../../gateway/claims/claim.ts';
import type { ManualChange } from '../../../gateway/claims/manual-changes.ts';
import type { WantedChange } from '../../../gateway/claims/wanted-change.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { codeOf } from '../../../sqlite/worker/errors.ts';
import { claimsOf, INSPECTION } from '../claim.ts';
import type { InspectionJournal } from '../ports.ts';

/** Who wants the change: automation never undoes a manual change. */
export type ActionTrigger = 'automatic' | 'manual';

export interface CarryOutContext {
  readonly gatewayAccounts: GatewayAccounts;
  readonly owned: OwnedChanges;
  readonly journal: InspectionJournal;
  readonly trigger: ActionTrigger;
  /** Ends waiting and look-ups. A sent change is finished. */
  readonly signal: AbortSignal;
}

export interface Carried {
  readonly status: OutcomeStatus;
  /** '' = no error. */
  readonly error: string;
}

export const CANCELLED: Carried = { status: 'failed', error: 'the work ended before this action started' };

const WORDS = {
  disabledMeanwhile: 'someone else disabled the account in the meantime',
  enabledMeanwhile: 'someone else enabled the account in the meantime',
  notOwned: 'someone else changed the account after an inspection disabled it',
  notStored: 'the manager could not store who disabled the account, so nothing was changed',
  undone: 'the manager could not store who disabled the account; it is enabled again',
  notUndone: 'the manager could not store who disabled the account, and could not enable it again',
} as const;

const SUCCESS: Carried = { status: 'success', error: '' };
const failed = (error: string): Carried => ({ status: 'failed', error });
export const skipped = (error: string): Carried => ({ status: 'skipped', error });

/**
 * Executes a validated action: finds its target again, stores the intent, changes it, and settles the intent. The caller holds
 * the lock of the file.
 */
export async function carryOut(context: CarryOutContext, valid: ValidAction<unknown>): Promise<Carried> {
  const { action } = valid.item;
  if (context.trigger === 'automatic' && action !== 'delete') {
    return action === 'disable' ? disableAndOwn(context, valid) : enableOwned(context, valid);
  }
  const found = await lookUp(context, valid);
  if (context.signal.aborted) return CANCELLED;
  if (!found.found) return refused(found.problem);
  return action === 'delete' ? deleteFile(context, found.target) : switchManually(context, found.target, action);
}

export function refused(problem: TargetProblem): Carried {
  return { status: problem === 'ambiguous' ? 'needs_review' : 'failed', error: TARGET_PROBLEMS[problem] };
}

async function deleteFile(context: CarryOutContext, reach: Reach): Promise<Carried> {
  if (reach.kind !== 'file') return refused('ambiguous');
  const { target } = reach;
  const by = context.trigger === 'manual' ? 'person' : 'automation';
  return withoutOwnership(context, reach, { kind: 'deletion' }, async () => {
    try {
      await context.gatewayAccounts.changes.deleteFile(target, { by });
      return { done: true };
    } catch (error) {
      const mayHaveHappened = error instanceof AccountChangeError && error.mayHaveHappened;
      const uncertain = mayHaveHappened ? target.members : [];
      return { done: false, reason: reasonOf(error), uncertain, replaced: false };
    }
  });
}

/** A decision of the operator: ends all ownership by automation. */
export function switchManually(context: CarryOutContext, reach: Reach, action: 'enable' | 'disable'): Promise<Carried> {
  const disabled = action === 'disable';
  const wanted = {
    kind: 'switch',
    disabled,
    names: reach.members.map(({ runtimeId, name }) => runtimeId || name),
  } as const;
  return withoutOwnership(context, reach, wanted, () =>
    switchStatus(context.gatewayAccounts, reach, disabled, 'person'),
  );
}

/**
 * Ends the ownership before the change, and restores it when a look-up shows that nothing changed.
 */
async function withoutOwnership(
  context: CarryOutContext,
  reach: Reach,
  wanted: WantedChange,
  change: () => Promise<Switched>,
): Promise<Carried> {
  let decision: ManualChange;
  try {
    decision = await context.gatewayAccounts.claims.manual.begin(scopeOf(reach), wanted);
  } catch (error) {
    return unstored(context, error);
  }
  stopPoint('manual_change_stored');
  const switched = await change().catch(async (error: unknown) => {
    await decision.settleLater();
    throw error;
  });
  stopPoint('manual_change_answered');
  if (switched.done) await decision.settle('happened');
  else if (switched.uncertain.length === 0) await decision.settle('not_happened');
  else await decision.settleByLookup(false);
  return switched.done ? SUCCESS : failed(switched.reason);
}

/** Only an inspection enables it again. */
async function disableAndOwn(context: CarryOutContext, valid: ValidAction<unknown>): Promise<Carried> {
  const changed = await context.owned.disable({
    lookUp: () => lookUp(context, valid),
    claims: async (reach) => claimsOf(reach),
  });
  return carried(context, changed, WORDS.disabledMeanwhile);
}

/** Enables what an inspection disabled. */
async function enableOwned(context: CarryOutContext, valid: ValidAction<unknown>): Promise<Carried> {
  const { reader } = context.gatewayAccounts.claims.store;
  const changed = await context.owned.enable({
    lookUp: () => lookUp(context, valid),
    async claims() {
      const claims = await reader.run('openClaims', INSPECTION);
      return claims.filter(({ state }) => state === 'held');
    },
  });
  return carried(context, changed, WORDS.enabledMeanwhile);
}

function carried(context: CarryOutContext, changed: Changed, already: string): Carried {
  switch (changed.kind) {
    case 'done':
      return SUCCESS;
    case 'already':
      return skipped(already);
    case 'not_owned':
      return skipped(WORDS.notOwned);
    case 'problem':
      return context.signal.aborted ? CANCELLED : refused(changed.problem);
    case 'left':
    case 'failed':
      return failed(changed.reason);
    case 'not_stored':
      return unstored(context, changed.error);
    case 'unrecorded':
      logOwnership(context, changed.error);
      return failed(changed.undone ? WORDS.undone : WORDS.notUndone);
    case 'withdrawn':
      throw new Error('an inspection always wants what it does');
  }
}

/** Finds the validated accounts again: exactly the same ones, and for a file all of them. */
export async function lookUp(
  { gatewayAccounts: { targets }, signal }: CarryOutContext,
  { target, listed: account, members }: Pick<ValidAction<unknown>, 'target' | 'listed' | 'members'>,
): Promise<Target<Reach>> {
  const found =
    target === 'credential'
      ? await reachAccount(targets, identityOf(account), { signal })
      : await reachFile(targets, account.name, members, { signal });
  return signal.aborted ? { found: false, problem: 'unavailable' } : found;
}

export function unstored(context: CarryOutContext, error: unknown): Carried {
  logOwnership(context, error);
  return failed(WORDS.notStored);
}

function logOwnership({ journal }: CarryOutContext, error: unknown): void {
  journal.log('error', 'ownership_failed', { error: `who disabled it: not stored (${codeOf(error) || 'unknown'})` });
}

/** The lock refused because the work was aborted. */
export function isEndedWait(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof AppError && error.code === 'auth_file_wait_ended';
}
