import { pendingOutcome, type RecoveryProgress, recoveryStep } from '@manager/core/accounts/cooldown/recover';
import { type CooldownRow, cooldownIdentity } from '@manager/core/accounts/cooldown/row';
import type { StatusTarget } from '@manager/core/accounts/status-scope';
import { type StepOutcome, TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { type ChangeOptions, CredentialChangeError } from '../../gateway/accounts/changes.ts';
import { type Target, targetState } from '../../gateway/accounts/targets.ts';
import { tryLock } from '../../gateway/accounts/try-lock.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import type { ApplyDeps } from './apply-signal.ts';

/** For taking back an end that could not be recorded, all of its calls together. */
const UNDO_MS = 5_000;

/** `unavailable`: the upstream did not answer; when it is tried again is left to the caller. */
export type Ended =
  | { readonly kind: 'recovered' | 'gone' | 'unavailable' }
  | { readonly kind: 'skipped' | 'postponed'; readonly reason: string };

/** Ends a cooldown that is due: enables the credential, unless it is another one by now or a person was faster. */
export async function endDueCooldown(deps: ApplyDeps, due: CooldownRow, stopping: AbortSignal): Promise<Ended> {
  const { credentials, writer } = deps;

  async function underLock(): Promise<Ended> {
    const row = await reread(deps, due);
    if (row === null || row.status !== 'active') return { kind: 'gone' };
    let progress: RecoveryProgress = {};
    let found: Target<StatusTarget> | null = null;
    const enabled = async (before: RecoveryProgress): Promise<RecoveryProgress> => {
      const enable = await change(found, false, { by: 'automation' });
      return enable === 'replaced' ? { target: 'identity_mismatch' } : { ...before, enable };
    };
    for (;;) {
      const next = recoveryStep(row, true, progress);
      switch (next.step) {
        case 'resolve':
          found = await credentials.targets.credential(cooldownIdentity(row), { signal: stopping });
          progress = { ...progress, target: targetState(found) };
          break;
        case 'enable':
          progress = await enabled(progress);
          stopPoint('cooldown_enabled');
          break;
        case 'save':
          progress = { ...progress, save: await save(row) };
          break;
        case 'disable_again':
          progress = { ...progress, disableAgain: await disableAgain(row) };
          break;
        case 'skip':
          await writer.run('endCooldown', { id: row.id, status: 'skipped', lastError: next.lastError });
          return { kind: 'skipped', reason: next.lastError };
        case 'retry':
          if (progress.target === 'unavailable') return { kind: 'unavailable' };
          await writer.run('postponeCooldown', { id: row.id, lastError: next.lastError });
          return { kind: 'postponed', reason: next.lastError };
        case 'recovered':
          return { kind: 'recovered' };
        case 'wait':
          return { kind: 'unavailable' };
      }
    }
  }

  async function change(
    found: Target<StatusTarget> | null,
    disabled: boolean,
    options: ChangeOptions,
  ): Promise<StepOutcome | 'replaced'> {
    if (found?.found !== true) return 'failed';
    try {
      await credentials.changes.setDisabled(found.target, disabled, options);
      return 'done';
    } catch (error) {
      if (error instanceof CredentialChangeError) return error.replaced ? 'replaced' : 'failed';
      throw error;
    }
  }

  async function save(row: CooldownRow): Promise<StepOutcome> {
    try {
      await writer.run('endCooldown', { id: row.id, status: 'recovered', lastError: '' });
      return 'done';
    } catch {
      return 'failed';
    }
  }

  /** The file may hold another account by now, so it is looked up again. */
  async function disableAgain(row: CooldownRow): Promise<StepOutcome> {
    const again = await credentials.targets.credential(cooldownIdentity(row), { timeoutMs: UNDO_MS / 2 });
    const outcome = await change(again, true, { timeoutMs: UNDO_MS / 2 });
    return outcome === 'done' ? 'done' : 'failed';
  }

  const ended = await tryLock(credentials.lock, [due.file], stopping, underLock);
  if (ended !== 'lock_refused') return ended;
  const reason = TARGET_PROBLEMS.lock_refused;
  await writer.run('postponeCooldown', { id: due.id, lastError: reason });
  return { kind: 'postponed', reason };
}

/** Decides about a row that a crash left between its insert and the answer of the upstream. */
export async function settlePending(
  deps: ApplyDeps,
  pending: CooldownRow,
  stopping: AbortSignal,
): Promise<'settled' | 'wait' | 'unavailable'> {
  const { credentials, writer } = deps;
  const settled = await tryLock(credentials.lock, [pending.file], stopping, async () => {
    const row = await reread(deps, pending);
    if (row === null || row.status !== 'pending') return 'settled';
    const state = targetState(await credentials.targets.credential(cooldownIdentity(row), { signal: stopping }));
    const outcome = pendingOutcome(state);
    if (outcome === 'wait') return state === 'unavailable' ? 'unavailable' : 'wait';
    await writer.run('settleCooldown', { id: row.id, as: outcome === 'activate' ? 'active' : 'dropped' });
    return 'settled';
  });
  return settled === 'lock_refused' ? 'wait' : settled;
}

/** The row as it is under the lock: a person may have closed it while it waited. */
async function reread({ reader }: ApplyDeps, row: CooldownRow): Promise<CooldownRow | null> {
  const rows = await reader.run('openCooldownsOfFile', row.file);
  return rows.find(({ id }) => id === row.id) ?? null;
}
