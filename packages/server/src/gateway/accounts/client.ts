import { type ApiCallRequest, type ProbeAnswer, readApiCallAnswer } from '@manager/core/accounts/api-call';
import { type ListedAccount, readListedAccount } from '@manager/core/accounts/listed-account';
import { AppError } from '@manager/core/contract/errors';
import type { GatewayConnection } from '../../platform/config/config.ts';
import { readAuthFiles } from '../auth-file-reader.ts';
import { GatewayError } from '../errors.ts';
import { type GatewayCall, type GatewayHttp, readBody } from '../http-call.ts';

const LIST_TIMEOUT_MS = 30_000;
const CHANGE_TIMEOUT_MS = 30_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_CHANGE_ANSWER_BYTES = 4 * 1024 * 1024;
const MAX_PROBE_ANSWER_BYTES = 16 * 1024 * 1024;

export interface AccountCallOptions {
  readonly signal?: AbortSignal;
  /** Shortens the limit of the request. */
  readonly timeoutMs?: number;
}

/** Account requests to the gateway, with the saved key. Nothing is retried or verified here. */
export interface AccountClient {
  readonly configured: () => boolean;
  /** Current time by the gateway's clock, from its last list; null = unknown. */
  readonly gatewayNow: () => number | null;
  /** Every account, read to the end. @throws AppError `usage_service_not_configured`, GatewayError */
  list(options?: AccountCallOptions): Promise<ListedAccount[]>;
  /** The accounts of a runtime id or file name, fresh; old gateways return everything. @throws as `list` */
  find(selector: string, options?: AccountCallOptions): Promise<ListedAccount[]>;
  /** Content of a file, at most 64 MiB. @throws as `list` */
  download(name: string, options?: AccountCallOptions): Promise<Uint8Array>;
  /** Body of the 2xx answer, which alone proves nothing. @throws as `list` */
  patchStatus(change: StatusChange, options?: AccountCallOptions): Promise<string>;
  /** Body of the 2xx answer, which alone proves nothing. @throws as `list` */
  deleteFile(selector: string, options?: AccountCallOptions): Promise<string>;
  /** Throws only `usage_service_not_configured` and on abort. */
  probe(request: ApiCallRequest, options: AccountCallOptions & { readonly timeoutMs: number }): Promise<ProbeAnswer>;
}

export interface StatusChange {
  /** Runtime id, or the physical name for a whole file. */
  readonly selector: string;
  /** '' = none. */
  readonly authIndex: string;
  readonly disabled: boolean;
}

export interface AccountClientDeps {
  readonly http: GatewayHttp;
  readonly connection: () => GatewayConnection | null;
  readonly tlsSkipVerify: () => boolean;
  /** Monotonic time in ms, independent of the clock. */
  readonly elapsed: () => number;
}

export function createAccountClient(deps: AccountClientDeps): AccountClient {
  /** Gateway time minus monotonic time here. */
  let offsetMs: number | null = null;

  function target(options: AccountCallOptions, limitMs: number) {
    const connection = deps.connection();
    if (connection === null) throw new AppError('usage_service_not_configured');
    return {
      connection,
      tlsSkipVerify: deps.tlsSkipVerify(),
      timeoutMs: Math.min(options.timeoutMs ?? limitMs, limitMs),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
  }

  async function read(search: string, options: AccountCallOptions): Promise<ListedAccount[]> {
    const { files, incomplete, atMs } = await readAuthFiles({
      http: deps.http,
      call: target(options, LIST_TIMEOUT_MS),
      search,
      read: readListedAccount,
    });
    offsetMs = atMs === null ? null : atMs - deps.elapsed();
    // A missing account could be taken for one that does not exist.
    if (incomplete !== '') throw new GatewayError('protocol', incomplete);
    return files;
  }

  async function change(
    call: Pick<GatewayCall, 'method' | 'path' | 'json'>,
    options: AccountCallOptions,
  ): Promise<string> {
    const answer = await deps.http.call({ ...target(options, CHANGE_TIMEOUT_MS), ...call });
    return new TextDecoder().decode(await readBody(answer, MAX_CHANGE_ANSWER_BYTES));
  }

  return {
    configured: () => deps.connection() !== null,
    gatewayNow: () => (offsetMs === null ? null : offsetMs + deps.elapsed()),
    list: (options = {}) => read('', options),
    find: (selector, options = {}) => read(`?name=${encodeURIComponent(selector)}`, options),
    async download(name, options = {}) {
      const path = `auth-files/download?name=${encodeURIComponent(name)}`;
      const answer = await deps.http.call({
        ...target(options, LIST_TIMEOUT_MS),
        method: 'GET',
        path,
        keepAlive: true,
      });
      return readBody(answer, MAX_FILE_BYTES);
    },
    patchStatus: ({ selector, authIndex, disabled }, options = {}) =>
      change(
        {
          method: 'PATCH',
          path: 'auth-files/status',
          json: { name: selector, disabled, ...(authIndex === '' ? {} : { auth_index: authIndex }) },
        },
        options,
      ),
    deleteFile: (selector, options = {}) =>
      change({ method: 'DELETE', path: `auth-files?name=${encodeURIComponent(selector)}` }, options),
    async probe(request, options) {
      const call = target(options, options.timeoutMs);
      try {
        const answer = await deps.http.call({ ...call, method: 'POST', path: 'api-call', json: request });
        const body = await readBody(answer, MAX_PROBE_ANSWER_BYTES);
        return readApiCallAnswer(answer.status, new TextDecoder().decode(body));
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof GatewayError) return { kind: 'transport_error', error: error.message };
        throw error;
      }
    },
  };
}
