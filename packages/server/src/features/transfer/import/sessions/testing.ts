import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ErrorBody } from '@manager/core/contract/errors';
import {
  IMPORT_PREFIX_HEADER,
  IMPORT_SESSIONS_PATH,
  type ImportSessionResponse,
  importSessionSchema,
} from '@manager/core/contract/transfer/import-sessions';
import { ADMIN, startTestServer, type TestServer } from '../../../../http/testing.ts';
import { type ImportCounts, type Importer, ImportInterrupted, type ImportOptions } from '../importer.ts';
import { createImportSessionRoutes } from './routes.ts';
import { createImportSessions, type ImportSessions, type ImportSessionsDeps } from './service.ts';

export const START_MS = 1_767_225_600_000;
export const HOUR_MS = 3_600_000;

export function countsOf(counts: Partial<ImportCounts> = {}): ImportCounts {
  const none = { added: 0, skipped: 0, failed: 0, unsupported: 0, warnings: [], failures: [] };
  return { format: 'usage_service_jsonl', ...none, ...counts };
}

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export interface Answer {
  readonly status: number;
  readonly body: ImportSessionResponse;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly error: string;
}

type Settings = Partial<Omit<ImportSessionsDeps, 'directory' | 'importer' | 'now' | 'newId' | 'log'>>;

/** The endpoints with a real listener and real files. The test's importer decides how an import ends. */
export class SessionsUnderTest {
  readonly folder = mkdtempSync(join(tmpdir(), 'manager-imports-'));
  readonly directory = join(this.folder, 'usage-imports');
  nowMs = START_MS;
  /** Default: every line is a new event. */
  import: Importer['run'] = async (source) => {
    const text = source.kind === 'file' ? readFileSync(source.path, 'utf8') : '';
    return countsOf({ added: text.split('\n').filter((line) => line !== '').length });
  };
  #server: TestServer;
  #sessions: ImportSessions;
  #ids = 0;

  constructor(readonly settings: Settings = {}) {
    [this.#sessions, this.#server] = this.#start();
  }

  #start(): [ImportSessions, TestServer] {
    const log = {
      info() {},
      warn: (fields: object, message: string) => void this.warnings.push({ ...fields, message }),
    };
    const sessions = createImportSessions({
      directory: this.directory,
      chunkBytes: 8,
      diskQuotaBytes: 1000,
      maxSessions: 2,
      ttlMs: HOUR_MS,
      importer: { run: (source, options) => this.import(source, options) },
      now: () => this.nowMs,
      newId: () => `${(++this.#ids).toString().padStart(8, '0')}-0000-7000-8000-000000000000`,
      log,
      ...this.settings,
    });
    sessions.start();
    return [sessions, startTestServer({ handlers: { importSessions: createImportSessionRoutes(sessions) } })];
  }

  readonly warnings: object[] = [];

  get url(): string {
    return this.#server.url + IMPORT_SESSIONS_PATH;
  }

  get server(): TestServer {
    return this.#server;
  }

  /** A clean stop; then changes of the files by the test, and a new start. */
  async restart(between: () => void = () => {}, settings: Settings = {}): Promise<void> {
    await this.stop();
    between();
    Object.assign(this.settings, settings);
    [this.#sessions, this.#server] = this.#start();
  }

  async stop(): Promise<void> {
    await this.#sessions.stop();
    await this.#server.stop(0);
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async call(method: string, path = '', init: BunFetchRequestInit = {}): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(this.url + path, { ...init, method, headers: { ...ADMIN, ...init.headers } });
    return { status: answer.status, body: await answer.json() };
  }

  async ask(method: string, path = '', init: BunFetchRequestInit = {}): Promise<Answer> {
    const { status, body } = await this.call(method, path, init);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return { status, body: importSessionSchema.parse(body) };
  }

  /** A request that must fail. */
  async refused(method: string, path = '', init: BunFetchRequestInit = {}): Promise<Refusal> {
    const { status, body } = await this.call(method, path, init);
    if (status < 400) throw new Error(`${method} ${path} was not refused: ${JSON.stringify(body)}`);
    const { code, error } = body as ErrorBody;
    return { status, code, error };
  }

  async create(request: Record<string, unknown>): Promise<ImportSessionResponse> {
    const { status, body } = await this.ask('POST', '', { body: JSON.stringify({ filename: 'a.jsonl', ...request }) });
    if (status !== 201) throw new Error(`created with ${status}`);
    return body;
  }

  chunk(offset: number, bytes: string, before: string | null = null): [string, BunFetchRequestInit] {
    const headers = before === null ? {} : { [IMPORT_PREFIX_HEADER]: sha256(before) };
    return [`/chunk?offset=${offset}`, { body: bytes, headers }];
  }

  /** Creates a session and sends the text in chunks of 8 bytes, up to `bytes`. */
  async uploaded(text: string, bytes = text.length): Promise<ImportSessionResponse> {
    let session = await this.create({ size_bytes: text.length });
    for (let at = 0; at < bytes; at += 8) {
      const [path, init] = this.chunk(at, text.slice(at, Math.min(at + 8, bytes)), at === 0 ? null : text.slice(0, at));
      session = (await this.ask('PUT', `/${session.id}${path}`, init)).body;
    }
    return session;
  }

  async read(id: string): Promise<ImportSessionResponse> {
    return (await this.ask('GET', `/${id}`)).body;
  }

  /** Waits until it is not processing. */
  async ended(id: string): Promise<ImportSessionResponse> {
    for (;;) {
      const session = await this.read(id);
      if (session.status !== 'processing') return session;
      await Bun.sleep(2);
    }
  }

  /** File names once the bytes of a session are gone: they are removed just after its metadata has ended. */
  async filesWithoutPart(id: string): Promise<string[]> {
    const deadline = Date.now() + 15_000;
    while (existsSync(this.part(id)) && Date.now() < deadline) await Bun.sleep(2);
    return this.files();
  }

  files(): string[] {
    return existsSync(this.directory) ? readdirSync(this.directory).toSorted() : [];
  }

  part(id: string): string {
    return join(this.directory, `${id}.part`);
  }

  metadata(id: string): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.directory, `${id}.json`), 'utf8')) as Record<string, unknown>;
  }

  editMetadata(id: string, changes: Record<string, unknown>): void {
    writeFileSync(join(this.directory, `${id}.json`), JSON.stringify({ ...this.metadata(id), ...changes }));
  }
}

/** An import that continues until the test ends it; it stops on abort, as the real one does after a batch. */
export function heldImport(sessions: SessionsUnderTest, counts: Partial<ImportCounts> = {}) {
  const end = Promise.withResolvers<ImportCounts>();
  let begun = 0;
  sessions.import = async (_, { signal, onCounts }: ImportOptions = {}) => {
    begun += 1;
    onCounts?.(countsOf(counts));
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () =>
        reject(new ImportInterrupted(countsOf(counts), { aborted: true, cause: signal.reason })),
      );
    });
    return Promise.race([end.promise, aborted]);
  };
  return { finish: (result: Partial<ImportCounts>) => end.resolve(countsOf(result)), begun: () => begun };
}

export async function complete(sessions: SessionsUnderTest, id: string): Promise<[number, ImportSessionResponse]> {
  const { status, body } = await sessions.ask('POST', `/${id}/complete`);
  return [status, body];
}
