import { identityOf } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import { AppError } from '@manager/core/contract/errors';
import { AccountChangeError, type AccountChanges, type ChangeOptions } from './changes.ts';
import { type Reach, reachAccount, reachFile } from './reach.ts';
import type { AccountTargets } from './targets.ts';

interface Calls {
  readonly targets: AccountTargets;
  readonly changes: AccountChanges;
}

export type Switched =
  | { readonly done: true }
  | {
      readonly done: false;
      readonly reason: string;
      /** Those that may have the new state anyway. */
      readonly uncertain: readonly ListedAccount[];
      /** A different account is in the file by now. */
      readonly replaced: boolean;
    };

/** A revert must end soon, whatever the gateway does: the limit for all its requests and one look-up. */
const UNDO_CALLS_MS = 5_000;
const UNDO_LOOK_MS = 3_000;

/** Enables or disables all affected accounts. When a later one fails, the earlier ones are reverted. */
export async function switchStatus(
  calls: Calls,
  reach: Reach,
  disabled: boolean,
  by: NonNullable<ChangeOptions['by']>,
): Promise<Switched> {
  const { switched, failure } = await attempt(calls, reach, disabled, { by });
  if (failure === null) return { done: true };
  const left = switched.length === 0 ? [] : await setBack(calls, switched, undoOptions());
  const isBack = new Set(switched.filter((member) => !left.includes(member)));
  return {
    done: false,
    reason: left.length === 0 ? failure.reason : `${failure.reason}; not every account could be restored`,
    replaced: failure.replaced,
    uncertain: failure.mayHaveHappened ? reach.members.filter((member) => !isBack.has(member)) : left,
  };
}

/**
 * Reverts a completed change, with its own time limit: the caller may have been aborted. The accounts are looked up again,
 * because a different one may be in their file by now.
 */
export async function undoSwitch(calls: Calls, reach: Reach, disabled: boolean): Promise<boolean> {
  const options = undoOptions();
  const [account] = reach.members;
  if (account === undefined) return true;
  try {
    const again =
      reach.kind === 'file'
        ? await reachFile(calls.targets, account.name, reach.members, options)
        : await reachAccount(calls.targets, identityOf(account), options);
    if (!again.found) return false;
    const { failure } = await attempt(calls, again.target, !disabled, options);
    return failure === null;
  } catch (error) {
    reasonOf(error);
    return false;
  }
}

interface Attempt {
  /** Changed one by one. */
  readonly switched: readonly ListedAccount[];
  readonly failure: { readonly reason: string; readonly mayHaveHappened: boolean; readonly replaced: boolean } | null;
}

async function attempt({ changes }: Calls, reach: Reach, disabled: boolean, options: ChangeOptions): Promise<Attempt> {
  const switched: ListedAccount[] = [];
  try {
    if (reach.kind === 'credential') await changes.setDisabled(reach.target, disabled, options);
    else if (reach.target.sourceRow !== null || reach.members.length === 1) {
      await changes.setFileDisabled(reach.target, disabled, options);
    } else {
      for (const member of reach.members) {
        options.signal?.throwIfAborted();
        const how = await changes.setMemberDisabled(reach.target, member, disabled, options);
        if (how === 'file') break;
        switched.push(member);
      }
    }
    return { switched, failure: null };
  } catch (error) {
    const { mayHaveHappened, replaced } =
      error instanceof AccountChangeError ? error : { mayHaveHappened: false, replaced: false };
    return { switched, failure: { reason: reasonOf(error), mayHaveHappened, replaced } };
  }
}

/** Restores the state of accounts, and returns those for which that failed. */
async function setBack(
  calls: Calls,
  before: readonly ListedAccount[],
  options: ChangeOptions,
): Promise<ListedAccount[]> {
  const left: ListedAccount[] = [];
  for (const member of before) {
    try {
      options.signal?.throwIfAborted();
      const found = await calls.targets.credential(identityOf(member), options);
      if (!found.found) left.push(member);
      else if (found.target.listed.disabled !== member.disabled) {
        await calls.changes.setDisabled(found.target, member.disabled, options);
      }
    } catch (error) {
      reasonOf(error);
      left.push(member);
    }
  }
  return left;
}

function undoOptions(): ChangeOptions {
  return {
    signal: AbortSignal.timeout(UNDO_CALLS_MS),
    timeoutMs: UNDO_CALLS_MS,
    lookTimeoutMs: UNDO_LOOK_MS,
  };
}

/** For the operator. Bugs in the manager are rethrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AccountChangeError || error instanceof AppError) return error.message;
  if (error instanceof DOMException) return 'the gateway did not respond in time';
  throw error;
}
