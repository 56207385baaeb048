import { type AccountIdentity, accountRecord } from '@manager/core/accounts/identity';
import type { ValidAction } from '@manager/core/accounts/inspection/action-validation';
import { hasState } from '@manager/core/accounts/listed-account';
import { scopeOf } from '../../../gateway/claims/claim.ts';
import {
  CANCELLED,
  type Carried,
  type CarryOutContext,
  lookUp,
  refused,
  skipped,
  switchManually,
  unstored,
} from './carry-out.ts';

/**
 * The operator asks to disable an account that a list showed as disabled: whoever disabled it, from now on it is the operator's
 * decision, and nothing enables it automatically. An account that was enabled since is disabled.
 */
export async function disablePermanently(
  context: CarryOutContext,
  valid: ValidAction<unknown>,
  reason: string,
): Promise<Carried> {
  const { gatewayAccounts, signal } = context;
  const found = await lookUp(context, valid);
  if (signal.aborted) return CANCELLED;
  if (found.found && found.target.members.some(({ disabled }) => !disabled)) {
    return switchManually(context, found.target, 'disable');
  }
  // It cannot be looked up, but its state was listed a moment ago.
  if (!found.found && found.problem !== 'unavailable') return refused(found.problem);
  const kind = valid.target === 'credential' ? 'credential' : 'file';
  try {
    await gatewayAccounts.claims.manual.decide(scopeOf({ kind, members: valid.members }));
    return skipped(reason);
  } catch (error) {
    return unstored(context, error);
  }
}

/**
 * The operator asks to disable what they or the run disabled before: it stays disabled by the operator's decision. An account
 * that was enabled since is not changed.
 */
export async function keepDisabled(
  context: CarryOutContext,
  identity: AccountIdentity,
  reason: string,
): Promise<Carried> {
  const { gatewayAccounts, signal } = context;
  const found = await gatewayAccounts.targets.credential(identity, { signal });
  const isOver = found.found
    ? hasState(found.target.listed, false)
    : found.problem === 'not_found' || found.problem === 'identity_mismatch';
  if (isOver) return skipped(reason);
  try {
    await gatewayAccounts.claims.manual.decide({ kind: 'accounts', accounts: [accountRecord(identity)] });
    return skipped(reason);
  } catch (error) {
    return unstored(context, error);
  }
}
