import type { CandidateStatus } from '../../contract/account-actions.ts';

export const CANDIDATE_COMMANDS = ['ignore', 'resolve', 'enable', 'delete'] as const;
/** What the operator can do with a candidate. */
export type CandidateCommand = (typeof CANDIDATE_COMMANDS)[number];

const LEADS_TO: Readonly<Record<CandidateCommand, CandidateStatus>> = {
  ignore: 'ignored',
  resolve: 'resolved',
  enable: 'resolved',
  delete: 'deleted',
};

/** The state after a command; `null` when the candidate is not pending: all other states are final (409). */
export function candidateStatusAfter(status: CandidateStatus, command: CandidateCommand): CandidateStatus | null {
  return status === 'pending' ? LEADS_TO[command] : null;
}

/** Commands that change the account at the gateway, and so need its lock and identity. */
export function changesGateway(command: CandidateCommand): boolean {
  return command === 'enable' || command === 'delete';
}
