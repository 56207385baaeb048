import { AppError } from '@manager/core/contract/errors';
import type { GatewayAccounts } from '../../gateway/accounts/gateway-accounts.ts';
import type { CallerKeys } from '../../gateway/caller-keys.ts';
import { errorTextOf, refusalAdvice, refusalReason } from '../../gateway/errors.ts';
import type { GatewayHttp } from '../../gateway/http-call.ts';
import type { RegisteredPlugins } from '../../gateway/plugin-list.ts';
import type { EffectiveConnection, KeyRefusalGate } from '../../gateway/types.ts';
import type { AdminKeyFinder } from '../../platform/secrets/admin-key-finder.ts';
import type { Caller } from '../caller.ts';
import type { Exchange } from '../listener/serve-connection.ts';
import { answerCutOff } from '../outcome.ts';
import { routingPath } from '../path.ts';
import { isAuthFileMutation, runMutation } from './auth-files/mutation.ts';
import { createAuthFileReader } from './auth-files/reader.ts';
import { createDialer } from './dial.ts';
import { enterGate, type ForwardOptions, forward, MAX_REFUSAL_BYTES, reach, webSocketTarget } from './forward.ts';
import { passedThrough } from './headers.ts';
import { isOwnAddress } from './own-address.ts';
import { classifyManagementPath, type PathClass } from './path-class.ts';
import { readUpTo } from './plugin-rewrite.ts';
import { bridgeWebSocket } from './web-socket.ts';

const REFUSED_METHODS: ReadonlySet<string> = new Set(['TRACE', 'TRACK', 'CONNECT']);

export interface ProxyDeps {
  connection(): EffectiveConnection;
  tlsSkipVerify(): boolean;
  readonly gate: KeyRefusalGate;
  readonly callerKeys: CallerKeys;
  readonly checkKey: GatewayHttp['checkKey'];
  readonly plugins: RegisteredPlugins;
  readonly adminKey: Pick<AdminKeyFinder, 'search'>;
  /** Random id of this process, to detect requests that return to it. */
  readonly instanceId: string;
  /** While the collector runs, a proxied read of the usage queue would destroy events. */
  collectorActive(): boolean;
  /** A request that may have switched usage publishing succeeded. */
  configurationChanged(): void;
  readonly gatewayAccounts: Pick<GatewayAccounts, 'lock' | 'client' | 'claims'>;
  readonly now: () => number;
}

export interface ProxyRequest {
  readonly request: Request;
  readonly exchange: Exchange;
  readonly caller: Caller;
  /** True when the request has the admin key. */
  readonly isAdmin: boolean;
}

/** Answers of the reverse proxy; undefined = the request became a WebSocket. */
export interface ReverseProxy {
  /** `/v0/management/*` that the manager does not answer itself. */
  management(options: ProxyRequest): Promise<Response | undefined>;
  /** `/models` and `/v1/models`: always with the caller's own key. */
  models(options: ProxyRequest): Promise<Response | undefined>;
  /** `/v0/resource/plugins…`: the saved key only with the admin key. */
  pluginResources(options: ProxyRequest): Promise<Response | undefined>;
}

export function createProxy(deps: ProxyDeps): ReverseProxy {
  const dialer = createDialer(deps.now);
  const { gate, callerKeys, checkKey, instanceId } = deps;
  const forwardDeps = { gate, callerKeys, checkKey, dialer, instanceId };

  const prepare = (
    options: ProxyRequest,
    kind: { plugin: boolean; useSavedKey: boolean; check: 'checked' | 'open' | null },
  ): ForwardOptions => {
    // TRACE returns the headers it got, including the saved key; CONNECT would open a tunnel.
    if (REFUSED_METHODS.has(options.request.method)) {
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } });
    }
    if (passedThrough(options.request.headers, deps.instanceId)) throw new AppError('upstream_loop_detected');
    const { connection } = deps.connection();
    if (connection === null) throw new AppError('usage_service_not_configured');
    return {
      request: options.request,
      connection,
      tlsSkipVerify: deps.tlsSkipVerify(),
      callerAddress: isOwnAddress(options.caller.address) ? null : options.caller.address,
      useSavedKey: kind.useSavedKey,
      hasAdminKey: deps.adminKey.search(),
      plugin: kind.plugin,
      checksKey: kind.useSavedKey ? null : kind.check,
    };
  };

  const send = async (options: ProxyRequest, prepared: ForwardOptions): Promise<Response | undefined> => {
    const upgrade = options.request.headers.get('upgrade');
    if (upgrade === null) return forward(forwardDeps, prepared);
    if (upgrade.trim().toLowerCase() !== 'websocket' || options.request.method !== 'GET')
      throw new AppError('upgrade_not_supported');
    const target = webSocketTarget(prepared, deps.instanceId);
    const url = new URL(target.url);
    const { saved, foreign } = await enterGate(forwardDeps, prepared, url, target.headers);
    try {
      const { tlsSkipVerify } = prepared;
      await reach(forwardDeps, url, tlsSkipVerify);
      if (options.request.signal.aborted) {
        foreign?.unsent();
        throw options.request.signal.reason;
      }
      const accepted = await bridgeWebSocket({
        request: options.request,
        exchange: options.exchange,
        tlsSkipVerify,
        ...target,
      });
      foreign?.answered(101, true);
      return accepted;
    } catch (error) {
      const status = error instanceof AppError ? error.status : 0;
      // A refused handshake shows only its status, so a plugin's own 401 cannot be distinguished from the gateway's.
      if (status === 401 && !(prepared.useSavedKey && prepared.plugin)) saved?.report('refused', String(error));
      // 502 may also be a handshake without an answer.
      if (status >= 400 && status !== 502) foreign?.answered(status, false);
      else foreign?.lost();
      throw error;
    } finally {
      saved?.report('unknown');
    }
  };

  /** The allow-list of what passes without the admin key, beside model list and plugin resources. */
  const passesWithOwnKey = async (kind: PathClass): Promise<boolean> => {
    if (kind === 'oauth-return') return true;
    const { connection } = deps.connection();
    return kind === 'plugin-owned' && connection !== null && (await deps.plugins.any(connection));
  };

  return {
    async management(options) {
      const { request, isAdmin } = options;
      const path = routingPath(request.url);
      const kind = classifyManagementPath(request.method, path);
      if (!isAdmin && !(await passesWithOwnKey(kind))) throw new AppError('invalid_admin_key');
      const prepared = prepare(options, {
        plugin: kind === 'plugin-owned',
        useSavedKey: isAdmin,
        check: kind === 'oauth-return' ? 'open' : 'checked',
      });
      if (/^\/v0\/management\/+usage-queue(\/|$)/i.test(path) && deps.collectorActive()) {
        throw new AppError('usage_queue_taken');
      }
      if (isAdmin && isAuthFileMutation(request.method, path)) {
        return runMutation({
          request,
          coordinator: deps.gatewayAccounts.lock,
          reader: createAuthFileReader(deps.gatewayAccounts.client),
          manual: deps.gatewayAccounts.claims.manual,
          send: (override) => forward(forwardDeps, { ...prepared, override }),
        });
      }
      const answer = await send(options, prepared);
      if (answer?.ok === true && changesConfiguration(request.method, path)) deps.configurationChanged();
      return isAdmin && answer && /^\/v0\/management\/+config\/*$/.test(path) ? hideKeyRefusal(answer) : answer;
    },

    async models(options) {
      return send(options, prepare(options, { plugin: false, useSavedKey: false, check: null }));
    },

    async pluginResources(options) {
      return send(options, prepare(options, { plugin: true, useSavedKey: options.isAdmin, check: null }));
    },
  };
}

/** The switch itself, the whole configuration, or reading its file again. */
function changesConfiguration(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return /^\/v0\/management\/+(usage-statistics-enabled|config|config\.yaml|reload)\/*$/i.test(path);
}

async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const { bytes, rest } = await readUpTo(body, MAX_REFUSAL_BYTES).catch((cause) => {
    throw answerCutOff('GET', cause);
  });
  await rest?.cancel();
  return new TextDecoder().decode(bytes.subarray(0, MAX_REFUSAL_BYTES));
}

/**
 * A panel signs in by reading the gateway's configuration. A refused saved key must not look like a wrong admin key there, or
 * the operator could not sign in to save the right one.
 */
async function hideKeyRefusal(answer: Response): Promise<Response> {
  if (answer.status !== 401 && answer.status !== 403) return answer;
  const text = errorTextOf(await beginningOf(answer));
  const ofKey = refusalReason(text) === 'key_rejected';
  throw new AppError('gateway_refuses_manager', {
    message: ofKey
      ? 'the gateway rejected the saved management key; save the right one in the settings'
      : `the gateway refuses the manager: ${refusalAdvice(text)}`,
  });
}
