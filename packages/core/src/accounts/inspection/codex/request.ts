import { type ApiCallRequest, TOKEN_PLACEHOLDER } from '../../api-call.ts';
import type { Credential } from '../../credential.ts';

const USAGE_URL = 'https://chatgpt.com/backend-api/wham/usage';

export function codexUsageRequest(credential: Credential, userAgent: string): ApiCallRequest {
  return {
    authIndex: credential.authIndex,
    method: 'GET',
    url: USAGE_URL,
    header: {
      Authorization: TOKEN_PLACEHOLDER,
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      ...(credential.codexAccountId === '' ? {} : { 'Chatgpt-Account-Id': credential.codexAccountId }),
    },
  };
}
