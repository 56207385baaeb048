import type { GatewayConnection } from '../platform/config/config.ts';
import { type AuthFileLists, type AuthFileListsDeps, createAuthFileLists } from './auth-file-list.ts';
import { type GatewayConfig, readConfigAnswer } from './config-answer.ts';
import { GatewayError, MANAGEMENT_OFF } from './errors.ts';
import { CHEAP_PATH, type GatewayHttp, readBody, skipBody } from './http-call.ts';
import { listsPlugin } from './plugin-list.ts';

const CONFIG_TIMEOUT_MS = 30_000;
/** A configuration with tens of thousands of client keys. */
const MAX_CONFIG_BYTES = 8 * 1024 * 1024;

export interface ManagementCallOptions {
  /** A manual request: allowed even when the key was refused before. */
  readonly explicit?: boolean;
  readonly timeoutMs?: number;
  readonly tlsSkipVerify?: boolean;
}

/** The gateway's management API, as far as the manager uses it. */
export interface ManagementClient {
  /** Also checks a key: only a 2xx answer returns. @throws UpstreamError */
  readConfig(connection: GatewayConnection, options?: ManagementCallOptions): Promise<GatewayConfig>;
  /** @throws UpstreamError */
  setUsageStatistics(connection: GatewayConnection, enabled: boolean, options?: ManagementCallOptions): Promise<void>;
  /** The cheapest call that the gateway accepts: it then forgets refusals. @throws UpstreamError */
  touch(connection: GatewayConnection, options?: ManagementCallOptions): Promise<void>;
  /** Whether at least one plugin is registered; false for versions without plugins. @throws UpstreamError */
  hasPlugins(connection: GatewayConnection, options?: ManagementCallOptions): Promise<boolean>;
  readonly authFiles: AuthFileLists;
}

export interface ManagementClientDeps {
  readonly http: GatewayHttp;
  readonly now: () => number;
  readonly authFileTiming?: NonNullable<AuthFileListsDeps['timing']>;
}

export function createManagementClient(deps: ManagementClientDeps): ManagementClient {
  const { http } = deps;
  return {
    async readConfig(connection, options = {}) {
      const answer = await explained(() =>
        http.call({ connection, method: 'GET', path: 'config', keepAlive: true, ...callOptions(options) }),
      );
      return readConfigAnswer(await readBody(answer, MAX_CONFIG_BYTES), answer.headers.get('X-CPA-VERSION'));
    },
    async setUsageStatistics(connection, enabled, options = {}) {
      const answer = await explained(() =>
        http.call({
          connection,
          method: 'PUT',
          path: 'usage-statistics-enabled',
          json: { value: enabled },
          ...callOptions(options),
        }),
      );
      await skipBody(answer, MAX_CONFIG_BYTES);
    },
    async touch(connection, options = {}) {
      const answer = await http.call({
        connection,
        method: 'GET',
        path: CHEAP_PATH,
        keepAlive: true,
        ...callOptions(options),
      });
      await skipBody(answer, MAX_CONFIG_BYTES);
    },
    async hasPlugins(connection, options = {}) {
      try {
        const answer = await http.call({
          connection,
          method: 'GET',
          path: 'plugins',
          keepAlive: true,
          ...callOptions(options),
        });
        return listsPlugin(await readBody(answer, MAX_CONFIG_BYTES));
      } catch (error) {
        if (error instanceof GatewayError && error.kind === 'unsupported') return false;
        throw error;
      }
    },
    authFiles: createAuthFileLists({
      http,
      now: deps.now,
      ...(deps.authFileTiming === undefined ? {} : { timing: deps.authFileTiming }),
    }),
  };
}

function callOptions(options: ManagementCallOptions) {
  return {
    timeoutMs: options.timeoutMs ?? CONFIG_TIMEOUT_MS,
    explicit: options.explicit === true,
    tlsSkipVerify: options.tlsSkipVerify === true,
  };
}

/** Every version with a management API has these paths, so a 404 is about the whole API. */
async function explained<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) {
      throw new GatewayError('unsupported', MANAGEMENT_OFF, { status: 404, cause: error });
    }
    throw error;
  }
}
