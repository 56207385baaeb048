import { ApiError } from '../../api/errors.ts';
import type { ManagerCalls } from '../../api/manager.ts';
import type { TextKey, TextValues } from '../../i18n/index.ts';

export type SignInResult =
  | { readonly kind: 'ok' }
  /** The admin key is right, the upstream connection is not. */
  | { readonly kind: 'recovery' }
  | { readonly kind: 'setup' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Checks an admin key. The manager itself has to accept it: a proxy in front could answer for another server, and the
 * key of the upstream must never be taken for the manager's.
 */
export async function checkKey(manager: ManagerCalls, key: string): Promise<SignInResult> {
  try {
    const { config } = await manager.config({ key, keepSessionOn401: true });
    if (config.cpaConnection.cpaBaseUrl === '') return { kind: 'setup' };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'usage_service_not_configured') return { kind: 'setup' };
    return { kind: 'failed', error };
  }
  try {
    await manager.upstream({ key, keepSessionOn401: true, timeoutMs: 10_000 });
    return { kind: 'ok' };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'usage_service_not_configured') return { kind: 'setup' };
    return { kind: 'recovery' };
  }
}

export interface Explanation {
  readonly key: TextKey;
  readonly values?: TextValues;
}

/** What a refused sign-in means and what to do. `key` is only looked at, never shown. */
export function explainRefusal(error: unknown, key: string): Explanation {
  if (!(error instanceof ApiError)) return { key: 'failure.unexpected' };
  if (error.kind === 'timeout') return { key: 'signIn.timeout' };
  if (error.kind === 'network' || error.kind === 'aborted') return { key: 'signIn.network' };
  if (error.kind === 'shape') return { key: 'failure.shape' };
  switch (error.status) {
    case 401:
      return { key: key.startsWith('mgr_') ? 'signIn.wrongKey' : 'signIn.wrongKind' };
    case 403:
      return { key: 'signIn.remoteOff' };
    case 404:
      return { key: 'signIn.notFound' };
    case 412:
      return { key: 'signIn.notSetUp' };
    case 429:
      return error.retryAfterSeconds === null
        ? { key: 'signIn.tooMany' }
        : { key: 'signIn.tooManyWait', values: { seconds: error.retryAfterSeconds } };
    default:
      return { key: error.status >= 500 ? 'signIn.server' : 'failure.request' };
  }
}
