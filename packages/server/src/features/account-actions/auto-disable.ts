import { type AutoDisableProgress, autoDisableStep } from '@manager/core/accounts/failures/auto-disable';
import { identityOf, isStableIdentity } from '@manager/core/accounts/identity';
import type { StatusTarget } from '@manager/core/accounts/status-scope';
import { type StepOutcome, TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { type ChangeOptions, CredentialChangeError } from '../../gateway/accounts/changes.ts';
import type { Credentials } from '../../gateway/accounts/credentials.ts';
import { type Target, targetState } from '../../gateway/accounts/targets.ts';
import { tryLock } from '../../gateway/accounts/try-lock.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import { candidateIdentity } from './identity.ts';
import type { DueCandidate } from './queries/candidates.ts';
import type { CandidateReads, CandidateWrites } from './store.ts';

export interface AutoDisableDeps {
  readonly credentials: Pick<Credentials, 'lock' | 'targets' | 'changes' | 'endClaims'>;
  readonly reader: CandidateReads;
  readonly writer: CandidateWrites;
  /** Whether the policy allows it now. */
  readonly effective: () => Promise<boolean>;
}

/** `unavailable`: the upstream did not answer; when it is tried again is left to the caller. */
export type AutoDisabled =
  | { readonly kind: 'disabled' | 'nothing' | 'unavailable' }
  | { readonly kind: 'refused'; readonly reason: string };

/** For taking back a change that could not be recorded, all of its calls together. */
const UNDO_MS = 5_000;

/** Disables the credential of one candidate, for good: nothing but a person enables it again. */
export async function autoDisable(
  deps: AutoDisableDeps,
  due: DueCandidate,
  stopping: AbortSignal,
): Promise<AutoDisabled> {
  const { credentials, reader, writer } = deps;
  const { id } = due.row;

  async function underLock(): Promise<AutoDisabled> {
    const now = await reader.run('dueAutoDisable', id);
    if (now === null) return { kind: 'nothing' };
    const identity = candidateIdentity(now.row);
    const facts = {
      effective: await deps.effective(),
      eligible: now.row.autoDisableEligible && now.row.status === 'pending',
      stableIdentity: isStableIdentity(identity),
    };
    let progress: AutoDisableProgress = {};
    let found: Target<StatusTarget> | null = null;
    let mayHaveHappened = false;
    if (now.mark === 'sent') {
      // Whatever the policy is by now: we were about to do it when the process ended, so what is disabled is ours.
      found = await credentials.targets.credential(identity, { signal: stopping });
      progress = { target: targetState(found) };
      if (progress.target === 'disabled') return claim();
    }
    for (;;) {
      const next = autoDisableStep(facts, progress);
      switch (next.step) {
        case 'resolve': {
          found = await credentials.targets.credential(identity, { signal: stopping });
          progress = { ...progress, target: targetState(found) };
          break;
        }
        case 'disable': {
          if (!found?.found) throw new Error('an account that was not found cannot be disabled');
          await credentials.endClaims({ identities: [identityOf(found.target.credential)], by: 'account_action' });
          await writer.run('markAutoDisableSent', id);
          stopPoint('auto_disable_pending');
          const outcome = await change(found, true, { by: 'automation' });
          mayHaveHappened = outcome === 'unknown';
          progress =
            outcome === 'replaced'
              ? { target: 'identity_mismatch' }
              : { ...progress, disable: outcome === 'done' ? 'done' : 'failed' };
          stopPoint('auto_disable_sent');
          break;
        }
        case 'mark':
          progress = { ...progress, mark: await mark() };
          break;
        case 'enable_again': {
          const again = await credentials.targets.credential(identity, { timeoutMs: UNDO_MS / 2 });
          const outcome = await change(again, false, { timeoutMs: UNDO_MS / 2 });
          progress = { ...progress, enableAgain: outcome === 'done' ? 'done' : 'failed' };
          break;
        }
        case 'done':
          if (next.autoDisabled) return { kind: 'disabled' };
          if (progress.target === 'unavailable') return { kind: 'unavailable' };
          return end(next.lastError, mayHaveHappened);
      }
    }
  }

  /** A person may have disabled it as well, so unlike a change of a moment ago it is never taken back. */
  async function claim(): Promise<AutoDisabled> {
    const marked = await mark();
    if (marked === 'failed') return end('the change could not be stored', true);
    return { kind: marked === 'done' ? 'disabled' : 'nothing' };
  }

  async function end(lastError: string | null, retry: boolean): Promise<AutoDisabled> {
    await writer.run('endAutoDisable', { id, lastError, retry });
    return lastError === null ? { kind: 'nothing' } : { kind: 'refused', reason: lastError };
  }

  async function mark(): Promise<StepOutcome | 'not_pending'> {
    try {
      return (await writer.run('markAutoDisabled', id)) ? 'done' : 'not_pending';
    } catch {
      return 'failed';
    }
  }

  async function change(
    target: Target<StatusTarget> | null,
    disabled: boolean,
    options: ChangeOptions,
  ): Promise<StepOutcome | 'unknown' | 'replaced'> {
    if (target?.found !== true) return 'failed';
    try {
      await credentials.changes.setDisabled(target.target, disabled, options);
      return 'done';
    } catch (error) {
      if (!(error instanceof CredentialChangeError)) throw error;
      if (error.replaced) return 'replaced';
      return error.mayHaveHappened ? 'unknown' : 'failed';
    }
  }

  const result = await tryLock(credentials.lock, [due.row.file], stopping, underLock);
  return result === 'lock_refused' ? end(TARGET_PROBLEMS.lock_refused, true) : result;
}
