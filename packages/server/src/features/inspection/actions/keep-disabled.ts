import { hasState } from '@manager/core/accounts/credential';
import { accountRecord, type CredentialIdentity } from '@manager/core/accounts/identity';
import type { ValidAction } from '@manager/core/accounts/inspection/action-validation';
import { scopeOf } from '../../../gateway/claims/claim.ts';
import {
  CANCELLED,
  type Carried,
  type CarryOutContext,
  lookUp,
  refused,
  skipped,
  switchByHand,
  unstored,
} from './carry-out.ts';

/**
 * A person asks to disable what a list showed to be disabled already: whoever did that, from now on it is by the decision of a
 * person, and nothing brings it back by itself. What was enabled since is disabled.
 */
export async function disableForGood(
  context: CarryOutContext,
  valid: ValidAction<unknown>,
  reason: string,
): Promise<Carried> {
  const { credentials, signal } = context;
  const found = await lookUp(context, valid);
  if (signal.aborted) return CANCELLED;
  if (found.found && found.target.members.some(({ disabled }) => !disabled)) {
    return switchByHand(context, found.target, 'disable');
  }
  // Nobody can look, but somebody has a moment ago.
  if (!found.found && found.problem !== 'unavailable') return refused(found.problem);
  const kind = valid.target === 'credential' ? 'credential' : 'file';
  try {
    await credentials.claims.manual.decide(scopeOf({ kind, members: valid.members }));
    return skipped(reason);
  } catch (error) {
    return unstored(context, error);
  }
}

/**
 * A person asks to disable what was disabled before, by themselves or by the run: it stays disabled by the decision of a person.
 * What is enabled by now is left alone.
 */
export async function keepForGood(
  context: CarryOutContext,
  identity: CredentialIdentity,
  reason: string,
): Promise<Carried> {
  const { credentials, signal } = context;
  const found = await credentials.targets.credential(identity, { signal });
  const isOver = found.found
    ? hasState(found.target.credential, false)
    : found.problem === 'not_found' || found.problem === 'identity_mismatch';
  if (isOver) return skipped(reason);
  try {
    await credentials.claims.manual.decide({ kind: 'accounts', accounts: [accountRecord(identity)] });
    return skipped(reason);
  } catch (error) {
    return unstored(context, error);
  }
}
