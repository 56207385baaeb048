import type { OperationClient } from '../../sqlite/contexts.ts';
import { beginInspectionRun } from './queries/begin-run.ts';
import {
  cancelInspectionRun,
  finishInspectionRun,
  recoverInspectionRuns,
  writeInspectionProgress,
} from './queries/change-run.ts';
import { inspectedLogins } from './queries/inspected-logins.ts';
import { pruneInspectionRuns } from './queries/prune-runs.ts';
import {
  inspectionAccountTurns,
  inspectionRun,
  inspectionRunDetail,
  inspectionRunResults,
  inspectionRuns,
  lastScheduledInspection,
} from './queries/read-runs.ts';
import { recordInspectionOutcomes } from './queries/record-outcomes.ts';
import { saveInspectionResults } from './queries/save-results.ts';
import { addInspectionLogs } from './queries/write-logs.ts';

/** Listed in `workers/operations/reads.ts`. */
export const inspectionReads = {
  inspectionRuns,
  inspectionRun,
  inspectionRunDetail,
  inspectionRunResults,
  lastScheduledInspection,
  inspectionAccountTurns,
  inspectedLogins,
};

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const inspectionWrites = {
  beginInspectionRun,
  writeInspectionProgress,
  cancelInspectionRun,
  finishInspectionRun,
  recoverInspectionRuns,
  saveInspectionResults,
  recordInspectionOutcomes,
  addInspectionLogs,
  pruneInspectionRuns,
};

export type InspectionReads = Pick<OperationClient<typeof inspectionReads>, 'run'>;
export type InspectionWrites = Pick<OperationClient<typeof inspectionWrites>, 'run'>;
