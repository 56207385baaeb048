import { stopPoint } from '../../platform/stop-point.ts';
import { ownTransactions } from '../../sqlite/worker/transactions.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { stepCacheAccounting } from './cache-accounting.ts';
import { stepReceivedTimes } from './received-times.ts';
import { stepResponseMetadata } from './response-metadata.ts';
import {
  CACHE_ACCOUNTING,
  type DataMigrationState,
  DataMigrationUnknown,
  isDone,
  RECEIVED_TIMES,
  RESPONSE_METADATA,
  readState,
  STORED_EVENT_RULES,
  writeFailure,
  writeState,
} from './state.ts';
import type { DataMigrationStep } from './step-result.ts';
import { stepStoredEventRules } from './stored-event-rules.ts';

/** Result for the loop on the main thread. */
export type StepOutcome =
  /** The job is complete. */
  | { readonly kind: 'done' }
  | { readonly kind: 'step'; readonly isFirst: boolean; readonly state: DataMigrationState }
  | { readonly kind: 'seal'; readonly rows: number }
  | { readonly kind: 'failed'; readonly error: string };

const STEPS: ReadonlyMap<string, DataMigrationStep> = new Map([
  [CACHE_ACCOUNTING, stepCacheAccounting],
  [RESPONSE_METADATA, stepResponseMetadata],
  [STORED_EVENT_RULES, stepStoredEventRules],
  [RECEIVED_TIMES, stepReceivedTimes],
]);

const LONGEST_ERROR = 500;

/**
 * Write operation: the next step of the named job. All its changes and its checkpoint are one transaction, so the
 * process may be killed at any time. A failed step leaves only the status `failed`; the next call continues.
 */
export const stepDataMigration = ownTransactions((context: IngestContext, name: string): StepOutcome => {
  const step = STEPS.get(name);
  if (step === undefined) throw new Error(`unknown data migration: ${name}`);
  try {
    const outcome = context.db.transaction(() => run(context, name, step)).immediate();
    stopPoint('data_migration_step_committed');
    return outcome;
  } catch (error) {
    context.events.rolledBack();
    if (error instanceof DataMigrationUnknown) throw error;
    const message = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR);
    context.db.transaction(() => writeFailure(context.db, name, message, context.now())).immediate();
    return { kind: 'failed', error: message };
  }
});

function run(context: IngestContext, name: string, step: DataMigrationStep): StepOutcome {
  if (isDone(context.db, name)) return { kind: 'done' };
  const before = readState(context.db, name);
  const nowMs = context.now();
  const { state: after, sealRows } = step(context, before);
  const state: DataMigrationState = {
    ...after,
    startedAtMs: after.startedAtMs || nowMs,
    updatedAtMs: nowMs,
    finishedAtMs: after.status === 'completed' ? nowMs : 0,
  };
  writeState(context.db, name, state);
  stopPoint('data_migration_step_written');
  return sealRows === undefined
    ? { kind: 'step', isFirst: before.startedAtMs === 0, state }
    : { kind: 'seal', rows: sealRows };
}
