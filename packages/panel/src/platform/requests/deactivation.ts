import { failureDecision } from '@manager/core/accounts/failures/policy';

interface Refusal {
  /** Of the provider, 0 = none. */
  readonly status: number;
  /** From the headers. */
  readonly code?: string | undefined;
  readonly text?: string | undefined;
}

/**
 * Whether the provider has deactivated the workspace or the account, so that a new sign-in does not help. By the rule of the action
 * queue, so that every page distinguishes it from a rejected sign-in in the same way.
 */
export function isDeactivated({ status, code = '', text = '' }: Refusal): boolean {
  const failure = { provider: '', statusCode: status, code, type: '', summary: text, shouldRetry: null };
  return failureDecision(failure)?.actionType === 'delete';
}
