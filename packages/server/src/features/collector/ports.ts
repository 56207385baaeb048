import type { DeadLetter } from '../../events/ingest/dead-letters.ts';
import type { IngestArgs, IngestResult } from '../../events/ingest/ingest.ts';
import type { recordDeadLetters } from '../../events/ingest/operations.ts';
import type { OperationClient } from '../../sqlite/contexts.ts';
import type {
  BeginArgs,
  BeginResult,
  collectorReads,
  collectorWrites,
  GapSummary,
  Heartbeat,
  SaveGapArgs,
} from './store.ts';

/**
 * Normalizes, identifies and inserts a batch in one transaction. A record that can never be stored becomes a dead letter; a
 * rejection means that nothing was committed and that the same batch may work later.
 */
export type Ingest = (batch: IngestArgs) => Promise<IngestResult>;

/** What the collector stores in the database besides events. */
export interface CollectorStore {
  begin(args: BeginArgs): Promise<BeginResult>;
  heartbeat(heartbeat: Heartbeat): Promise<void>;
  saveGap(gap: SaveGapArgs): Promise<{ readonly id: number }>;
  recordDeadLetters(letters: readonly DeadLetter[]): Promise<{ readonly droppedDeadLetters: number }>;
  gapSummary(): Promise<GapSummary>;
}

/** The store on the workers of the process. */
export function createCollectorStore(
  writer: Pick<
    OperationClient<typeof collectorWrites & { readonly recordDeadLetters: typeof recordDeadLetters }>,
    'run'
  >,
  reader: Pick<OperationClient<typeof collectorReads>, 'run'>,
): CollectorStore {
  return {
    begin: (args) => writer.run('beginCollecting', args),
    heartbeat: (heartbeat) => writer.run('writeHeartbeat', heartbeat),
    saveGap: (gap) => writer.run('saveGap', gap),
    recordDeadLetters: (letters) => writer.run('recordDeadLetters', letters),
    gapSummary: () => reader.run('gapSummary', undefined),
  };
}

export interface CollectorLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
