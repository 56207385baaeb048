import { SUPERSEDED } from '@manager/core/accounts/failures/confirmation';
import type {
  AccountActionCandidate,
  CandidateAction,
  CandidateEvidence,
  CandidateStatus,
} from '@manager/core/contract/account-actions';
import type { Masker } from '../../platform/format/mask.ts';
import type { Word } from '../../ui/display/status.tsx';
import type { AccountActionsSearch } from './account-actions-search.ts';

const TYPE_WORDS: Readonly<Record<CandidateAction, Word>> = {
  delete: { label: 'actionType.delete', tone: 'bad' },
  reauth: { label: 'actionType.reauth', tone: 'warn' },
  review: { label: 'actionType.review', tone: 'unknown' },
};

const STATUS_WORDS: Readonly<Record<CandidateStatus, Word>> = {
  pending: { label: 'actionStatus.pending', tone: 'wait' },
  ignored: { label: 'actionStatus.ignored', tone: 'off' },
  resolved: { label: 'actionStatus.resolved', tone: 'okQuiet' },
  deleted: { label: 'actionStatus.deleted', tone: 'off' },
};

/** null = a type of a later version, which is shown unchanged. */
export function typeWord(type: string): Word | null {
  return Object.hasOwn(TYPE_WORDS, type) ? TYPE_WORDS[type as CandidateAction] : null;
}

const CONFIRMING: Word = { label: 'actionStatus.confirming', tone: 'wait' };

/** null = a status of a later version, which is shown unchanged. */
export function statusWord(status: string): Word | null {
  return Object.hasOwn(STATUS_WORDS, status) ? STATUS_WORDS[status as CandidateStatus] : null;
}

/** As `statusWord`; a failure may still prove to be none. */
export function stateWord({ status, confirmingUntilMs }: AccountActionCandidate): Word | null {
  return confirmingUntilMs === undefined ? statusWord(status) : CONFIRMING;
}

/** Code of the reason for its state: a success that withdrew it, else the failure. */
export function reasonCodeOf({ reason, reasonCode }: AccountActionCandidate): string | undefined {
  return reason === SUPERSEDED ? SUPERSEDED : reasonCode;
}

export interface Possible {
  readonly decide: boolean;
  readonly change: boolean;
}

/** Only pending items can be decided; all other states are final. For an unknown type nothing is changed at the gateway. */
export function possibleActions({ status, actionType }: AccountActionCandidate): Possible {
  const decide = status === 'pending';
  return { decide, change: decide && typeWord(actionType) !== null };
}

/** Name: the account, else its label, else nothing. */
export function accountOf({ accountSnapshot, authLabel, accountIdSnapshot }: AccountActionCandidate): string {
  return accountSnapshot || authLabel || accountIdSnapshot || '';
}

/** Rows of the filters that the server does not apply; texts match by part, case-insensitively. */
export function filterCandidates(
  candidates: readonly AccountActionCandidate[],
  { status, type, provider, search }: AccountActionsSearch,
): readonly AccountActionCandidate[] {
  const needle = search.toLocaleLowerCase();
  return candidates.filter(
    (candidate) =>
      // Until the next answer, the rows of the previous status are still here.
      (status === '' || candidate.status === status) &&
      (type === '' || candidate.actionType === type) &&
      (provider === '' || (candidate.provider ?? '') === provider) &&
      (needle === '' || haystack(candidate).includes(needle)),
  );
}

function haystack(candidate: AccountActionCandidate): string {
  const { authFileName, authIndex, accountSnapshot, accountIdSnapshot, authLabel, reason, reasonCode } = candidate;
  return [authFileName, authIndex, accountSnapshot, accountIdSnapshot, authLabel, reason, reasonCode]
    .join('\n')
    .toLocaleLowerCase();
}

/** Options of a filter: those of the rows, and the chosen one even if no row has it. */
export function choicesOf(values: readonly (string | undefined)[], chosen: string): readonly string[] {
  const all = new Set(values.filter((value) => value !== undefined && value !== ''));
  if (chosen !== '') all.add(chosen);
  return [...all].filter((value) => value !== undefined).sort((a, b) => a.localeCompare(b));
}

/** The evidence as JSON, masked by the rules of the screen. */
export function evidenceJson(evidence: CandidateEvidence, masker: Masker): string {
  const masks: Partial<Record<keyof CandidateEvidence, (text: string) => string>> = {
    accountSnapshot: masker.account,
    authLabel: masker.account,
    accountIdSnapshot: masker.project,
    authFileName: masker.file,
  };
  return JSON.stringify(
    evidence,
    (key, value: unknown) =>
      typeof value === 'string' ? (masks[key as keyof CandidateEvidence] ?? masker.text)(value) : value,
    2,
  );
}
