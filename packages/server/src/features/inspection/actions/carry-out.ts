import { identityOf, matchesAccountRecord } from '@manager/core/accounts/identity';
import type { ValidAction } from '@manager/core/accounts/inspection/action-validation';
import { TARGET_PROBLEMS, type TargetProblem } from '@manager/core/accounts/target-state';
import { AppError } from '@manager/core/contract/errors';
import type { OutcomeStatus } from '@manager/core/contract/inspection/runs';
import { CredentialChangeError } from '../../../gateway/accounts/changes.ts';
import type { Credentials } from '../../../gateway/accounts/credentials.ts';
import type { ManualChange } from '../../../gateway/accounts/manual-changes.ts';
import type { WantedChange } from '../../../gateway/accounts/wanted-change.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { codeOf } from '../../../sqlite/worker/errors.ts';
import { type OwnershipRow, type OwnershipScope, ownershipRecord } from '../ownership.ts';
import type { InspectionJournal, InspectionStore } from '../ports.ts';
import { lookUp, type Reach } from './reach.ts';
import { reasonOf, type Switched, switchStatus, undoSwitch } from './switch-status.ts';

/** Who wants the change: nothing automatic ever touches what a person has done. */
export type ActionTrigger = 'automatic' | 'manual';

export interface CarryOutContext {
  readonly credentials: Credentials;
  readonly store: InspectionStore;
  readonly journal: InspectionJournal;
  readonly trigger: ActionTrigger;
  /** Ends waiting and looking. A change that was sent is finished. */
  readonly signal: AbortSignal;
}

export interface Carried {
  readonly status: OutcomeStatus;
  /** '' = none. */
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
 * Carries out a validated action: finds its target again, notes what must survive a crash, changes it, and settles the note.
 * The lock of the file is held by the caller.
 */
export async function carryOut(context: CarryOutContext, valid: ValidAction<unknown>): Promise<Carried> {
  const { credentials, signal } = context;
  const found = await lookUp(credentials.targets, valid, { signal });
  if (signal.aborted) return CANCELLED;
  return found.found ? act(context, valid, found.target) : refused(found.problem);
}

/** On a target that was looked up a moment ago. */
export async function act(context: CarryOutContext, valid: ValidAction<unknown>, reach: Reach): Promise<Carried> {
  const { trigger } = context;
  const { action } = valid.item;
  if (action === 'delete') return deleteFile(context, reach);
  if (trigger === 'manual') return switchByHand(context, reach, action === 'disable');
  return action === 'disable' ? disableAndOwn(context, reach) : enableOwned(context, reach);
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
      await context.credentials.changes.deleteFile(target, { by });
      return { done: true };
    } catch (error) {
      const mayHaveHappened = error instanceof CredentialChangeError && error.mayHaveHappened;
      return { done: false, reason: reasonOf(error), uncertain: mayHaveHappened ? target.members : [] };
    }
  });
}

/** A person decides from here on: whatever an inspection owned of it is over. */
function switchByHand(context: CarryOutContext, reach: Reach, disabled: boolean): Promise<Carried> {
  const wanted = {
    kind: 'switch',
    disabled,
    names: reach.members.map(({ runtimeId, name }) => runtimeId || name),
  } as const;
  return withoutOwnership(context, reach, wanted, () => switchStatus(context.credentials, reach, disabled, 'person'));
}

/**
 * Ends what automation knows of it before the change, and puts that back when nothing came of the change. What a person may
 * have changed is theirs.
 */
async function withoutOwnership(
  context: CarryOutContext,
  reach: Reach,
  wanted: WantedChange,
  change: () => Promise<Switched>,
): Promise<Carried> {
  let decision: ManualChange;
  try {
    decision = await context.credentials.manualChanges.begin(scopeOf(reach), wanted);
  } catch (error) {
    return unstored(context, error);
  }
  stopPoint('inspection_intent_stored');
  const switched = await change().catch(async (error: unknown) => {
    await decision.settle('happened');
    throw error;
  });
  stopPoint('inspection_change_answered');
  const isUntouched = !switched.done && switched.uncertain.length === 0;
  await decision.settle(isUntouched ? 'not_happened' : 'happened');
  return switched.done ? SUCCESS : failed(switched.reason);
}

/** The rows are written before the upstream is told, so that after a crash a look tells whether they hold. */
async function disableAndOwn(context: CarryOutContext, reach: Reach): Promise<Carried> {
  const { store, credentials } = context;
  const { members } = reach;
  if (members.some(({ disabled }) => disabled)) return skipped(WORDS.disabledMeanwhile);
  let rows: readonly OwnershipRow[];
  try {
    // All of them are enabled: whatever is known of the file otherwise is over.
    if (reach.kind === 'file') await store.removeOwnership(scopeOf(reach));
    const records = members.map((member) => ownershipRecord(identityOf(member)));
    await credentials.endClaims({ identities: records, by: 'inspection' });
    rows = await store.insertPendingOwnership(records);
  } catch (error) {
    return unstored(context, error);
  }
  stopPoint('inspection_intent_stored');
  const switched = await switchStatus(credentials, reach, true, 'automation');
  stopPoint('inspection_change_answered');
  if (!switched.done) {
    // What may be disabled stays pending: the next look decides.
    const over = rows.filter((row) => !switched.uncertain.some((member) => matchesAccountRecord(member, row)));
    await drop(context, over);
    return failed(switched.reason);
  }
  try {
    await store.confirmOwnership(rows.map(({ id }) => id));
    return SUCCESS;
  } catch (error) {
    logOwnership(context, 'ownership_failed', 'who disabled it', error);
    if (!(await undoSwitch(credentials, reach, true))) return failed(WORDS.notUndone);
    await drop(context, rows);
    return failed(WORDS.undone);
  }
}

/**
 * Brings back what an inspection disabled. Meanwhile its rows are pending: after a crash they hold again where the credential
 * is still disabled, and are over where it is not.
 */
async function enableOwned(context: CarryOutContext, reach: Reach): Promise<Carried> {
  const { store, credentials } = context;
  const { members } = reach;
  const off = members.filter(({ disabled }) => disabled);
  let rows: readonly OwnershipRow[];
  try {
    const all = await store.loadOwnership();
    rows = all.filter((row) => row.state === 'owned' && members.some((member) => matchesAccountRecord(member, row)));
    if (off.length === 0) {
      await drop(context, rows);
      return skipped(WORDS.enabledMeanwhile);
    }
    if (!off.every((member) => rows.some((row) => matchesAccountRecord(member, row)))) return skipped(WORDS.notOwned);
    await store.insertPendingOwnership(rows);
  } catch (error) {
    return unstored(context, error);
  }
  stopPoint('inspection_intent_stored');
  const switched = await switchStatus(credentials, reach, false, 'automation');
  stopPoint('inspection_change_answered');
  if (switched.done) {
    await drop(context, rows);
    return SUCCESS;
  }
  await confirm(
    context,
    rows.filter((row) => !switched.uncertain.some((member) => matchesAccountRecord(member, row))),
  );
  return failed(switched.reason);
}

export function scopeOf({ kind, members }: Pick<Reach, 'kind' | 'members'>): OwnershipScope {
  if (kind === 'file') return { kind: 'files', fileNames: [...new Set(members.map(({ name }) => name))] };
  return { kind: 'credentials', identities: members.map((member) => ownershipRecord(identityOf(member))) };
}

/** Rows of a change that came to nothing hold as before. Where that cannot be stored they are looked at again. */
async function confirm(context: CarryOutContext, rows: readonly OwnershipRow[]): Promise<void> {
  if (rows.length === 0) return;
  await context.store
    .confirmOwnership(rows.map(({ id }) => id))
    .catch((error: unknown) => logOwnership(context, 'ownership_failed', 'rows of a change that failed', error));
}

async function drop(context: CarryOutContext, rows: readonly OwnershipRow[]): Promise<void> {
  if (rows.length === 0) return;
  await context.store
    .dropOwnership(rows.map(({ id }) => id))
    .catch((error: unknown) => logOwnership(context, 'ownership_cleanup_failed', 'rows that are over', error));
}

export function unstored(context: CarryOutContext, error: unknown): Carried {
  logOwnership(context, 'ownership_failed', 'who disabled it', error);
  return failed(WORDS.notStored);
}

function logOwnership(
  { journal }: CarryOutContext,
  message: 'ownership_failed' | 'ownership_cleanup_failed',
  what: string,
  error: unknown,
): void {
  journal.log('error', message, { error: `${what}: not stored (${codeOf(error) || 'unknown'})` });
}

/** The lock refused because the work was ended. */
export function isEndedWait(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof AppError && error.status === 408;
}
