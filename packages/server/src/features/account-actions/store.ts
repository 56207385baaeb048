import type { OperationClient } from '../../sqlite/contexts.ts';
import {
  closeCandidate,
  findCandidate,
  holdAutoDisabled,
  listCandidates,
  setCandidateError,
} from './queries/candidates.ts';
import {
  areEventsUnread,
  confirmCandidates,
  disabledCandidates,
  dueConfirmations,
  handledLogins,
  lastUnreadEvent,
  nextConfirmation,
  supersedeCandidate,
} from './queries/confirmations.ts';
import { lastSuccesses } from './queries/successes.ts';

/** Listed in `workers/operations/reads.ts`. */
export const candidateReads = {
  listCandidates,
  findCandidate,
  dueConfirmations,
  nextConfirmation,
  disabledCandidates,
  lastUnreadEvent,
  areEventsUnread,
  handledLogins,
  lastSuccesses,
};

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const candidateWrites = {
  holdAutoDisabled,
  closeCandidate,
  setCandidateError,
  confirmCandidates,
  supersedeCandidate,
};

export type CandidateReads = Pick<OperationClient<typeof candidateReads>, 'run'>;
export type CandidateWrites = Pick<OperationClient<typeof candidateWrites>, 'run'>;
