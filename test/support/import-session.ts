import { createHash } from 'node:crypto';
import {
  IMPORT_PREFIX_HEADER,
  IMPORT_SESSIONS_PATH,
  type ImportSessionResponse,
  type ImportSessionsResponse,
  importSessionSchema,
} from '@manager/core/contract/transfer/import-sessions';
import { until } from '@manager/core/testing/until';
import type { ManagerProcess } from './manager-process.ts';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A session, or an error body with its code. */
export interface SessionAnswer {
  readonly status: number;
  readonly session: ImportSessionResponse | null;
  readonly code: string;
  readonly error: string;
}

/** The import sessions of one manager, as a client uses them. */
export class ImportSessions {
  constructor(readonly manager: ManagerProcess) {}

  async call(method: string, path: string, init: BunFetchRequestInit = {}): Promise<SessionAnswer> {
    const answer = await this.manager.fetch(IMPORT_SESSIONS_PATH + path, { ...init, method });
    const body = (await answer.json()) as { code?: string; error?: string };
    const session = answer.ok ? importSessionSchema.parse(body) : null;
    return { status: answer.status, session, code: body.code ?? '', error: body.error ?? '' };
  }

  async #session(method: string, path: string, init: BunFetchRequestInit = {}): Promise<ImportSessionResponse> {
    const { session, status, code } = await this.call(method, path, init);
    if (session === null) throw new Error(`${method} ${path}: ${status} ${code}`);
    return session;
  }

  create(sizeBytes: number, resumeKey = 'a'.repeat(32)): Promise<ImportSessionResponse> {
    const request = { filename: 'events.jsonl', size_bytes: sizeBytes, resume_key: resumeKey };
    return this.#session('POST', '', { body: JSON.stringify(request) });
  }

  read(id: string): Promise<ImportSessionResponse> {
    return this.#session('GET', `/${id}`);
  }

  list(): Promise<ImportSessionsResponse> {
    return this.manager.json<ImportSessionsResponse>(IMPORT_SESSIONS_PATH);
  }

  /** Sends the bytes of the file from the offset on, as one chunk. */
  chunk(id: string, file: Uint8Array, offset: number, bytes: number): Promise<SessionAnswer> {
    return this.call('PUT', `/${id}/chunk?offset=${offset}`, {
      body: file.slice(offset, offset + bytes),
      headers: { [IMPORT_PREFIX_HEADER]: sha256(file.subarray(0, offset)) },
    });
  }

  /** Sends what is missing. */
  async upload(session: ImportSessionResponse, file: Uint8Array): Promise<ImportSessionResponse> {
    let current = session;
    while (current.status === 'uploading') {
      const { received_bytes, chunk_size_bytes } = current;
      const { session: next, code } = await this.chunk(current.id, file, received_bytes, chunk_size_bytes);
      if (next === null) throw new Error(`the chunk at ${received_bytes} was refused: ${code}`);
      current = next;
    }
    return current;
  }

  validate(id: string, prefix: Uint8Array): Promise<SessionAnswer> {
    return this.call('POST', `/${id}/validate`, { body: JSON.stringify({ prefix_sha256: sha256(prefix) }) });
  }

  complete(id: string): Promise<SessionAnswer> {
    return this.call('POST', `/${id}/complete`);
  }

  cancel(id: string): Promise<SessionAnswer> {
    return this.call('DELETE', `/${id}`);
  }

  /** Waits until the session is no longer processing. */
  ended(id: string, timeoutMs?: number): Promise<ImportSessionResponse> {
    return until(
      async () => {
        const session = await this.read(id);
        return session.status === 'processing' ? null : session;
      },
      'the end of the import',
      timeoutMs,
    );
  }

  /** Completes a ready session; returns its final state. */
  async import(id: string): Promise<ImportSessionResponse> {
    const { status, code } = await this.complete(id);
    if (status !== 202) throw new Error(`complete: ${status} ${code}`);
    return this.ended(id);
  }
}
