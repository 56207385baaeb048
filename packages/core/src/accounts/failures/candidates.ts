import type { CandidateAction, CandidateEvidence, CandidateStatus } from '../../contract/account-actions.ts';
import type { CandidateReport } from './candidate.ts';
import { confirmedAtMs, isDeactivation } from './confirmation.ts';

/** A stored candidate. '' = unknown. */
export interface CandidateRow {
  readonly id: number;
  readonly status: CandidateStatus;
  readonly file: string;
  readonly provider: string;
  readonly authIndex: string;
  readonly accountId: string;
  readonly accountSnapshot: string;
  readonly authLabel: string;
  readonly actionType: CandidateAction;
  readonly reasonCode: string;
  readonly reason: string;
  readonly autoDisableEligible: boolean;
  readonly autoDisabledAtMs: number | null;
  /** Until then a success may show that the account works; null = confirmed. */
  readonly confirmingUntilMs: number | null;
  /** Null when the stored text is unreadable. */
  readonly evidence: CandidateEvidence | null;
  readonly lastError: string;
  readonly firstSeenAtMs: number;
  readonly lastSeenAtMs: number;
  readonly hitCount: number;
  readonly createdAtMs: number;
  /** For a row that is not pending: when it left that state. */
  readonly updatedAtMs: number;
}

type Subject = Pick<CandidateRow, 'authIndex' | 'accountId' | 'provider' | 'accountSnapshot'>;

/**
 * Identifies pending candidates of one file, action and reason: the index, else account and provider, else provider and
 * snapshot. Unique among them.
 */
export function candidateIdentityKey(subject: Subject): string {
  if (subject.authIndex !== '') return JSON.stringify(['index', subject.authIndex]);
  if (subject.accountId !== '') return JSON.stringify(['account', subject.provider, subject.accountId]);
  return JSON.stringify(['snapshot', subject.provider, subject.accountSnapshot]);
}

/** Whether the row may be the same account with fewer known members: it has no index and nothing contradicts. */
function isWeaker(row: Subject, report: Subject): boolean {
  if (row.authIndex !== '' || row.provider !== report.provider) return false;
  if (report.authIndex === '' && row.accountId !== '') return false;
  if (row.accountId !== '' && report.accountId !== '') return row.accountId === report.accountId;
  return row.accountSnapshot !== '' && row.accountSnapshot === report.accountSnapshot;
}

/** The rows of the report's identity, else those that may be the same account with fewer known members. */
function matchingRows(rows: readonly CandidateRow[], report: CandidateReport): readonly CandidateRow[] {
  const { file, actionType, reasonCode } = report;
  const alike = rows.filter((r) => r.file === file && r.actionType === actionType && r.reasonCode === reasonCode);
  const key = candidateIdentityKey(report);
  const same = alike.filter((row) => candidateIdentityKey(row) === key);
  return same.length > 0 ? same : alike.filter((row) => isWeaker(row, report));
}

/** How long an ignored candidate stays closed for the same failure of the same account. */
const IGNORED_FOR_MS = 24 * 60 * 60 * 1000;

export type CandidateFields = Omit<CandidateRow, 'id' | 'createdAtMs' | 'updatedAtMs'>;

/** `conflict`: two rows match, nothing may be written. `ignored`: the operator ignored it recently. */
export type CandidateChange =
  | { readonly kind: 'insert'; readonly row: CandidateFields }
  | { readonly kind: 'update'; readonly id: number; readonly row: CandidateFields }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'ignored' };

/**
 * What a failure changes in the queue.
 *
 * @param rows the rows of the report's file, action and reason: all pending ones, and the ignored ones of the last 24 hours
 */
export function candidateChange(
  rows: readonly CandidateRow[],
  report: CandidateReport,
  nowMs: number,
): CandidateChange {
  const pending = matchingRows(
    rows.filter(({ status }) => status === 'pending'),
    report,
  );
  const [row] = pending;
  if (pending.length > 1) return { kind: 'conflict' };
  if (row !== undefined) return { kind: 'update', id: row.id, row: hit(row, report) };
  const ignored = rows.filter((r) => r.status === 'ignored' && nowMs - r.updatedAtMs < IGNORED_FOR_MS);
  if (matchingRows(ignored, report).length > 0) return { kind: 'ignored' };
  return { kind: 'insert', row: opened(report, nowMs) };
}

function opened({ seenAtMs, ...report }: CandidateReport, nowMs: number): CandidateFields {
  return {
    ...report,
    status: 'pending',
    autoDisabledAtMs: null,
    confirmingUntilMs: isDeactivation(report) ? null : confirmedAtMs(seenAtMs, nowMs),
    lastError: '',
    firstSeenAtMs: seenAtMs,
    lastSeenAtMs: seenAtMs,
    hitCount: 1,
  };
}

/** Texts of the newer failure count if it has any; events may arrive out of order. */
function hit({ id: _id, createdAtMs: _created, updatedAtMs: _updated, ...row }: CandidateRow, report: CandidateReport) {
  const isNewer = report.seenAtMs >= row.lastSeenAtMs;
  const newest = (ofRow: string, ofReport: string): string => (isNewer ? ofReport || ofRow : ofRow || ofReport);
  return {
    ...row,
    authIndex: newest(row.authIndex, report.authIndex),
    accountId: newest(row.accountId, report.accountId),
    accountSnapshot: newest(row.accountSnapshot, report.accountSnapshot),
    authLabel: newest(row.authLabel, report.authLabel),
    provider: newest(row.provider, report.provider),
    reason: newest(row.reason, report.reason),
    evidence: isNewer || row.evidence === null ? report.evidence : row.evidence,
    autoDisableEligible: row.autoDisableEligible || report.autoDisableEligible,
    lastError: '',
    firstSeenAtMs: Math.min(row.firstSeenAtMs, report.seenAtMs),
    lastSeenAtMs: Math.max(row.lastSeenAtMs, report.seenAtMs),
    hitCount: row.hitCount + 1,
  };
}
