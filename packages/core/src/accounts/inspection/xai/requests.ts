import { type ApiCallRequest, TOKEN_PLACEHOLDER } from '../../api-call.ts';
import type { ListedAccount } from '../../listed-account.ts';

const CLI_BASE = 'https://cli-chat-proxy.grok.com/v1';
const OFFICIAL_BASE = 'https://api.x.ai/v1';

/** Without these the CLI API refuses the token. */
const CLI_HEADERS = { 'x-xai-token-auth': 'xai-grok-cli', 'x-grok-client-version': '0.2.101' } as const;
const BILLING_USER_AGENT = 'grok-pager/0.2.101 grok-shell/0.2.101 (macos; aarch64)';

/** The older monthly API is often slow or blocked; it must not delay a run. In ms. */
export const XAI_MONTHLY_TIMEOUT_MS = 3_000;

export type XaiBillingPeriod = 'weekly' | 'monthly';

export function xaiBillingRequest(account: ListedAccount, period: XaiBillingPeriod): ApiCallRequest {
  return {
    authIndex: account.authIndex,
    method: 'GET',
    url: `${CLI_BASE}/billing${period === 'weekly' ? '?format=credits' : ''}`,
    header: {
      Authorization: TOKEN_PLACEHOLDER,
      ...cliHeaders(account),
      'User-Agent': BILLING_USER_AGENT,
      Accept: '*/*',
    },
  };
}

/** Asks the official API for the owner of the token; only where billing refused without a reason. */
export function xaiIdentityRequest(account: ListedAccount): ApiCallRequest {
  return {
    authIndex: account.authIndex,
    method: 'GET',
    url: `${OFFICIAL_BASE}/me`,
    header: { Authorization: TOKEN_PLACEHOLDER, Accept: 'application/json' },
  };
}

export interface XaiInferenceSettings {
  readonly xaiInferenceModel: string;
  readonly xaiInferencePrompt: string;
  readonly xaiInferenceUserAgent: string;
}

/**
 * A real request to a model.
 *
 * @param identityVerified the official API knows the account
 */
export function xaiInferenceRequest(
  account: ListedAccount,
  settings: XaiInferenceSettings,
  identityVerified: boolean,
): ApiCallRequest {
  const base = inferenceBase(account, identityVerified);
  return {
    authIndex: account.authIndex,
    method: 'POST',
    url: `${base}/responses`,
    header: {
      Authorization: TOKEN_PLACEHOLDER,
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'User-Agent': settings.xaiInferenceUserAgent,
      ...(base === CLI_BASE ? cliHeaders(account) : {}),
    },
    data: JSON.stringify({
      model: settings.xaiInferenceModel,
      input: settings.xaiInferencePrompt,
      stream: false,
    }),
  };
}

function inferenceBase({ xai }: ListedAccount, identityVerified: boolean): string {
  if (identityVerified) return OFFICIAL_BASE;
  const isOfficial = xai.baseUrl === '' || xai.baseUrl === OFFICIAL_BASE;
  if (isOfficial) return xai.usingApi ? OFFICIAL_BASE : CLI_BASE;
  return xai.baseUrl;
}

function cliHeaders({ xai }: ListedAccount): Readonly<Record<string, string>> {
  return { ...CLI_HEADERS, ...(xai.userId === '' ? {} : { 'x-userid': xai.userId }) };
}
