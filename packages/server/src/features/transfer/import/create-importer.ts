import type { Word } from '../../../events/detail/word-mirror.ts';
import { HEAVY_BATCH_BYTES, type ImportInsertResult } from '../../../events/ingest/import-events.ts';
import type { PackedEvents } from '../../../events/ingest/packed-events.ts';
import type { OperationClient } from '../../../sqlite/contexts.ts';
import { createFeeder, type Feeder } from './feeder.ts';
import {
  type ImportCounts,
  type Importer,
  ImportInterrupted,
  type ImportOptions,
  ImportRefused,
  type ImportSource,
} from './importer.ts';
import type { ImportStep } from './reader/batches.ts';
import type { ImportOperations, NextArgs } from './reader/operations.ts';
import type { RecordRemark } from './reader/record-remarks.ts';
import { createSlots } from './slots.ts';

export interface ImporterDeps {
  /** A worker for one payload. */
  readonly startWorker: () => OperationClient<ImportOperations>;
  /** Stores a batch, at a lower priority than waiting requests. Takes ownership of the batch. */
  readonly insert: (batch: PackedEvents) => Promise<ImportInsertResult>;
  readonly spoolDirectory: string;
  readonly log: ImportLog;
}

export interface ImportLog {
  warn(fields: object, message: string): void;
}

/** Payloads read at once; others wait. Each uses a thread, and all share one writer. */
const RUNNING_IMPORTS = 2;

const NOTHING: ImportCounts = {
  format: null,
  added: 0,
  skipped: 0,
  failed: 0,
  unsupported: 0,
  warnings: [],
  failures: [],
};

export function createImporter(deps: ImporterDeps): Importer {
  const slots = createSlots(RUNNING_IMPORTS);
  return {
    async run(source, options = {}) {
      const release = await slots.take(options.signal).catch((error: unknown) => {
        throw new ImportInterrupted(NOTHING, { aborted: true, cause: error });
      });
      try {
        return await importPayload(deps, source, options);
      } finally {
        release();
      }
    },
  };
}

async function importPayload(deps: ImporterDeps, source: ImportSource, options: ImportOptions): Promise<ImportCounts> {
  const { signal } = options;
  const progress = createProgress(options);
  const worker = deps.startWorker();
  const feeder = createFeeder(source, signal);
  try {
    await worker.run('open', source.kind === 'file' ? source : { kind: 'stream', spoolDirectory: deps.spoolDirectory });
    const refused = await readAndStore(deps, worker, feeder, progress, signal);
    if (refused === null) return progress.counts();
    throw new ImportRefused(refused, progress.counts());
  } catch (error) {
    if (error instanceof ImportRefused) throw error;
    const aborted = signal?.aborted === true;
    throw new ImportInterrupted(progress.counts(), { aborted, cause: aborted ? signal.reason : error });
  } finally {
    feeder.close();
    report(deps.log, progress);
    await worker.close();
  }
}

/**
 * While one batch is stored and another one waits, the next one is read, unless one of them is heavy. Returns why the payload was refused, or
 * `null`.
 */
async function readAndStore(
  deps: ImporterDeps,
  worker: OperationClient<ImportOperations>,
  feeder: Feeder,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const stores = createStores(deps.insert, progress, signal);
  try {
    for (let needsInput = false; ; ) {
      const input = needsInput ? await feeder.next() : null;
      // After an abort the cut input looks like its end.
      signal?.throwIfAborted();
      const step: ImportStep = await worker.run('next', { input, ...stores.news() });
      signal?.throwIfAborted();
      progress.read(step);
      if (step.batch !== null) await stores.add(step.batch);
      if (step.state === 'refused') return step.message;
      if (step.state === 'done') return null;
      needsInput = step.state === 'needs_input';
    }
  } finally {
    // The counts include the last batch, however this ends.
    await stores.end();
  }
}

/** Batches on their way to the database, one after the other. After a failure or an abort no later one is stored. */
interface Stores {
  /** Resolves when the next batch may be read. */
  add(batch: PackedEvents): Promise<void>;
  /** What the reader needs to know of the batches. */
  news(): Pick<NextArgs, 'words' | 'open'>;
  /** Rejects when a batch could not be stored. */
  end(): Promise<void>;
}

function createStores(insert: ImporterDeps['insert'], progress: Progress, signal: AbortSignal | undefined): Stores {
  let words: Word[] = [];
  let open = 0;
  let last: Promise<void> = Promise.resolve();

  async function store(batch: PackedEvents, before: Promise<void>): Promise<void> {
    await before;
    signal?.throwIfAborted();
    const result = await insert(batch);
    open -= 1;
    words.push(...result.words);
    progress.stored(result);
  }

  return {
    async add(batch) {
      const before = last;
      const isHeavy = batch.bytes.length >= HEAVY_BATCH_BYTES;
      open += 1;
      last = store(batch, before);
      // Awaited later; until then a failure must not be an unhandled rejection.
      last.catch(() => undefined);
      await (isHeavy ? last : before);
    },
    news() {
      const news = { words, open };
      words = [];
      return news;
    },
    end: () => last,
  };
}

interface Progress {
  read(step: ImportStep): void;
  stored(result: ImportInsertResult): void;
  counts(): ImportCounts;
  readonly failures: readonly RecordRemark[];
  readonly noted: readonly RecordRemark[];
  notes(): readonly string[];
}

function createProgress({ onCounts }: ImportOptions): Progress {
  const failures: RecordRemark[] = [];
  const noted: RecordRemark[] = [];
  let read: Omit<ImportCounts, 'added' | 'skipped' | 'failures'> = NOTHING;
  let notes: readonly string[] = [];
  let added = 0;
  let skipped = 0;
  let notStored = 0;

  function counts(): ImportCounts {
    const { format, failed, unsupported, warnings } = read;
    return { format, added, skipped, failed: failed + notStored, unsupported, warnings, failures };
  }

  return {
    failures,
    noted,
    notes: () => notes,
    read(step) {
      read = step;
      notes = step.notes;
      failures.push(...step.failures);
      noted.push(...step.noted);
    },
    stored(result) {
      added += result.added;
      skipped += result.skipped;
      notStored += result.failed;
      onCounts?.(counts());
    },
    counts,
  };
}

function report(log: ImportLog, progress: Progress): void {
  const { failed } = progress.counts();
  const notes = progress.notes();
  const told = (remarks: readonly RecordRemark[]) => remarks.map(({ where, reason }) => `${where}: ${reason}`);
  if (failed > 0) {
    log.warn({ failed, first: told(progress.failures) }, 'import: events that could not be read or stored');
  }
  if (notes.length > 0) {
    log.warn({ notes, first: told(progress.noted) }, 'import: events that were changed when stored');
  }
}
