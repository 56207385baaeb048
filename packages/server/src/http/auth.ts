import { AppError } from '@manager/core/contract/errors';
import { VIEWER_TOKEN_PREFIX } from '@manager/core/contract/viewer-links/words';
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
 * - `viewer`: the token of a viewer link, which opens nothing else.
 */
export type Access = 'public' | 'open-until-setup' | 'setup' | 'admin' | 'pass-through' | 'viewer';

/** The holder of a viewer link. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
  /** SHA-256 hashes of its client keys; null = all requests. */
  readonly keys: readonly string[] | null;
  readonly expiresAtMs: number | null;
}

export interface AuthenticatorDeps {
  /** Constant-time check against the stored admin key; throws when it is missing or unreadable. */
  readonly verifyAdminKey: (key: string) => boolean | Promise<boolean>;
  /**
   * True while there was never a connection. A connection whose key can no longer be decrypted still counts: losing the data
   * key must not open the manager to everyone.
   */
  readonly setupOpen: () => boolean | Promise<boolean>;
  /** The viewer link of a token; null = wrong, expired or revoked. */
  readonly findViewer: (token: string) => Viewer | null;
  readonly now: () => number;
  readonly log: Log;
}

export interface Authenticator {
  /**
   * @returns the viewer where the route is for viewers, else null
   * @throws AppError 401 (429 after very many wrong keys), 403 for a viewer elsewhere, 500 when keys cannot be checked.
   */
  authorize(access: Access, request: Request, caller: Caller): Promise<Viewer | null>;
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

  function refusalOf(
    key: string,
    caller: Caller,
    code: 'invalid_admin_key' | 'invalid_viewer_token' = 'invalid_admin_key',
  ): AppError {
    const isNobody = key === '' && code === 'invalid_viewer_token';
    const unauthorized = new AppError(code, {
      headers: { 'WWW-Authenticate': 'Bearer' },
      ...(isNobody ? { message: 'the token of a viewer link is missing' } : {}),
    });
    if (key === '') return unauthorized;
    const verdict = throttle.wrongKey(caller);
    if (verdict.log) {
      const others = verdict.unlogged === 0 ? {} : { otherAddressesNotLogged: verdict.unlogged };
      const what = code === 'invalid_viewer_token' ? 'wrong or expired viewer token' : 'wrong admin key';
      deps.log.warn({ remoteAddress: caller.address, ...others }, what);
    }
    if (verdict.retryAfterSeconds === 0) return unauthorized;
    return new AppError('too_many_wrong_admin_keys', {
      headers: { 'Retry-After': String(verdict.retryAfterSeconds) },
    });
  }

  /** A viewer's token is refused on every route that is not for viewers, and never reaches the gateway. */
  async function viewerOf(access: Access, key: string, caller: Caller): Promise<Viewer | null> {
    if (key.startsWith(VIEWER_TOKEN_PREFIX)) {
      const viewer = deps.findViewer(key);
      if (viewer !== null && access !== 'viewer') throw new AppError('viewer_not_allowed');
      if (viewer !== null) return viewer;
      // A chosen admin key may begin alike.
      if (!(await verify(key))) throw refusalOf(key, caller, 'invalid_viewer_token');
    }
    if (access !== 'viewer') return null;
    if (await verify(key)) throw new AppError('viewer_token_required');
    throw refusalOf(key, caller, 'invalid_viewer_token');
  }

  return {
    async authorize(access, request, caller) {
      if (access === 'public') return null;
      const header = request.headers.get('authorization');
      const viewer = await viewerOf(access, bearer(header), caller);
      if (viewer !== null || access === 'pass-through') return viewer;
      if (access === 'setup' && header === null) return null;
      if (access === 'open-until-setup' && (await deps.setupOpen())) return null;
      await requireKey(bearer(header), caller);
      return null;
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
