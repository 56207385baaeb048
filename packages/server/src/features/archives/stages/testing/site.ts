import type { Database } from 'bun:sqlite';
import { cpSync, mkdirSync } from 'node:fs';
import { sampleRecords } from '../../../../events/testing/sample-records.ts';
import { records } from '../../../../events/testing/test-ingester.ts';
import type { PrivateDirectory } from '../../../../platform/files/private-directory.ts';
import { createTestFolder, type TestFolder } from '../../../../platform/testing/test-folder.ts';
import { openDatabase } from '../../../../sqlite/open.ts';
import { openStore, prepareStore, type Store } from '../../../../workers/store.ts';
import { createExportGate, type ExportGate } from '../../../transfer/export/export-gate.ts';
import { openArchivesDirectory } from '../../files/directory.ts';
import { SEGMENT_LIMITS } from '../../files/segment-writer.ts';
import { createArchiveStages } from '../create-stages.ts';
import type { ArchiveStage, ArchiveStages, StageContext, StageProgress } from '../stage.ts';

export const RUN_ID = '0199a000000070008000000000000001';
/** Time of the first sample event. */
export const START_MS = Date.UTC(2026, 8, 1);
/** 2026-11-01, after every sample event. */
export const CUTOFF_MS = Date.UTC(2026, 10, 1);
/** The clock of the stages. */
export const NOW_MS = Date.UTC(2026, 10, 2);

/** A database with events and the stages on it, without runner and routes. */
export interface ArchiveSite {
  readonly folder: TestFolder;
  readonly store: Store;
  readonly stages: ArchiveStages;
  readonly directory: PrivateDirectory;
  readonly exports: ExportGate;
  /** All reported progress, in order. */
  readonly progress: StageProgress[];
  /** A write connection for the test. */
  readonly db: Database;
  ingest(texts: readonly string[]): Promise<void>;
  /** Creates a run of all eligible events, as `previewed`. */
  createRun(options?: { readonly id?: string; readonly cutoffMs?: number }): void;
  /** Enters the stage and runs it as the runner would; after a failure the run stays in the stage. */
  run(stage: ArchiveStage, options?: ContextOptions): Promise<void>;
  context(options?: ContextOptions): StageContext;
  runRow(id?: string): Record<string, unknown>;
  /** Absolute path of a file of the run. */
  file(name: string): string;
  /** Stops everything; removes the folder too unless it is kept. */
  close(options?: { readonly keep: boolean }): Promise<void>;
}

interface ContextOptions {
  readonly id?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: StageProgress) => void;
}

export interface SiteOptions {
  /** A site that was closed and kept: this one starts with a copy of its files. */
  readonly copyOf?: ArchiveSite;
  readonly events?: number;
  readonly stepMs?: number;
  /** Facts of a segment. */
  readonly segmentRows?: number;
  /** Events per archive segment. */
  readonly segmentEvents?: number;
}

export async function createArchiveSite(options: SiteOptions = {}): Promise<ArchiveSite> {
  const folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  if (options.copyOf !== undefined) cpSync(options.copyOf.folder.path('.'), folder.path('.'), { recursive: true });
  mkdirSync(folder.path('temp'), { recursive: true });
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('temp') });
  const store = openStore({
    path,
    hourlyRollup: true,
    now: Date.now,
    log: { info: () => {}, error: (text) => console.error(text) },
    ...(options.segmentRows === undefined ? {} : { segmentRows: options.segmentRows }),
  });
  // The checks at start are over before a test changes what they would find.
  await store.catchUpHourlyRollup();
  await store.writer.run('fillHeaderSnapshots', null, { priority: 'background' });
  const db = openDatabase(path);
  const directory = await openArchivesDirectory(folder.path('.'), 'usage-archives');
  const exports = createExportGate();
  const stages = createArchiveStages({
    databasePath: path,
    directory,
    reads: store.reader,
    writes: store.writer,
    migrations: {
      accountingCompleted: async () => (await store.reader.run('dataMigration', null)).status === 'completed',
      step: (name) => store.writer.run('stepDataMigration', name, { priority: 'background' }),
      sealOldest: store.sealOldest,
    },
    withoutExports: exports.alone,
    now: () => NOW_MS,
    ...(options.segmentEvents === undefined
      ? {}
      : { segmentLimits: { ...SEGMENT_LIMITS, events: options.segmentEvents } }),
  });
  const progress: StageProgress[] = [];

  async function ingest(texts: readonly string[]): Promise<void> {
    for (let from = 0; from < texts.length; from += 1_000) {
      await store.writer.run('ingest', { records: records(...texts.slice(from, from + 1_000)) });
    }
  }

  function context({
    signal = new AbortController().signal,
    id = RUN_ID,
    onProgress,
  }: ContextOptions = {}): StageContext {
    return {
      runId: id,
      signal,
      progress: async (step) => {
        progress.push(step);
        onProgress?.(step);
      },
    };
  }

  const next = sampleRecords({ seed: 5, startMs: START_MS, stepMs: options.stepMs ?? 2_000, accounts: 20, keys: 10 });
  await ingest(Array.from({ length: options.events ?? 0 }, next));

  return {
    folder,
    store,
    stages,
    directory,
    exports,
    progress,
    db,
    ingest,
    context,
    createRun({ id = RUN_ID, cutoffMs = CUTOFF_MS } = {}) {
      db.query(
        `INSERT INTO usage_archive_runs (
           id, mode, schema_version, format, status, cutoff_timestamp_ms, target_event_id, event_count, estimated_bytes,
           created_at_ms, updated_at_ms
         )
         SELECT ?1, 'manual', 1, 'gzip-jsonl-v1', 'previewed', ?2, max(id), count(*), 0, ?3, ?3
         FROM usage_events
         WHERE timestamp_ms < ?2
           AND id NOT IN (SELECT raw_event_id FROM usage_archive_event_refs)`,
      ).run(id, cutoffMs, NOW_MS);
    },
    async run(stage, { id = RUN_ID, ...others } = {}) {
      const passed = context({ id, ...others });
      await stages.prepare(stage, passed);
      db.query('UPDATE usage_archive_runs SET status = ? WHERE id = ?').run(stage, id);
      db.query(
        `INSERT OR REPLACE INTO usage_maintenance_locks (name, run_number, operation, acquired_at_ms, updated_at_ms)
         SELECT 'usage_archive', number, ?, 1, 1 FROM usage_archive_runs WHERE id = ?`,
      ).run(stage, id);
      await stages.run(stage, passed);
    },
    runRow: (id = RUN_ID) =>
      db.query<Record<string, unknown>, [string]>('SELECT * FROM usage_archive_runs WHERE id = ?').get(id) ?? {},
    file: (name) => folder.path(`usage-archives/${RUN_ID}/${name}`),
    async close({ keep } = { keep: false }) {
      await stages.close();
      db.close();
      await store.close();
      if (!keep) folder.dispose();
    },
  };
}
