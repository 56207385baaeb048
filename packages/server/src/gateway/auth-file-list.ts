import type { JsonObject } from '@manager/core/json/json';
import { type ListedAccount, readListedAccount } from '@manager/core/usage/enrich';
import type { GatewayConnection } from '../platform/config/config.ts';
import { readAuthFiles } from './auth-file-reader.ts';
import { GatewayError } from './errors.ts';
import type { GatewayHttp } from './http-call.ts';

const FETCH_TIMEOUT_MS = 5_000;
const FRESH_MS = 30_000;
/** A storm of `refresh` messages causes one fetch per interval; each costs the gateway a slow key check. */
const MIN_FETCH_INTERVAL_MS = 5_000;

/** What the collector needs of an entry; the list is held in memory. */
export interface ListedAuthFile extends ListedAccount {
  /** Answers that the gateway has counted since it started; null = it does not count. */
  readonly answers: AnswerCounts | null;
}

export interface AnswerCounts {
  readonly success: number;
  readonly failed: number;
}

export interface AuthFileList {
  readonly files: readonly ListedAuthFile[];
  /** When the fetch was started, and when its answer was complete. */
  readonly fetchedAtMs: number;
  readonly answeredAtMs: number;
  readonly bytes: number;
}

export interface AuthFileListOptions {
  readonly tlsSkipVerify?: boolean;
  /** Age from which a copy is fetched again; default 30 s. */
  readonly maxAgeMs?: number;
}

/** The one shared copy of the gateway's auth-file list. */
export interface AuthFileLists {
  /**
   * The list, by default at most 30 s old. When the fetch fails, the older copy of the same connection is returned; without one it throws.
   * At most one fetch per 5 s.
   *
   * @throws GatewayError
   */
  get(connection: GatewayConnection, options?: AuthFileListOptions): Promise<AuthFileList>;
  /** The next `get` fetches again. */
  drop(): void;
}

export interface AuthFileListsDeps {
  readonly http: GatewayHttp;
  readonly now: () => number;
  readonly timing?: { readonly freshMs?: number; readonly minIntervalMs?: number; readonly timeoutMs?: number };
}

export function createAuthFileLists(deps: AuthFileListsDeps): AuthFileLists {
  const freshMs = deps.timing?.freshMs ?? FRESH_MS;
  const minIntervalMs = deps.timing?.minIntervalMs ?? MIN_FETCH_INTERVAL_MS;
  let source = '';
  let held: AuthFileList | null = null;
  let dropped = false;
  let fetching: Promise<AuthFileList> | null = null;
  let lastStartMs: number | null = null;
  let lastFailure: unknown = null;

  function useSource(connection: GatewayConnection): void {
    const next = `${connection.baseUrl}\n${connection.managementKey}`;
    if (next === source) return;
    source = next;
    held = null;
    dropped = false;
    fetching = null;
    lastStartMs = null;
    lastFailure = null;
  }

  function begin(connection: GatewayConnection, options: AuthFileListOptions): Promise<AuthFileList> {
    const mine = source;
    const fetchedAtMs = deps.now();
    lastStartMs = fetchedAtMs;
    dropped = false;
    const running: Promise<AuthFileList> = readAuthFiles({
      http: deps.http,
      call: {
        connection,
        timeoutMs: deps.timing?.timeoutMs ?? FETCH_TIMEOUT_MS,
        tlsSkipVerify: options.tlsSkipVerify === true,
      },
      read: readListedFile,
    })
      .then(({ files, bytes }) => {
        const list = { files, fetchedAtMs, answeredAtMs: deps.now(), bytes };
        if (mine === source) {
          held = list;
          lastFailure = null;
        }
        return list;
      })
      .catch((error: unknown) => {
        if (mine === source) lastFailure = error;
        throw error;
      })
      .finally(() => {
        if (fetching === running) fetching = null;
      });
    fetching = running;
    return running;
  }

  return {
    async get(connection, options = {}) {
      useSource(connection);
      const now = deps.now();
      if (fetching === null) {
        if (held !== null && !dropped && Math.abs(now - held.fetchedAtMs) < (options.maxAgeMs ?? freshMs)) return held;
        if (lastStartMs !== null && Math.abs(now - lastStartMs) < minIntervalMs) {
          if (held !== null) return held;
          throw lastFailure ?? new GatewayError('status', 'the auth-file list was requested a moment ago');
        }
      }
      try {
        return await (fetching ?? begin(connection, options));
      } catch (error) {
        if (held !== null) return held;
        throw error;
      }
    },
    drop() {
      dropped = true;
    },
  };
}

function readListedFile(entry: JsonObject): ListedAuthFile {
  const { success, failed } = entry;
  const counts = typeof success === 'number' || typeof failed === 'number';
  return {
    ...readListedAccount(entry),
    answers: counts ? { success: countOf(success), failed: countOf(failed) } : null,
  };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
