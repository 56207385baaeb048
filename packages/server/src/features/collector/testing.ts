import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import type { Collector, CollectorStatus, GapKind } from '../../gateway/collector.ts';
import { createGatewayHttp } from '../../gateway/http-call.ts';
import { createManagementClient } from '../../gateway/management-client.ts';
import { createKeyRefusalGate } from '../../gateway/refusal-gate.ts';
import type { CollectorMode, CollectorSettings, GatewayConnection } from '../../platform/config/config.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import type { OperationClient } from '../../sqlite/contexts.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { createWorkerClient } from '../../sqlite/worker/client.ts';
import { workerEntry } from '../../sqlite/worker/entry.ts';
import { DATABASE_WORKERS } from '../../workers/entries.ts';
import type { Reads } from '../../workers/operations/reads.ts';
import type { Writes } from '../../workers/operations/writes.ts';
import type { ReaderInit } from '../../workers/reader.ts';
import type { WriterInit } from '../../workers/writer.ts';
import { type CollectorLogger, type CollectorStore, createCollectorStore, type Ingest } from './ports.ts';
import { createCollector } from './service.ts';
import type { Heartbeat } from './store.ts';
import type { CollectorTiming } from './timing.ts';

/** Everything that takes seconds in production takes milliseconds here; limits for answers stay generous. */
export const FAST: Partial<CollectorTiming> = {
  dialTimeoutMs: 500,
  commandTimeoutMs: 2_000,
  httpTimeoutMs: 2_000,
  backoffMs: [20, 40, 80],
  longestPollMs: 40,
  batchWaitMs: 20,
  heartbeatMs: 40,
  idleHeartbeatMs: 60,
  gatePollMs: 10,
  stopPatienceMs: 1_000,
  snapshotWaitMs: 300,
  settleMs: 40,
  settlePatienceMs: 2_000,
};

export interface Files {
  readonly directory: string;
  readonly databasePath: string;
  remove(): void;
}

export function temporaryFiles(): Files {
  const directory = mkdtempSync(join(tmpdir(), 'collector-'));
  chmodSync(directory, 0o700);
  const databasePath = join(directory, 'usage.sqlite');
  openMigrated(databasePath, { now: Date.now, tempDirectory: directory }).close();
  return { directory, databasePath, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface ProcessOptions {
  readonly files: Files;
  readonly connection: GatewayConnection;
  readonly mode?: CollectorMode;
  readonly settings?: Partial<CollectorSettings>;
  readonly timing?: Partial<CollectorTiming>;
  readonly now?: () => number;
  /** Of the list of auth files, by `now`. */
  readonly listTiming?: { readonly freshMs: number; readonly minIntervalMs: number };
  /** Changes what reaches the database. */
  readonly ingest?: (real: Ingest) => Ingest;
  readonly store?: (real: CollectorStore) => CollectorStore;
  readonly logger?: CollectorLogger;
}

/** A collector with its workers and clients, as in the manager's process. */
export interface CollectorProcess {
  readonly collector: Collector;
  readonly log: string[];
  start(changes?: { readonly mode?: CollectorMode; readonly connection?: GatewayConnection }): Promise<void>;
  status(): CollectorStatus;
  /** The check of setup and of saving settings. */
  checkKey(): Promise<void>;
  /** Stops the collector cleanly and ends the workers. */
  end(): Promise<void>;
}

export async function startProcess(options: ProcessOptions): Promise<CollectorProcess> {
  const { files } = options;
  const now = options.now ?? Date.now;
  const log: string[] = [];
  let ended = false;
  const logger = options.logger ?? {
    info: (text: string) => log.push(text),
    warn: (text: string) => log.push(text),
    error: (text: string) => log.push(text),
  };
  const writer: OperationClient<Writes> = createWorkerClient({
    name: 'writer',
    entry: workerEntry(DATABASE_WORKERS.writer),
    init: {
      path: files.databasePath,
      hourlyRollup: true,
      preparer: String(workerEntry(DATABASE_WORKERS.preparer)),
    } satisfies WriterInit,
  });
  const reader: OperationClient<Reads> = createWorkerClient({
    name: 'reader',
    entry: workerEntry(DATABASE_WORKERS.reader),
    init: { path: files.databasePath } satisfies ReaderInit,
    stoppable: true,
  });
  const gate = await createKeyRefusalGate({
    now,
    readSetting: async (key) => (await reader.run('getSettings', [key]))[key]?.value ?? null,
    writeSetting: (key, value) => writer.run('putSettings', [{ key, value, updatedAtMs: now() }]),
  });
  const http = createGatewayHttp({ gate, now, instanceId: 'test-instance', dialTimeoutMs: 500 });
  const management = createManagementClient({
    http,
    now,
    authFileTiming: { freshMs: 100, minIntervalMs: 50, timeoutMs: 1_000, ...options.listTiming },
  });
  const ingest: Ingest = (batch) => writer.run('ingest', batch);
  const store = createCollectorStore(writer, reader);
  const collector = createCollector({
    ingest: options.ingest?.(ingest) ?? ingest,
    store: options.store?.(store) ?? store,
    gate,
    http,
    management,
    now,
    logger,
    dataDir: files.directory,
    queue: 'usage',
    timing: { ...FAST, ...options.timing },
  });
  return {
    collector,
    log,
    start: (changes = {}) =>
      collector.start({
        connection: changes.connection ?? options.connection,
        settings: {
          collectorMode: changes.mode ?? options.mode ?? 'auto',
          queue: 'usage',
          popSide: 'right',
          batchSize: 100,
          pollIntervalMs: 20,
          queryLimit: 50_000,
          tlsSkipVerify: false,
          ...options.settings,
        },
      }),
    status: () => collector.status(),
    async checkKey() {
      await management.readConfig(options.connection, { explicit: true });
    },
    async end() {
      if (ended) return;
      ended = true;
      await collector.stop();
      await gate.saved();
      await Promise.all([writer.close(), reader.close()]);
    },
  };
}

/** Request ids of the stored events, sorted; the simulator's numbered events have theirs as id. */
export function storedIds(files: Files): string[] {
  const db = openDatabase(files.databasePath, { readonly: true });
  try {
    return db
      .query<{ request_id: string }, []>('SELECT request_id FROM facts_tail ORDER BY request_id')
      .all()
      .map((row) => row.request_id);
  } finally {
    db.close();
  }
}

export interface StoredGap {
  readonly from_ms: number;
  readonly to_ms: number | null;
  readonly kind: GapKind;
  readonly estimated_lost: number | null;
}

export function storedGaps(files: Files, kind?: GapKind): StoredGap[] {
  const db = openDatabase(files.databasePath, { readonly: true });
  try {
    return db
      .query<StoredGap, []>('SELECT from_ms, to_ms, kind, estimated_lost FROM collection_gaps ORDER BY id')
      .all()
      .filter((gap) => kind === undefined || gap.kind === kind);
  } finally {
    db.close();
  }
}

export function storedDeadLetters(files: Files): { payload: string; error: string }[] {
  const db = openDatabase(files.databasePath, { readonly: true });
  try {
    return db
      .query<{ payload: string; error: string }, []>('SELECT payload, error FROM dead_letters ORDER BY id')
      .all();
  } finally {
    db.close();
  }
}

export function storedHeartbeat(files: Files): Heartbeat | null {
  const db = openDatabase(files.databasePath, { readonly: true });
  try {
    const row = db.query<{ value: string }, []>("SELECT value FROM settings WHERE key = 'collector_heartbeat'").get();
    return row === null ? null : JSON.parse(row.value);
  } finally {
    db.close();
  }
}

/**
 * Waits until it runs and has since reported that nothing is missing: it is subscribed, and the earlier queue is drained.
 */
export async function listening(process: CollectorProcess, files: Files, now: () => number = Date.now): Promise<void> {
  await until(() => process.status().collector === 'running', 'running');
  const sinceMs = now();
  await until(() => {
    const heartbeat = storedHeartbeat(files);
    return heartbeat !== null && heartbeat.timeMs > sinceMs && heartbeat.heardUntilMs === null;
  }, 'drained');
}
