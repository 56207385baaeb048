import type { IngestContext } from '../ingest/operations.ts';
import type { DataMigrationState } from './state.ts';

/** One step of a job: at most 1,000 events. Runs inside a write transaction that also stores the new state. */
export type DataMigrationStep = (context: IngestContext, state: DataMigrationState) => StepResult;

export interface StepResult {
  readonly state: DataMigrationState;
  /** Facts of the tail that must be sealed before the next step, oldest first. */
  readonly sealRows?: number;
}
