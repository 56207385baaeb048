import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import type { CallOptions, Client } from '../../../platform/api/client.ts';
import { readSession, readSessionList, type SessionList, type UploadSession } from './session.ts';

// The contract's own constants would bring its whole schema library into the page.
const IMPORT_SESSIONS_PATH = 'v0/management/usage/import-sessions';
const IMPORT_PREFIX_HEADER = 'X-Usage-Import-Prefix-SHA256';
const SIMPLE_IMPORT_PATH = 'v0/management/usage/import';
/** A file of 64 MiB in one request. */
const SIMPLE_IMPORT_TIMEOUT_MS = 60_000;
/** Sessions the page lists. */
const LIST_LIMIT = 20;

export interface Chunk {
  readonly offset: number;
  readonly body: Blob;
  /** Digest of everything before the offset. */
  readonly prefixSha256: string;
}

export interface NewSession {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly resumeKey: string;
}

/** The requests of an upload, over the client that all pages share. All throw `ApiError`. */
export function sessionCalls(client: Pick<Client, 'call'>, chunkTimeoutMs: number) {
  async function ask(path: string, options?: CallOptions): Promise<UploadSession> {
    return readSession(await client.call<unknown>(IMPORT_SESSIONS_PATH + path, options), IMPORT_SESSIONS_PATH);
  }

  return {
    list: async (query: { readonly status?: string; readonly cursor?: string } = {}): Promise<SessionList> => {
      const parameters = new URLSearchParams({ ...query, limit: String(LIST_LIMIT) });
      const path = `${IMPORT_SESSIONS_PATH}?${parameters}`;
      return readSessionList(await client.call<unknown>(path), IMPORT_SESSIONS_PATH);
    },
    /** The same resume key finds the same session again. */
    create: ({ filename, sizeBytes, resumeKey }: NewSession) =>
      ask('', { method: 'POST', body: { filename, size_bytes: sizeBytes, resume_key: resumeKey } }),
    read: (id: string, signal?: AbortSignal) => ask(`/${id}`, { signal }),
    chunk: (id: string, { offset, body, prefixSha256 }: Chunk, signal?: AbortSignal) =>
      ask(`/${id}/chunk?offset=${offset}`, {
        method: 'PUT',
        body,
        headers: offset === 0 ? {} : { [IMPORT_PREFIX_HEADER]: prefixSha256 },
        timeoutMs: chunkTimeoutMs,
        signal,
      }),
    complete: (id: string) => ask(`/${id}/complete`, { method: 'POST' }),
    cancel: (id: string) => ask(`/${id}`, { method: 'DELETE' }),
    /** The whole file in one request, for servers without sessions. */
    importSimply: (body: Blob, signal?: AbortSignal) =>
      client.call<ImportResult>(SIMPLE_IMPORT_PATH, {
        method: 'POST',
        body,
        timeoutMs: SIMPLE_IMPORT_TIMEOUT_MS,
        signal,
      }),
  };
}

export type SessionCalls = ReturnType<typeof sessionCalls>;
