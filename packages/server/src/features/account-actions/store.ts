import type { OperationClient } from '../../sqlite/contexts.ts';
import {
  closeCandidate,
  dueAutoDisable,
  dueAutoDisables,
  endAutoDisable,
  findCandidate,
  listCandidates,
  markAutoDisabled,
  markAutoDisableSent,
  setCandidateError,
} from './queries/candidates.ts';

/** Listed in `workers/operations/reads.ts`. */
export const candidateReads = { listCandidates, findCandidate, dueAutoDisables, dueAutoDisable };

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const candidateWrites = {
  markAutoDisableSent,
  markAutoDisabled,
  endAutoDisable,
  closeCandidate,
  setCandidateError,
};

export type CandidateReads = Pick<OperationClient<typeof candidateReads>, 'run'>;
export type CandidateWrites = Pick<OperationClient<typeof candidateWrites>, 'run'>;
