import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import type { TextKey } from '../../platform/i18n/index.ts';
import { formText, isAggregatesOnly } from './sessions/result-view.ts';
import { hopName, type ProblemKind, type UploadProblem } from './upload/problem.ts';

export interface ProblemText {
  readonly fact: TextKey;
  readonly text: TextKey;
  /** Null where no software has a name. */
  readonly hop: string | null;
  /** The server's message is more precise. */
  readonly quotes: boolean;
}

const TEXTS: Readonly<Record<ProblemKind, readonly [TextKey, TextKey]>> = {
  compressed: ['importProblem.compressed', 'importProblem.compressedText'],
  other_suffix: ['importProblem.suffix', 'importProblem.suffixText'],
  empty_file: ['importProblem.empty', 'importProblem.emptyText'],
  over_quota: ['importProblem.overQuota', 'importProblem.overQuotaText'],
  sessions_needed: ['importProblem.noSessions', 'importProblem.noSessionsText'],
  file_changed: ['importProblem.fileChanged', 'importProblem.fileChangedText'],
  other_file: ['importProblem.otherFile', 'importProblem.otherFileText'],
  prefix_mismatch: ['importProblem.prefix', 'importProblem.prefixText'],
  session_expired: ['importProblem.expired', 'importProblem.expiredText'],
  session_gone: ['importProblem.gone', 'importProblem.goneText'],
  session_conflict: ['importProblem.moved', 'importProblem.movedText'],
  too_many_sessions: ['importProblem.places', 'importProblem.placesText'],
  quota_used_up: ['importProblem.quota', 'importProblem.quotaText'],
  too_large: ['importProblem.tooLarge', 'importProblem.tooLargeText'],
  refused: ['importProblem.refused', 'importProblem.refusedText'],
  unavailable: ['importProblem.unavailable', 'importProblem.unavailableText'],
  proxy: ['importProblem.proxy', 'importProblem.proxyText'],
  network: ['importProblem.network', 'importProblem.networkText'],
  timeout: ['importProblem.timeout', 'importProblem.timeoutText'],
  unauthorized: ['importProblem.unauthorized', 'importProblem.unauthorizedText'],
  protocol: ['importProblem.protocol', 'importProblem.protocolText'],
  import_failed: ['importProblem.failed', 'importProblem.failedText'],
  cancel_pending: ['importProblem.cancelPending', 'importProblem.cancelPendingText'],
};

const QUOTED: ReadonlySet<ProblemKind> = new Set(['refused', 'import_failed', 'protocol']);
/** Imports that use the needed slots or space can be canceled here. */
const CROWDED: ReadonlySet<ProblemKind> = new Set(['too_many_sessions', 'quota_used_up']);

export function problemText(problem: UploadProblem, result: ImportResult | null): ProblemText {
  const { kind, message, hop, resumable } = problem;
  if ((kind === 'import_failed' || kind === 'refused') && isAggregatesOnly(message, result))
    return { fact: 'importProblem.aggregates', text: 'importProblem.aggregatesText', hop: null, quotes: false };
  const form = kind === 'import_failed' || kind === 'refused' ? formText(message) : null;
  if (form !== null) {
    const fact = form === 'importProblem.compressedText' ? 'importProblem.compressed' : 'importProblem.form';
    return { fact, text: form, hop: null, quotes: false };
  }
  if (kind === 'import_failed' && resumable)
    return { fact: 'importProblem.interrupted', text: 'importProblem.interruptedText', hop: null, quotes: true };
  const [fact, text] = TEXTS[kind];
  return { fact, text, hop: hop === null ? null : hopName(hop) || null, quotes: QUOTED.has(kind) };
}

export function isCrowded({ kind }: UploadProblem): boolean {
  return CROWDED.has(kind);
}

/** One technical line for diagnosis; '' without data. */
export function problemDetail({ status, message, hop }: UploadProblem): string {
  return [status === 0 ? '' : `HTTP ${status}`, hop?.server ?? '', message].filter((part) => part !== '').join(' · ');
}
