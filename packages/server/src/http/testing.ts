import { connect } from 'node:net';
import { Hono } from 'hono';
import type { HostPort } from '../platform/config/config.ts';
import type { AreaHandlers, ForwardHandler } from './areas.ts';
import { type Authenticator, createAuthenticator, type Viewer } from './auth.ts';
import { createCallerFinder } from './caller.ts';
import type { FeatureRoutes, ManagerEnv } from './environment.ts';
import { createErrorAnswers } from './errors.ts';
import type { Log } from './log.ts';
import { createRouter } from './router.ts';
import { type HttpServer, startHttpServer } from './server.ts';

export const ADMIN_KEY = 'mgr_test-admin-key';
export const ADMIN = { authorization: `Bearer ${ADMIN_KEY}` };
export const INSTANCE_ID = 'instance-under-test';

export interface LogLine extends Record<string, unknown> {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

export function recordingLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ ...fields, level, message });
  };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

export interface TestServerOptions {
  readonly handlers?: Partial<AreaHandlers> | ((authenticator: Authenticator) => Partial<AreaHandlers>);
  readonly corsOrigins?: readonly string[];
  readonly trustedPluginPages?: boolean;
  readonly setupOpen?: () => boolean;
  readonly verifyAdminKey?: (key: string) => boolean;
  readonly findViewer?: (token: string) => Viewer | null;
  readonly now?: () => number;
  /** Default: a free port of the loopback address. */
  readonly address?: HostPort;
  readonly connectionLimit?: number;
}

export interface TestServer extends HttpServer {
  readonly url: string;
  readonly log: ReturnType<typeof recordingLog>;
}

/** A real listener. Areas without a handler in the test answer with their own name. */
export function startTestServer(options: TestServerOptions = {}): TestServer {
  const log = recordingLog();
  const authenticator = createAuthenticator({
    verifyAdminKey: options.verifyAdminKey ?? ((key) => key === ADMIN_KEY),
    setupOpen: options.setupOpen ?? (() => false),
    findViewer: options.findViewer ?? (() => null),
    now: options.now ?? Date.now,
    log,
  });
  const { handlers } = options;
  let errors = 0;
  const router = createRouter({
    handlers: { ...namedHandlers(), ...(typeof handlers === 'function' ? handlers(authenticator) : handlers) },
    authenticator,
    errors: createErrorAnswers({ log, newId: () => `error-${++errors}` }),
    corsOrigins: options.corsOrigins ?? ['*'],
    trustedPluginPages: options.trustedPluginPages ?? false,
    setupOpen: options.setupOpen ?? (() => false),
    instanceId: INSTANCE_ID,
  });
  const server = startHttpServer({
    address: options.address ?? { host: '127.0.0.1', port: 0 },
    router,
    log,
    findCaller: createCallerFinder(['127.0.0.0/8', '::1']),
    ...(options.connectionLimit === undefined ? {} : { connectionLimit: options.connectionLimit }),
  });
  return { ...server, url: `http://127.0.0.1:${server.address.port}`, log };
}

function namedHandlers(): AreaHandlers {
  const forward =
    (name: string): ForwardHandler =>
    ({ isAdmin }) =>
      Response.json({ area: name, isAdmin });
  return {
    info: named('info', ['GET /health', 'GET /usage-service/info']),
    status: named('status', ['GET /status']),
    setup: named('setup', ['POST /setup', 'GET /usage-service/config', 'PUT /usage-service/config']),
    panel: () => Response.json({ area: 'panel' }),
    panelScript: () => Response.json({ area: 'panelScript' }),
    codeEditor: () => Response.json({ area: 'codeEditor' }),
    managerPages: () => Response.json({ area: 'managerPages' }),
    configurationHistory: named('configurationHistory', ['GET /usage-service/gateway-configuration/versions']),
    budgets: named('budgets', ['GET /usage-service/budgets', 'PUT /usage-service/budgets']),
    notifications: named('notifications', ['GET /usage-service/notifications']),
    viewerLinks: named('viewerLinks', ['GET /usage-service/viewer-links']),
    viewer: named('viewer', ['GET /usage-service/viewer', 'POST /usage-service/viewer/analytics']),
    aliases: named('aliases', ['GET /v0/management/api-key-aliases', 'DELETE /v0/management/api-key-aliases/:hash']),
    prices: named('prices', ['GET /v0/management/model-prices', 'PUT /v0/management/model-prices']),
    inspection: named('inspection', [
      'POST /v0/management/codex-inspection/run',
      'GET /v0/management/account-inspection/runs',
    ]),
    dashboard: named('dashboard', ['GET /v0/management/dashboard/summary']),
    monitoring: named('monitoring', ['POST /v0/management/monitoring/analytics']),
    quotaSnapshots: named('quotaSnapshots', [
      'POST /v0/management/quota-snapshots',
      'POST /v0/management/quota-snapshots/query',
    ]),
    quotaCooldowns: named('quotaCooldowns', ['GET /usage-service/quota-cooldowns']),
    processingPolicy: named('processingPolicy', [
      'GET /usage-service/account-processing-policy',
      'PATCH /usage-service/account-processing-policy',
    ]),
    accountActions: named('accountActions', ['GET /v0/management/account-action-candidates']),
    imports: named('imports', ['POST /v0/management/usage/import']),
    importSessions: named('importSessions', ['GET /v0/management/usage/import-sessions']),
    archives: named('archives', ['GET /v0/management/usage/archives', 'POST /v0/management/usage/archives']),
    maintenance: named('maintenance', ['GET /v0/management/usage/maintenance']),
    usage: named('usage', ['GET /v0/management/usage', 'GET /v0/management/usage/export']),
    management: forward('management'),
    models: forward('models'),
    pluginResources: forward('pluginResources'),
  };
}

function named(area: string, routes: readonly string[]): FeatureRoutes {
  const app = new Hono<ManagerEnv>();
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, path, (c) => c.json({ area, params: c.req.param() }));
  }
  return app;
}

/** Sends bytes unchanged and returns the answer until it contains a text or the server closes. Closes its side. */
export function exchange(
  server: HttpServer,
  parts: readonly (string | Uint8Array)[],
  lastText = '\r\n\r\n',
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(server.address.port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part);
    });
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (received.includes(lastText)) finish();
    });
    socket.on('end', finish);
    socket.on('error', reject);
  });
}
