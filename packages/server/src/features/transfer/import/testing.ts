import { afterEach, setDefaultTimeout } from 'bun:test';
import type { UsageEvent } from '@manager/core/usage/event';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import { buffersOf } from '../../../events/ingest/packed-events.ts';
import { checkInvariants } from '../../../events/invariants/invariants.ts';
import { ADMIN, recordingLog, startTestServer, type TestServer } from '../../../http/testing.ts';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { openStore, prepareStore, type Store } from '../../../workers/store.ts';
import { createExportGate } from '../export/export-gate.ts';
import { eventsRoutes } from '../export/routes.ts';
import { createImporter, type ImporterDeps } from './create-importer.ts';
import type { Importer } from './importer.ts';
import { startImportWorker } from './reader/import-worker.ts';
import { importRoutes } from './routes.ts';

export const IMPORT_PATH = '/v0/management/usage/import';

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
type Insert = ImporterDeps['insert'];

interface ImportRigOptions {
  readonly segmentRows?: number;
  /** Wraps the insert of the store. */
  readonly around?: (insert: Insert) => Insert;
}

/** Import and export with a real listener, a real database and real workers. */
interface ImportRig {
  readonly folder: TestFolder;
  readonly store: Store;
  readonly importer: Importer;
  readonly server: TestServer;
  readonly log: ReturnType<typeof recordingLog>;
  send(body: Body, headers?: Record<string, string>): Promise<Response>;
  /** Sends and expects 200. */
  import(body: NonNullable<Body>): Promise<Record<string, unknown>>;
  export(): Promise<string>;
  /** Every stored event in order of arrival. */
  stored(): UsageEvent[];
  count(table: string): number;
  /** The violated invariants of the database. */
  faults(): readonly string[];
  stop(): Promise<void>;
}

function startImportRig(options: ImportRigOptions = {}): ImportRig {
  const folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('.') });
  const store = openStore({
    path,
    hourlyRollup: true,
    now: Date.now,
    log: { info: () => {}, error: () => {} },
    ...(options.segmentRows === undefined ? {} : { segmentRows: options.segmentRows }),
  });
  const log = recordingLog();
  const insert: Insert = (batch) =>
    store.writer.run('importEvents', batch, { priority: 'background', transfer: buffersOf(batch) });
  const importer = createImporter({
    startWorker: startImportWorker,
    insert: options.around?.(insert) ?? insert,
    spoolDirectory: folder.path('usage-imports'),
    log,
  });
  const server = startTestServer({
    handlers: {
      imports: importRoutes({ importer, log }),
      usage: eventsRoutes({
        reads: store.reader,
        queryLimit: () => 0,
        exports: createExportGate(),
        log: { warn: () => {} },
      }),
    },
  });

  function reading<T>(read: (db: ReturnType<typeof openDatabase>) => T): T {
    const db = openDatabase(path, { readonly: true });
    try {
      return read(db);
    } finally {
      db.close();
    }
  }

  function send(body: Body, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(server.url + IMPORT_PATH, {
      method: 'POST',
      headers: { ...ADMIN, ...headers },
      body,
      keepalive: false,
    });
  }

  return {
    folder,
    store,
    importer,
    server,
    log,
    send,
    async import(body) {
      const answer = await send(body);
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    async export() {
      const answer = await fetch(`${server.url}/v0/management/usage/export`, { headers: ADMIN });
      return answer.text();
    },
    stored: () =>
      reading((db) => {
        const decode = eventDecoder(db);
        const rows = db.query<{ detail: Uint8Array }, []>('SELECT detail FROM usage_events ORDER BY id').all();
        return rows.map((row) => decode(row.detail));
      }),
    count: (table) =>
      reading((db) => db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0),
    faults: () => reading(checkInvariants),
    async stop() {
      await server.stop();
      await store.close();
      folder.dispose();
    },
  };
}

/** A line of a small exported record. */
export function lineOf(hash: string, members: object = {}): string {
  const timestamp_ms = 1_788_000_000_000;
  return JSON.stringify({ event_hash: hash, timestamp_ms, model: 'acme', input_tokens: 5, ...members });
}

/** Lines with the hashes `prefix 0`, `prefix 1`, … */
export function linesOf(count: number, prefix = 'event'): string {
  return Array.from({ length: count }, (_, index) => `${lineOf(`${prefix} ${index}`)}\n`).join('');
}

export async function answerOf(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

/** The result of an empty import. */
export const RESULT = {
  format: 'usage_service_jsonl',
  added: 0,
  skipped: 0,
  total: 0,
  failed: 0,
  unsupported: 0,
  warnings: [],
};

/** Rigs of a test file: each is stopped after its test. Real workers and files are slow on a busy machine. */
export function importRigs(): (options?: ImportRigOptions) => ImportRig {
  setDefaultTimeout(180_000);
  const rigs: ImportRig[] = [];
  afterEach(async () => {
    for (const rig of rigs.splice(0)) await rig.stop();
  });
  return (options = {}) => {
    const rig = startImportRig(options);
    rigs.push(rig);
    return rig;
  };
}
