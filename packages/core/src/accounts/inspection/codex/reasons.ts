import type { InspectionLog, InspectionResult, InspectionRunDetail } from '../../../contract/inspection/runs.ts';

/** Why something is suggested for a Codex account; last part of the translation key that is stored. */
export type CodexReason = 'healthy' | 'reauth' | 'quota_threshold' | 'recovered' | keyof typeof SENTENCES;

const PREFIX = 'monitoring.codex_inspection_reason_';

/** Existing clients translate only the other keys, and show every other text unchanged. */
const SENTENCES = {
  missing_auth_index: 'The account has no auth index and cannot be inspected.',
  request_error: 'The provider could not be reached.',
  missing_status: 'The response has no provider status.',
  workspace_deactivated: 'The workspace of this account is deactivated.',
  quota_incomplete: 'The long quota window is unknown.',
  quota_threshold_disabled: 'Use has reached the threshold; the account is already disabled.',
  short_window_wait: 'The account stays disabled until the 5-hour window resets.',
  short_window_keep: 'The 5-hour window is used up; it resets automatically.',
  recovered_manual_only: 'The account has quota again. It was disabled manually; enable it manually.',
  recovery_unknown: 'The account is disabled, and it is unknown whether it has quota.',
  quota_exhausted: 'The quota is used up.',
  quota_exhausted_disabled: 'The quota is used up; the account is already disabled.',
  not_readable: 'Inconclusive: the response of the provider could not be read.',
  http_status: 'Inconclusive: the provider returned an error.',
} as const;

type SentenceReason = keyof typeof SENTENCES;

const REASON_OF = new Map(Object.entries(SENTENCES).map(([reason, sentence]) => [sentence as string, reason]));

/** As stored. */
export function codexReasonKey(reason: CodexReason): string {
  return PREFIX + reason;
}

/** The status makes the sentence useful where nothing else is shown; 0 = unknown. */
function sentenceOf(reason: SentenceReason, statusCode: number): string {
  if (reason === 'http_status' && statusCode > 0) return `Inconclusive: the provider returned HTTP ${statusCode}.`;
  return SENTENCES[reason];
}

/**
 * The reason as it is sent: a key that existing clients know, else a sentence.
 *
 * @example sentReason('monitoring.codex_inspection_reason_http_status', 503) // 'Inconclusive: the provider returned HTTP 503.'
 */
export function sentReason(key: string, statusCode = 0): string {
  const reason = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : '';
  return Object.hasOwn(SENTENCES, reason) ? sentenceOf(reason as SentenceReason, statusCode) : key;
}

/** The opposite of `sentReason`. Texts of later versions stay as they are. */
export function reasonAsKey(sent: string, statusCode = 0): string {
  const reason = sent === sentenceOf('http_status', statusCode) ? 'http_status' : REASON_OF.get(sent);
  return reason === undefined ? sent : PREFIX + reason;
}

type Translated = (reason: string, statusCode: number | undefined) => string;

const resultWith = (result: InspectionResult, translated: Translated): InspectionResult => ({
  ...result,
  actionReason: translated(result.actionReason, result.statusCode),
});

/** Lines about a probe have its reason and its status. */
function logWith(log: InspectionLog, translated: Translated): InspectionLog {
  const { detail } = log;
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return log;
  const { reason, statusCode } = detail;
  if (typeof reason !== 'string') return log;
  const status = typeof statusCode === 'number' ? statusCode : undefined;
  return { ...log, detail: { ...detail, reason: translated(reason, status) } };
}

export const resultAsSent = (result: InspectionResult): InspectionResult => resultWith(result, sentReason);
export const logAsSent = (log: InspectionLog): InspectionLog => logWith(log, sentReason);

/** An answer of a manager, with keys as reasons: to be translated and compared. */
export function detailWithKeys({ results, logs, ...rest }: InspectionRunDetail): InspectionRunDetail {
  return {
    ...rest,
    results: results.map((result) => resultWith(result, reasonAsKey)),
    logs: logs.map((log) => logWith(log, reasonAsKey)),
  };
}
