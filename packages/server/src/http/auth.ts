import { AppError } from '@manager/core/contract/errors';
import { bearer } from '../platform/secrets/bearer.ts';
import type { Caller } from './caller.ts';
import { isFromPublicName, requireOwnPage } from './foreign-page.ts';
import { createKeyThrottle } from './key-throttle.ts';
import type { Log } from './log.ts';

/**
 * Who may use a route.
 * - `public`: everyone.
 * - `open-until-setup`: everyone until the manager has a gateway, then the admin key.
 * - `setup`: a sent key must be valid; the setup route itself decides whether one is needed.
 * - `admin`: the admin key, before and after setup.
 * - `pass-through`: the handler decides (`isAdmin`).
 */
export type Access = 'public' | 'open-until-setup' | 'setup' | 'admin' | 'pass-through';

export interface AuthenticatorDeps {
  /** Constant-time check against the stored admin key; throws when it is missing or unreadable. */
  readonly verifyAdminKey: (key: string) => boolean | Promise<boolean>;
  /**
   * True while there was never a connection. A connection whose key can no longer be decrypted still counts: losing the data
   * key must not open the manager to everyone.
   */
  readonly setupOpen: () => boolean | Promise<boolean>;
  readonly now: () => number;
  readonly log: Log;
}

export interface Authenticator {
  /** @throws AppError 401 (429 after very many wrong keys), 500 when keys cannot be checked. */
  authorize(access: Access, request: Request, caller: Caller): Promise<void>;
  /**
   * Completes `setup` once the body is read: without a header, its `adminKey` is checked. Without any key, no web page of another
   * address may do it.
   */
  authorizeSetup(request: Request, bodyKey: string, caller: Caller): Promise<void>;
  /** For pass-through routes: whether the request has the admin key. Another key is no error there. */
  isAdmin(request: Request): Promise<boolean>;
  /** The error for a request that needed the admin key: counts its key as a wrong one. */
  refusal(request: Request, caller: Caller): AppError;
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const throttle = createKeyThrottle(deps.now);

  async function verify(key: string): Promise<boolean> {
    if (key === '') return false;
    try {
      return await deps.verifyAdminKey(key);
    } catch (cause) {
      throw new AppError('authorization_failed', { cause });
    }
  }

  async function requireKey(key: string, caller: Caller): Promise<void> {
    if (!(await verify(key))) throw refusalOf(key, caller);
  }

  function refusalOf(key: string, caller: Caller): AppError {
    const unauthorized = new AppError('invalid_admin_key', { headers: { 'WWW-Authenticate': 'Bearer' } });
    if (key === '') return unauthorized;
    const verdict = throttle.wrongKey(caller);
    if (verdict.log) {
      const others = verdict.unlogged === 0 ? {} : { otherAddressesNotLogged: verdict.unlogged };
      deps.log.warn({ remoteAddress: caller.address, ...others }, 'wrong admin key');
    }
    if (verdict.retryAfterSeconds === 0) return unauthorized;
    return new AppError('too_many_wrong_admin_keys', {
      headers: { 'Retry-After': String(verdict.retryAfterSeconds) },
    });
  }

  return {
    async authorize(access, request, caller) {
      if (access === 'public' || access === 'pass-through') return;
      const header = request.headers.get('authorization');
      if (access === 'setup' && header === null) return;
      if (access === 'open-until-setup' && (await deps.setupOpen())) return;
      await requireKey(bearer(header), caller);
    },
    async authorizeSetup(request, bodyKey, caller) {
      if (request.headers.has('authorization')) return;
      const key = bodyKey.trim();
      if (key !== '') return requireKey(key, caller);
      if (!(await deps.setupOpen())) throw refusalOf('', caller);
      requireOwnPage(request);
      if (isFromPublicName(request)) throw new AppError('cross_site_refused');
      deps.log.warn({ remoteAddress: caller.address }, 'setup without an admin key');
    },
    isAdmin: (request) => verify(bearer(request.headers.get('authorization'))),
    refusal: (request, caller) => refusalOf(bearer(request.headers.get('authorization')), caller),
  };
}
