import { isJsonObject, parseJson } from '@manager/core/json/json';
import type { GatewayConnection } from '../platform/config/config.ts';
import { type AuthFileLists, type AuthFileListsDeps, createAuthFileLists } from './auth-file-list.ts';
import { type GatewayConfig, readConfigAnswer, versionOf } from './config-answer.ts';
import { GatewayError, MANAGEMENT_OFF } from './errors.ts';
import { CHEAP_PATH, type GatewayHttp, readBody, skipBody } from './http-call.ts';
import { listsPlugin } from './plugin-list.ts';

const CONFIG_TIMEOUT_MS = 30_000;
/** A configuration with tens of thousands of client keys. */
const MAX_CONFIG_BYTES = 8 * 1024 * 1024;
const MAX_RELEASE_BYTES = 64 * 1024;

export interface ManagementCallOptions {
  /** A manual request: allowed even when the key was refused before. */
  readonly explicit?: boolean;
  readonly timeoutMs?: number;
  readonly tlsSkipVerify?: boolean;
}

/** The gateway's management API, as far as the manager uses it. */
export interface ManagementClient {
  /** Also checks a key: only a 2xx answer returns. @throws GatewayError */
  readConfig(connection: GatewayConnection, options?: ManagementCallOptions): Promise<GatewayConfig>;
  /** @throws GatewayError */
  setUsageStatistics(connection: GatewayConnection, enabled: boolean, options?: ManagementCallOptions): Promise<void>;
  /** The cheapest call that the gateway accepts: it then forgets refusals. @throws GatewayError */
  touch(connection: GatewayConnection, options?: ManagementCallOptions): Promise<void>;
  /** Whether at least one plugin is registered; false for versions without plugins. @throws GatewayError */
  hasPlugins(connection: GatewayConnection, options?: ManagementCallOptions): Promise<boolean>;
  /**
   * The newest release of the gateway and the version that runs. The gateway asks its release server, which takes up to 10 s.
   *
   * @throws GatewayError also when the gateway cannot reach that server
   */
  releases(connection: GatewayConnection, options?: ManagementCallOptions): Promise<GatewayReleases>;
  readonly authFiles: AuthFileLists;
}

/** Versions without a leading `v`; '' = unknown. */
export interface GatewayReleases {
  readonly running: string;
  readonly newest: string;
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
    async releases(connection, options = {}) {
      const answer = await http.call({ connection, method: 'GET', path: 'latest-version', ...callOptions(options) });
      const running = versionOf(answer.headers.get('X-CPA-VERSION'));
      const body = parseJson((await readBody(answer, MAX_RELEASE_BYTES)).toString('utf8'));
      const newest = isJsonObject(body) ? body['latest-version'] : undefined;
      return { running, newest: typeof newest === 'string' ? versionOf(newest) : '' };
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
