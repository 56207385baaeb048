import { ApiError } from '../../../platform/api/errors.ts';
import type { ManagerCalls } from '../../../platform/api/manager.ts';
import type { TextKey, TextValues } from '../../../platform/i18n/index.ts';
import type { Mode } from '../../../platform/session/identity.ts';

export type SignInResult =
  | { readonly kind: 'ok' }
  /** The admin key is right, the gateway connection is not. */
  | { readonly kind: 'recovery' }
  | { readonly kind: 'setup' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Checks an admin key. The manager itself has to accept it: a proxy in front could answer for another server, and the management
 * key must never be taken for the admin key.
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

/** Checks a management key at a gateway. @param base its address, ends in `/` */
export async function checkGatewayKey(manager: ManagerCalls, key: string, base: string): Promise<SignInResult> {
  try {
    await manager.upstream({ key, base, keepSessionOn401: true });
    return { kind: 'ok' };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

export interface Explanation {
  readonly key: TextKey;
  readonly values?: TextValues;
}

/** A gateway counts wrong keys itself, and reports a ban as text. */
const BANNED = /banned/i;

/** Explanation of a refused sign-in and its solution. `key` is only inspected, never shown. */
export function explainRefusal(error: unknown, key: string, mode: Mode): Explanation {
  const explanation = mode === 'gateway' ? ofGateway(error, key) : null;
  return explanation ?? explainFailure(error, key);
}

/** Other explanations for a gateway; null = the same. */
function ofGateway(error: unknown, key: string): Explanation | null {
  if (!(error instanceof ApiError)) return null;
  if (error.kind === 'network') return { key: 'signIn.gatewayUnreachable' };
  if (error.status === 401) {
    return { key: key.startsWith('mgr_') ? 'signIn.gatewayWrongKind' : 'signIn.gatewayWrongKey' };
  }
  if (error.status === 403 && BANNED.test(error.message)) return { key: 'signIn.banned' };
  return error.status === 404 || error.kind === 'shape' ? { key: 'signIn.gatewayNotFound' } : null;
}

function explainFailure(error: unknown, key: string): Explanation {
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
