import { AppError } from '@manager/core/contract/errors';
import { createGatewayAccounts } from '../../gateway/accounts/gateway-accounts.ts';
import { createCallerKeys } from '../../gateway/caller-keys.ts';
import type { ClaimStore } from '../../gateway/claims/store.ts';
import { createGatewayHttp } from '../../gateway/http-call.ts';
import { createManagementClient } from '../../gateway/management-client.ts';
import { createRefusalRow } from '../../gateway/refusal-row.ts';
import { NO_CLAIMS } from '../../gateway/testing.ts';
import type { KeyRefusalGate } from '../../gateway/types.ts';
import { createAdminCredential } from '../../platform/secrets/admin-key.ts';
import { createAdminKeyFinder } from '../../platform/secrets/admin-key-finder.ts';
import { bearer } from '../../platform/secrets/bearer.ts';
import { createCallerFinder } from '../caller.ts';
import { startHttpServer } from '../server.ts';
import { createProxy, type ReverseProxy } from './proxy.ts';

export const ADMIN_KEY = 'mgr_test-admin-key';
export const SAVED_KEY = 'saved-upstream-key';

const ADMIN_ROW = JSON.stringify(
  createAdminCredential({ key: ADMIN_KEY, source: 'generated', nowMs: 0, randomBytes: (size) => new Uint8Array(size) }),
);

/** A manager that only proxies to the given gateway. */
export function startProxy(options: {
  readonly upstreamUrl: string | null;
  readonly gate?: KeyRefusalGate;
  readonly collectorActive?: boolean;
  readonly configurationChanged?: () => void;
  readonly claims?: ClaimStore;
  /** Whether the gateway reports plugins. */
  readonly plugins?: boolean;
}): { url: string; proxy: ReverseProxy; stop(): Promise<void> } {
  const connection = options.upstreamUrl === null ? null : { baseUrl: options.upstreamUrl, managementKey: SAVED_KEY };
  const gate = options.gate ?? openGate();
  const instanceId = 'instance-under-test';
  // As behind a proxy on this host; without its header the caller is remote.
  const findCaller = (headers: Headers) =>
    headers.has('x-forwarded-for')
      ? createCallerFinder(['127.0.0.1'])(headers, '127.0.0.1')
      : { address: '192.0.2.7', isLocal: false };
  const http = createGatewayHttp({ gate, now: Date.now, instanceId });
  const proxy = createProxy({
    gatewayAccounts: createGatewayAccounts({
      http,
      connection: () => connection,
      tlsSkipVerify: () => false,
      elapsed: () => performance.now(),
      claims: options.claims ?? NO_CLAIMS,
      log: console,
    }),
    connection: () => ({
      source: options.upstreamUrl === null ? '' : 'db',
      baseUrl: options.upstreamUrl ?? '',
      connection,
    }),
    tlsSkipVerify: () => false,
    gate,
    checkKey: http.checkKey,
    instanceId,
    collectorActive: () => options.collectorActive ?? false,
    configurationChanged: options.configurationChanged ?? (() => {}),
    callerKeys: createCallerKeys({
      gate,
      now: Date.now,
      async payBack() {
        if (connection !== null) await createManagementClient({ http, now: Date.now }).touch(connection);
      },
      after(ms, call) {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    }),
    plugins: { any: async () => options.plugins ?? true },
    adminKey: createAdminKeyFinder(() => ADMIN_ROW),
    now: Date.now,
  });
  const server = startHttpServer({
    address: { host: '127.0.0.1', port: 0 },
    log: { info() {}, warn() {}, error() {} },
    findCaller,
    async router(request, context) {
      const path = new URL(request.url).pathname;
      const isAdmin = bearer(request.headers.get('authorization')) === ADMIN_KEY;
      const call = { request, isAdmin, ...context };
      try {
        if (path === '/models' || path === '/v1/models') return await proxy.models(call);
        return await (path.startsWith('/v0/resource/') ? proxy.pluginResources(call) : proxy.management(call));
      } catch (error) {
        if (error instanceof AppError) {
          return Response.json(error.toBody(), { status: error.status, headers: error.headers });
        }
        throw error;
      }
    },
  });
  return { url: `http://127.0.0.1:${server.address.port}`, proxy, stop: () => server.stop(0) };
}

export function openGate(): KeyRefusalGate {
  return {
    enter: () => ({ open: true, report: () => {} }),
    needsCheck: () => false,
    triesLeft: () => 5,
    snapshot: () => null,
    row: createRefusalRow(Date.now),
    ownRefusals: () => ({ counted: 0, possible: 1 }),
  };
}

export interface Recorded {
  readonly method: string;
  /** Path and query as they arrived. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A gateway that records every request and answers with `answer`. */
export function startRecordingGateway(
  answer: (request: Request) => Response | Promise<Response> = () => new Response('ok'),
): {
  url: string;
  requests: Recorded[];
  stop(): Promise<void>;
} {
  const requests: Recorded[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 120,
    async fetch(request) {
      const body = await request.clone().text();
      const target = request.url.slice(request.url.indexOf('/', 8));
      requests.push({ method: request.method, target, headers: request.headers, body });
      return answer(request);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) };
}
