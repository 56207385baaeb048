import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export interface Call {
  readonly method: string;
  /** Below the sessions, such as `/<id>/chunk?offset=8`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Fault of a request: none (null), a broken connection before or after it is done, no answer, another answer. */
export type Intercepted = null | 'drop' | 'do and drop' | 'hang' | Reply;

interface Session {
  readonly id: string;
  readonly resumeKey: string;
  readonly filename: string;
  readonly size: number;
  status: string;
  received: Buffer;
  retryable: boolean;
  expiresAtMs: number;
}

const SESSIONS_PATH = '/v0/management/usage/import-sessions';
export const NGINX = { server: 'nginx/1.22.1' };
export const html = (title: string) => `<html><head><title>${title}</title></head><body></body></html>`;
const refusal = (status: number, code: string): Reply => ({ status, body: { error: code, code } });

/** The rules of import sessions over a real listener, in memory, with optional faults. */
export class SessionServer {
  readonly sessions = new Map<string, Session>();
  readonly calls: Call[] = [];
  intercept: (call: Call) => Intercepted = () => null;
  chunkBytes = 1024;
  diskQuotaBytes = 10_000_000;
  /** Number of polls after which an import ends, and its result. */
  polls = 2;
  ends: ('completed' | 'failed' | 'failed and retryable' | 'ready')[] = [];
  /** Bytes of an import request without a session. */
  simplyImported = 0;
  readonly #server: Server;
  #ids = 0;
  #polled = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<SessionServer> {
    const server = new SessionServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Requests as `PUT chunk 0 +1024`, in order. */
  get log(): string[] {
    return this.calls.map(({ method, path, body }) => {
      const offset = /offset=(\d+)/.exec(path)?.[1];
      if (offset !== undefined) return `PUT ${offset} +${body.length}`;
      return path.endsWith('/complete') ? 'complete' : method;
    });
  }

  get chunks(): string[] {
    return this.log.filter((line) => line.startsWith('PUT'));
  }

  only(): Session {
    const [session, ...others] = this.sessions.values();
    if (session === undefined || others.length > 0) throw new Error(`${this.sessions.size} sessions`);
    return session;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece as Buffer);
    } catch {
      return;
    }
    const url = request.url ?? '';
    const path = url.startsWith(SESSIONS_PATH) ? url.slice(SESSIONS_PATH.length) : url;
    const call = { method: request.method ?? '', path, headers: request.headers, body: Buffer.concat(pieces) };
    this.calls.push(call);
    const intercepted = this.intercept(call);
    if (intercepted === 'hang') return;
    if (intercepted === 'do and drop') this.#answer(call);
    if (typeof intercepted === 'string') {
      request.socket.destroy();
      return;
    }
    const { status, body, headers } = intercepted ?? this.#answer(call);
    // On a reused connection, clients repeat a broken request automatically.
    response.writeHead(status, { ...headers, connection: 'close' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  #answer(call: Call): Reply {
    const { method, path } = call;
    if (path === '/v0/management/usage/import') {
      this.simplyImported = call.body.length;
      return { status: 200, body: { format: 'usage_service_jsonl', added: 1, skipped: 0, total: 1, failed: 0 } };
    }
    if (method === 'POST' && path === '') return this.#create(JSON.parse(call.body.toString()));
    if (method === 'GET' && path.startsWith('?')) return this.#list();
    const session = this.sessions.get(path.slice(1, 33));
    if (session === undefined) return refusal(404, 'usage_import_session_not_found');
    if (method === 'PUT') return this.#append(session, call);
    if (method === 'DELETE') return this.#cancel(session);
    if (path.endsWith('/complete')) return this.#complete(session);
    if (session.status === 'processing') this.#work(session);
    return this.#ok(session);
  }

  #create(request: { filename: string; size_bytes: number; resume_key: string }): Reply {
    const { filename, size_bytes: size, resume_key: resumeKey } = request;
    const earlier = [...this.sessions.values()].find((session) => session.resumeKey === resumeKey);
    const id = (++this.#ids).toString(16).padStart(32, '0');
    const session = earlier ?? {
      id,
      resumeKey,
      filename,
      size,
      status: 'uploading',
      received: Buffer.alloc(0),
      retryable: false,
      expiresAtMs: Date.now() + 3_600_000,
    };
    this.sessions.set(session.id, session);
    return { ...this.#ok(session), status: 201 };
  }

  #list(): Reply {
    return {
      status: 200,
      body: {
        sessions: [...this.sessions.values()].map((session) => this.#ok(session).body),
        total: this.sessions.size,
        active_sessions: this.sessions.size,
        max_sessions: 2,
        chunk_size_bytes: this.chunkBytes,
        disk_quota_bytes: this.diskQuotaBytes,
        ttl_seconds: 3_600,
      },
    };
  }

  #append(session: Session, { path, headers, body }: Call): Reply {
    const { received, size } = session;
    if (session.status !== 'uploading') return refusal(409, 'usage_import_session_conflict');
    if (Number(path.split('offset=')[1]) !== received.length) return refusal(409, 'usage_import_session_conflict');
    if (received.length > 0 && headers['x-usage-import-prefix-sha256'] !== sha256(received))
      return refusal(409, 'usage_import_session_file_mismatch');
    if (body.length > this.chunkBytes) return refusal(413, 'usage_import_session_too_large');
    session.received = Buffer.concat([received, body]);
    if (session.received.length === size) session.status = 'ready';
    return this.#ok(session);
  }

  #complete(session: Session): Reply {
    const mayBegin = session.status === 'ready' || (session.status === 'failed' && session.retryable);
    if (!mayBegin) return refusal(409, 'usage_import_session_conflict');
    session.status = 'processing';
    this.#polled = 0;
    return { ...this.#ok(session), status: 202 };
  }

  #work(session: Session): void {
    this.#polled += 1;
    if (this.#polled < this.polls) return;
    const end = this.ends.shift() ?? 'completed';
    session.status = end === 'failed and retryable' ? 'failed' : end;
    session.retryable = end === 'failed and retryable';
  }

  #cancel(session: Session): Reply {
    if (session.status === 'processing') return { ...this.#ok(session), status: 202 };
    if (session.status !== 'completed') session.status = 'cancelled';
    return this.#ok(session);
  }

  #ok(session: Session): Reply {
    const ended = session.status === 'completed' || session.status === 'failed';
    const result = {
      format: 'usage_service_jsonl',
      added: 3,
      skipped: 1,
      total: 4,
      failed: 0,
      unsupported: 0,
      warnings: [],
    };
    return {
      status: 200,
      body: {
        id: session.id,
        filename: session.filename,
        status: session.status,
        size_bytes: session.size,
        received_bytes: session.received.length,
        received_prefix_sha256: sha256(session.received),
        chunk_size_bytes: Math.min(this.chunkBytes, session.size),
        created_at_ms: 0,
        updated_at_ms: 0,
        expires_at_ms: session.expiresAtMs,
        retryable: session.retryable,
        has_error: session.status === 'failed',
        ...(session.status === 'failed'
          ? { error: 'the import was interrupted', error_code: 'usage_import_session_failed' }
          : {}),
        ...(ended ? { result } : {}),
      },
    };
  }
}
