import { type ApiCallRequest, TOKEN_PLACEHOLDER } from '../../api-call.ts';
import type { ListedAccount } from '../../listed-account.ts';

const USAGE_URL = 'https://chatgpt.com/backend-api/wham/usage';

export function codexUsageRequest(account: ListedAccount, userAgent: string): ApiCallRequest {
  return {
    authIndex: account.authIndex,
    method: 'GET',
    url: USAGE_URL,
    header: {
      Authorization: TOKEN_PLACEHOLDER,
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      ...(account.codexAccountId === '' ? {} : { 'Chatgpt-Account-Id': account.codexAccountId }),
    },
  };
}
