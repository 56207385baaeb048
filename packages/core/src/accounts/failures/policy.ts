import type { CandidateAction } from '../../contract/account-actions.ts';
import { normalizedProvider } from '../../usage/account-key.ts';

/** A failure as the policy needs it. '' = unknown. */
export interface AccountFailure {
  readonly provider: string;
  /** Status of the provider's answer; 0 = unknown. */
  readonly statusCode: number;
  readonly code: string;
  readonly type: string;
  readonly summary: string;
  /** Whether the answer asks for a retry; null = it does not say. */
  readonly shouldRetry: boolean | null;
}

export interface FailureDecision {
  readonly actionType: CandidateAction;
  readonly reasonCode: string;
  /** For display, never parsed. */
  readonly reason: string;
  /** Certain enough to disable the account automatically. */
  readonly autoDisableEligible: boolean;
  readonly confidence: 'high' | 'medium';
}

const REVOKED = [
  'token_revoked',
  'token_invalidated',
  'invalidated_oauth_token',
  'invalidated oauth token',
  'oauth token revoked',
  'token has been invalidated',
];
const INVALID = [
  'invalid_token',
  'invalid or expired credentials',
  'authentication token is expired',
  'token is expired',
  'no auth context',
  'invalid_grant',
  'requires reauthorization',
  'requires re-authentication',
];
const CHAT_REFUSED = 'access to the chat endpoint is denied';
const CHAT_ADVICE = ['correct credentials', 'update the permissions', 'contact support'];
const AUTHENTICATION_WORDS = ['authentication_error', 'unauthorized', 'forbidden', 'permission_denied'];

function decision(actionType: CandidateAction, reasonCode: string, reason: string): FailureDecision {
  return { actionType, reasonCode, reason, autoDisableEligible: true, confidence: 'high' };
}

const WORKSPACE_DEACTIVATED = decision(
  'delete',
  'workspace_deactivated',
  'The workspace of this account is deactivated.',
);
const ACCOUNT_DEACTIVATED = decision('delete', 'account_deactivated', 'The provider has deactivated this account.');
const TOKEN_REVOKED = decision('reauth', 'token_revoked', 'The sign-in was revoked; sign in again.');
const INVALID_CREDENTIALS = decision(
  'reauth',
  'invalid_credentials',
  'The sign-in is invalid or has expired; sign in again.',
);
const PERMISSION_DENIED = decision(
  'review',
  'credential_permission_denied',
  'The provider denies this account access to the chat endpoint; check its permissions.',
);
const REVIEW: FailureDecision = {
  actionType: 'review',
  reasonCode: 'authentication_review',
  reason: 'The provider rejected the sign-in without a reason; check the account.',
  autoDisableEligible: false,
  confidence: 'medium',
};

/** Error codes and types come with `-` or with `_`. */
function underscored(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_');
}

/**
 * What a failure means for the account, `null` when nothing is certain. A bare 401 or 403 is inconclusive, and so is the code
 * `auth_unavailable`: gateways write it for every 401 of Codex, refresh the token and repeat the request.
 *
 * @example failureDecision({ provider: 'codex', statusCode: 401, code: 'token-revoked', type: '', summary: '',
 * shouldRetry: null }) // { actionType: 'reauth', reasonCode: 'token_revoked', … }
 */
export function failureDecision(failure: AccountFailure): FailureDecision | null {
  const code = underscored(failure.code);
  const type = underscored(failure.type);
  const text = `${failure.summary.toLowerCase()} ${code} ${type}`;
  const says = (word: string): boolean => text.includes(word);
  const { statusCode } = failure;

  if (statusCode === 402 && says('deactivated_workspace')) return WORKSPACE_DEACTIVATED;
  if (statusCode !== 401 && statusCode !== 403) return null;
  if (says('account_deactivated')) return ACCOUNT_DEACTIVATED;
  if (REVOKED.some(says)) return TOKEN_REVOKED;
  if (INVALID.some(says)) return INVALID_CREDENTIALS;
  const chatRefused =
    normalizedProvider(failure.provider) === 'xai' &&
    code === 'permission_denied' &&
    says(CHAT_REFUSED) &&
    CHAT_ADVICE.some(says);
  if (chatRefused && failure.shouldRetry !== true) return PERMISSION_DENIED;
  return type === 'authentication_error' || AUTHENTICATION_WORDS.some(says) ? REVIEW : null;
}
