import { callerAddress, type KeyCheck, keyOfRequest } from '../authentication.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Profile } from '../types.ts';
import { accessLine } from './access-line.ts';
import { runCall } from './activity.ts';
import { apiCallRoutes } from './api-call-routes.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { authFileRoutes } from './auth-file-routes.ts';
import { configRoutes } from './config-routes.ts';
import type { ManagementContext } from './context.ts';
import { logRoutes } from './log-routes.ts';
import { oauthMapRoutes } from './oauth-map-routes.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { pluginRoutes } from './plugin-routes.ts';
import { providerListRoutes } from './provider-list-routes.ts';
import { findRoute, type Route } from './router.ts';
import { pluginOwnedRoutes } from './simplugin-routes.ts';
import { usageQueueRoute } from './usage-queue-route.ts';
import { usageRoutes } from './usage-routes.ts';

export const MANAGEMENT_PREFIX = '/v0/management';
const COMMIT = '0000000000000000000000000000000000000000';
const BUILD_DATE = '2026-08-31T00:00:00Z';

const ROUTES: readonly Route[] = [
  ...configRoutes,
  ...apiKeyRoutes,
  ...providerListRoutes,
  ...oauthMapRoutes,
  ...authFileRoutes,
  ...oauthRoutes,
  ...apiCallRoutes,
  ...logRoutes,
  ...pluginRoutes,
  ...pluginOwnedRoutes,
  ...usageRoutes,
];
const ROUTES_WITH_QUEUE: readonly Route[] = [usageQueueRoute, ...ROUTES];

interface ManagementServerOptions {
  readonly context: ManagementContext;
  readonly checkKey: KeyCheck;
  /** The address that counts for a client's socket address. */
  readonly effectiveAddress: (address: string) => string;
  /** Requests are written to the log. */
  readonly writesAccess: boolean;
}

/** Answers everything under `/v0/management`, in the gateway's order of checks. */
export function createManagementServer(options: ManagementServerOptions): (exchange: Exchange) => Promise<void> {
  const { context, checkKey } = options;

  return async (exchange) => {
    await answer(exchange);
    if (options.writesAccess && context.config.get(['logging-to-file']) === true)
      context.logs.write(accessLine(exchange, context.clock.now()));
  };

  async function answer(exchange: Exchange): Promise<void> {
    const profile = context.profile();
    // A key removed at run time leaves the API there, and nobody can use it.
    const isServed = context.config.hasKey() || context.config.lostKey();
    if (profile.management !== 'on' || !isServed) {
      sendNotFound(exchange, profile);
      return;
    }
    const path = exchange.path.slice(MANAGEMENT_PREFIX.length);
    if (path.endsWith('/') && path.length > 1) {
      const query = exchange.target.slice(exchange.path.length);
      const location = exchange.path.replace(/\/+$/, '') + query;
      redirect(exchange, location);
      return;
    }
    const found = findRoute(profile.httpQueue ? ROUTES_WITH_QUEUE : ROUTES, exchange.method, path, profile.endpoints);
    if (found === null && !profile.authenticatesUnknownPaths) {
      sendNotFound(exchange, profile);
      return;
    }
    const isOpen = path === '/oauth-callback' && profile.endpoints.has('open-oauth-callback');
    if (!isOpen) {
      Object.assign(exchange.extraHeaders, versionHeaders(profile));
      if (!isAuthenticated(exchange)) return;
    }
    if (found === null) {
      exchange.sendEmpty(404);
      return;
    }
    const { route, parameters } = found;
    const kind = route.kind ?? (isReading(exchange.method) ? null : 'other');
    const handle = (): void | Promise<void> => route.handler(exchange, context, parameters);
    if (kind === null) await handle();
    else await runCall(kind, exchange, context, handle);
  }

  function isAuthenticated(exchange: Exchange): boolean {
    const key = keyOfRequest(exchange.header('authorization'), exchange.header('x-management-key'));
    const socketAddress = options.effectiveAddress(exchange.connection.address);
    const address = callerAddress(exchange.header('x-forwarded-for'), exchange.header('x-real-ip'), socketAddress);
    const refusal = checkKey(address, key);
    if (refusal === null) return true;
    exchange.sendJson(refusal.status, { error: refusal.text });
    return false;
  }
}

function redirect(exchange: Exchange, location: string): void {
  if (exchange.method !== 'GET') exchange.sendEmpty(307, { Location: location });
  else {
    const page = `<a href="${location}">Moved Permanently</a>.\n\n`;
    exchange.sendText(301, page, { Location: location, 'Content-Type': 'text/html; charset=utf-8' });
  }
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function sendNotFound(exchange: Exchange, profile: Profile): void {
  if (profile.authenticatesUnknownPaths) exchange.sendEmpty(404);
  else exchange.sendText(404, '404 page not found', { 'Content-Type': 'text/plain' });
}

function versionHeaders(profile: Profile): Record<string, string> {
  const headers: Record<string, string> = {
    'X-CPA-VERSION': `v${profile.version}`,
    'X-CPA-COMMIT': COMMIT,
    'X-CPA-BUILD-DATE': BUILD_DATE,
  };
  if (profile.endpoints.has('plugin-header')) headers['X-CPA-SUPPORT-PLUGIN'] = '1';
  return headers;
}
