import type { WriterContext } from '../../sqlite/contexts.ts';
import { ownTransactions } from '../../sqlite/worker/transactions.ts';
import { type DeadLetter, insertDeadLetters } from './dead-letters.ts';
import type { EventWriter } from './event-writer.ts';
import { HEAVY_BATCH_BYTES, type ImportInserter, type ImportInsertResult } from './import-events.ts';
import type { IngestArgs, Ingester, IngestResult } from './ingest.ts';
import type { PackedEvents } from './packed-events.ts';

/** Context of the operations that insert events: what the writer keeps in memory between batches. */
export interface IngestContext extends WriterContext {
  readonly ingester: Ingester;
  readonly imports: ImportInserter;
  readonly events: EventWriter;
}

/** Normalizes, identifies and stores a batch of raw records in one transaction. */
export const ingest = ownTransactions((context: IngestContext, args: IngestArgs): IngestResult => {
  const result = context.ingester.ingest(args);
  collectGarbage(args.records.reduce((sum, { text }) => sum + text.length, 0));
  return result;
});

/** Stores a batch of an import. */
export const importEvents = ownTransactions((context: IngestContext, events: PackedEvents): ImportInsertResult => {
  const result = context.imports.insertPacked(events);
  collectGarbage(events.bytes.length);
  return result;
});

/** Large texts stay as garbage for longer than the memory limit allows. */
function collectGarbage(batchBytes: number): void {
  if (batchBytes >= HEAVY_BATCH_BYTES) Bun.gc(true);
}

/** Stores records that a reader cannot parse, for example oversized ones. Returns how many old ones were removed. */
export function recordDeadLetters(
  context: WriterContext,
  letters: readonly DeadLetter[],
): { readonly droppedDeadLetters: number } {
  return { droppedDeadLetters: insertDeadLetters(context.db, letters, context.now()) };
}
