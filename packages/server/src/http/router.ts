import { AppError } from '@manager/core/contract/errors';
import { Hono } from 'hono';
import { type Area, type AreaHandlers, createAreas, type ForwardArea } from './areas.ts';
import type { Authenticator, Viewer } from './auth.ts';
import type { Caller } from './caller.ts';
import { createCors } from './cors.ts';
import type { FeatureRoutes, ManagerEnv } from './environment.ts';
import type { ErrorAnswers } from './errors.ts';
import { isFromForeignPage, requireOwnPage } from './foreign-page.ts';
import { guardGatewayPage } from './gateway-page.ts';
import type { RequestContext, Router } from './listener/serve-connection.ts';
import { hasEncodedSlash, routingPath, trimSlashes } from './path.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HOP_HEADER = 'x-manager-hop';
/** The one path before the rule for OPTIONS. */
const PANEL = '/management.html';

export interface RouterDeps {
  readonly handlers: AreaHandlers;
  readonly authenticator: Authenticator;
  readonly errors: ErrorAnswers;
  /** Empty = no CORS headers at all. */
  readonly corsOrigins: readonly string[];
  /** As of the authenticator. Until then routes that are open without a key can be read by no other page. */
  readonly setupOpen: () => boolean | Promise<boolean>;
  /** Pages of the gateway's plugins run as the panel's own. */
  readonly trustedPluginPages: boolean;
  /** Random id of this process; a request with it as hop id has returned to us. */
  readonly instanceId: string;
}

export function createRouter(deps: RouterDeps): Router {
  const applyCors = createCors(deps.corsOrigins);
  const areas = createAreas(deps.handlers, deps.trustedPluginPages).map((area) => ({
    ...area,
    handle: toHandler(area, deps),
  }));

  async function answer(request: Request, context: RequestContext, path: string, area: RoutedArea) {
    try {
      if (area.methods !== undefined && !area.methods.includes(request.method))
        throw notAllowed(area.methods, path !== PANEL);
      if (hops(request).includes(deps.instanceId)) throw new AppError('upstream_loop_detected');
      const access = area.access(request.method);
      const viewer = await deps.authenticator.authorize(access, request, context.caller);
      if (access === 'admin' || (access === 'setup' && request.headers.has('authorization')))
        context.exchange.proveOperator();
      else if (access === 'setup' || access === 'viewer') context.exchange.proceedAsStranger();
      const response = await area.handle(request, context, path, viewer);
      if (area.handler.kind === 'forward' && response !== undefined) keepFromOwnRoutes(request, response.headers);
      return response;
    } catch (error) {
      return deps.errors(error, request);
    }
  }

  /**
   * A client that follows a redirect repeats its request with its key: no gateway may turn a request of the operator into one to the manager.
   */
  function keepFromOwnRoutes(request: Request, headers: Headers): void {
    const location = headers.get('location');
    if (location === null || !URL.canParse(location, request.url)) return;
    const target = new URL(location, request.url);
    if (target.host !== new URL(request.url).host) return;
    const path = routingPath(target.href);
    if (areas.find((area) => area.matches(path))?.handler.kind === 'feature') headers.delete('location');
  }

  async function isShared(area: Area, method: string): Promise<boolean> {
    return area.cors && (area.access(method) === 'admin' || !(await deps.setupOpen()));
  }

  return async (request, context) => {
    const path = routingPath(request.url);
    const area = hasEncodedSlash(path) ? undefined : areas.find((candidate) => candidate.matches(path));
    if (request.method === 'OPTIONS' && path !== PANEL) {
      const preflight = new Response(null, { status: 204 });
      const method = request.headers.get('access-control-request-method') ?? area?.methods?.[0] ?? 'GET';
      if (area === undefined || (await isShared(area, method))) applyCors(request, preflight.headers);
      return preflight;
    }
    if (area === undefined) return deps.errors(notFound(), request);
    const response = await answer(request, context, path, area);
    if (response !== undefined && (await isShared(area, request.method))) applyCors(request, response.headers);
    return response;
  };
}

type RoutedArea = Area & { readonly handle: AreaHandler };
type AreaHandler = (
  request: Request,
  context: RequestContext,
  path: string,
  viewer: Viewer | null,
) => Response | undefined | Promise<Response | undefined>;

function toHandler(area: Area, { authenticator, errors }: RouterDeps): AreaHandler {
  switch (area.handler.kind) {
    case 'raw':
      return area.handler.handle;
    case 'feature':
      return featureHandler(area.handler.routes, area, errors);
    case 'forward':
      return forwardHandler(area.handler, authenticator);
  }
}

function forwardHandler(
  { handle, foreignPages, hasTrustedPages }: ForwardArea,
  authenticator: Authenticator,
): AreaHandler {
  return async (request, context) => {
    // The gateway gets our host and path; probes of old clients without `Host` are only for the manager itself.
    if (!request.headers.has('host')) throw new AppError('invalid_host');
    const isAdmin = await authenticator.isAdmin(request);
    if (!isAdmin) refuseForeignPages(request, foreignPages);
    if (isAdmin) context.exchange.proveOperator();
    else context.exchange.proceedAsStranger();
    try {
      const answer = await handle({ request, isAdmin, ...context });
      if (answer !== undefined) guardGatewayPage(answer.headers, hasTrustedPages);
      return answer;
    } catch (error) {
      const refused = !isAdmin && error instanceof AppError && error.code === 'invalid_admin_key';
      throw refused ? authenticator.refusal(request, context.caller) : error;
    }
  };
}

/** A browser sends these to another address only after the CORS headers allowed it. */
const KEY_HEADERS = ['authorization', 'x-management-key'];

/** @throws AppError 403 or 415 */
function refuseForeignPages(request: Request, rule: ForwardArea['foreignPages']): void {
  if (rule === 'may-read' || KEY_HEADERS.some((name) => request.headers.has(name))) return;
  const isNavigation = request.headers.get('sec-fetch-mode') === 'navigate';
  if (rule === 'may-lead-here' && request.method === 'GET' && isNavigation) return;
  if (rule === 'may-lead-here' && request.method === 'POST') requireOwnPage(request);
  else if (isFromForeignPage(request)) throw new AppError('cross_site_refused');
}

interface FeatureEnv extends ManagerEnv {
  Bindings: { caller: Caller; viewer: Viewer | null };
}

/** Runs the routes of a feature: trailing slashes are ignored, an unknown method is 405 with the known ones. */
function featureHandler(
  routes: FeatureRoutes,
  { unknownPath, probe = false }: Pick<Area, 'unknownPath' | 'probe'>,
  errors: ErrorAnswers,
): AreaHandler {
  const app = new Hono<FeatureEnv>({ getPath: (request) => trimSlashes(routingPath(request.url)) });
  app.use('*', async (c, next) => {
    c.set('caller', c.env.caller);
    c.set('viewer', c.env.viewer);
    await next();
  });
  app.route('/', routes);
  app.onError((error, c) => errors(error, c.req.raw));
  app.notFound((c) => {
    return errors(unknown(c.req.path), c.req.raw);
  });

  function unknown(path: string): AppError {
    const methods = methodsOf(app, path);
    if (unknownPath === 404 && methods.length === 0) return notFound();
    return notAllowed(probe && methods.includes('GET') ? [...methods, 'HEAD'] : methods);
  }

  return (request, context, path, viewer) => {
    // Hono answers HEAD as a GET without its body, which would run an export for nothing.
    if (request.method === 'HEAD') {
      const trimmed = trimSlashes(path);
      if (!probe || !methodsOf(app, trimmed).includes('GET')) throw unknown(trimmed);
      return new Response(null, { status: 204 });
    }
    return app.fetch(request, { caller: context.caller, viewer });
  };
}

function methodsOf(app: Hono<FeatureEnv>, path: string): string[] {
  return METHODS.filter((method) => app.router.match(method, path)[0].some(([[, route]]) => route.method === method));
}

function hops(request: Request): string[] {
  return (request.headers.get(HOP_HEADER) ?? '').split(',').map((hop) => hop.trim());
}

function notAllowed(methods: readonly string[], preflight = true): AppError {
  const allowed = preflight ? [...methods, 'OPTIONS'] : methods;
  return new AppError('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
}

function notFound(): AppError {
  return new AppError('path_not_found');
}
