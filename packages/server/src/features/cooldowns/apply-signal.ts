import { applyDecision, type CooldownTarget } from '@manager/core/accounts/cooldown/apply';
import { cooldownIdentity } from '@manager/core/accounts/cooldown/row';
import { hasState } from '@manager/core/accounts/credential';
import { identityOf } from '@manager/core/accounts/identity';
import type { StatusTarget } from '@manager/core/accounts/status-scope';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { CredentialChangeError } from '../../gateway/accounts/changes.ts';
import type { Credentials } from '../../gateway/accounts/credentials.ts';
import type { Target } from '../../gateway/accounts/targets.ts';
import { tryLock } from '../../gateway/accounts/try-lock.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import type { WaitingSignal } from './queries/signals.ts';
import type { CooldownReads, CooldownWrites } from './store.ts';

export interface ApplyDeps {
  readonly credentials: Pick<Credentials, 'client' | 'lock' | 'targets' | 'changes' | 'endClaims'>;
  readonly reader: CooldownReads;
  readonly writer: CooldownWrites;
  readonly now: () => number;
}

/** `unavailable`: the upstream did not answer; when it is tried again is left to the caller. */
export type Applied =
  | { readonly kind: 'disabled' | 'extended' | 'unavailable' }
  | { readonly kind: 'skipped' | 'replaced' | 'failed'; readonly reason: string };

/**
 * Acts on one call for a cooldown: under the lock of its file the credential is looked up, disabled, and the cooldown stored.
 * The row is there before the upstream is told, so that a crash in between leaves no disabled credential without an owner.
 */
export async function applySignal(deps: ApplyDeps, signal: WaitingSignal, stopping: AbortSignal): Promise<Applied> {
  const { credentials, reader, writer, now } = deps;
  const { candidate } = signal;

  async function underLock(): Promise<Applied> {
    const found = await credentials.targets.credential(cooldownIdentity(candidate), { signal: stopping });
    if (!found.found && found.problem === 'unavailable') return { kind: 'unavailable' };
    const rows = await reader.run('openCooldownsOfFile', candidate.file);
    const decision = applyDecision(candidate, stateOf(found), rows, now());
    if (decision.kind === 'skip') {
      await writer.run('dropCooldownSignal', signal.id);
      return { kind: 'skipped', reason: decision.reason };
    }
    if (decision.kind === 'extend') {
      await writer.run('storeCooldown', {
        id: decision.id,
        row: decision.row,
        status: 'active',
        signalId: signal.id,
      });
      return { kind: 'extended' };
    }
    if (!found.found) throw new Error('an account that was not found cannot be disabled');
    await credentials.endClaims({ identities: [identityOf(found.target.credential)], by: 'cooldown' });
    const id = await writer.run('storeCooldown', {
      id: decision.id,
      row: decision.row,
      status: 'pending',
      signalId: null,
    });
    stopPoint('cooldown_pending');
    return disable(found.target, id, decision.row);
  }

  async function disable(
    target: StatusTarget,
    id: number,
    row: Extract<ReturnType<typeof applyDecision>, { kind: 'disable' }>['row'],
  ): Promise<Applied> {
    try {
      await credentials.changes.setDisabled(target, true, { by: 'automation' });
    } catch (error) {
      if (!(error instanceof CredentialChangeError)) throw error;
      // Whether it happened shows at the next look, to which the row is left.
      if (!error.mayHaveHappened) await writer.run('settleCooldown', { id, as: 'dropped' });
      if (error.replaced) {
        await writer.run('dropCooldownSignal', signal.id);
        return { kind: 'replaced', reason: error.message };
      }
      await writer.run('postponeCooldownSignal', { id: signal.id });
      return { kind: 'failed', reason: error.message };
    }
    stopPoint('cooldown_disabled');
    await writer.run('storeCooldown', { id, row, status: 'active', signalId: signal.id });
    stopPoint('cooldown_active');
    return { kind: 'disabled' };
  }

  const applied = await tryLock(credentials.lock, [candidate.file], stopping, underLock);
  if (applied !== 'lock_refused') return applied;
  await writer.run('postponeCooldownSignal', { id: signal.id });
  return { kind: 'failed', reason: TARGET_PROBLEMS.lock_refused };
}

function stateOf(found: Target<StatusTarget>): CooldownTarget {
  if (!found.found) return { state: found.problem };
  const { credential } = found.target;
  return { state: hasState(credential, true) ? 'disabled' : 'enabled', credential };
}
