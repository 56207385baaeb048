import { isSuccess } from '@manager/core/accounts/api-call';
import type { TextKey } from '../../../platform/i18n/index.ts';
import type { Answered } from './ask-provider.ts';

/** The gateway's words for a request that got no answer of the provider. */
const UNREACHED = /(request failed|failed to read response)$/;

/** What a test shows. */
export function testWord({ status, body }: Pick<Answered, 'status' | 'body'>): TextKey {
  if (isSuccess(status)) return 'providers.testWorks';
  switch (status) {
    case 0:
      return UNREACHED.test(body) ? 'providers.testUnreached' : 'providers.testGateway';
    case 401:
    case 403:
      return 'providers.testRefused';
    case 404:
      return 'providers.testNotFound';
    case 429:
      return 'providers.testLimit';
    default:
      return 'providers.testFailed';
  }
}
