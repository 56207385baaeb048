import type { InspectionAction, InspectionLog } from '@manager/core/contract/inspection/runs';
import { formatShare } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import type { TextKey, Translate } from '../../../platform/i18n/index.ts';
import { reasonKey } from '../../../ui/inspection/reasons.ts';
import { ACTION_WORDS } from '../../../ui/inspection/words.ts';

const PREFIX = 'monitoring.server_codex_inspection_log_message_';

const MESSAGES: Readonly<Record<string, TextKey>> = {
  run_started: 'inspectionLog.started',
  auth_files_failed: 'inspectionLog.listFailed',
  set_ready: 'inspectionLog.setReady',
  missing_auth_index: 'inspectionLog.missingIndex',
  probe_failed: 'inspectionLog.probeFailed',
  missing_status: 'inspectionLog.missingStatus',
  probe_completed: 'inspectionLog.probed',
  auto_started: 'inspectionLog.autoStarted',
  auto_action_succeeded: 'inspectionLog.autoDone',
  auto_action_failed: 'inspectionLog.autoFailed',
  auto_action_skipped: 'inspectionLog.autoSkipped',
  auto_validation_failed: 'inspectionLog.autoRefused',
  auto_completed: 'inspectionLog.autoCompleted',
  manual_started: 'inspectionLog.manualStarted',
  manual_skipped: 'inspectionLog.manualSkipped',
  manual_action_succeeded: 'inspectionLog.manualDone',
  manual_action_failed: 'inspectionLog.manualFailed',
  manual_validation_failed: 'inspectionLog.manualRefused',
  manual_completed: 'inspectionLog.manualCompleted',
  result_write_failed: 'inspectionLog.writeFailed',
  ownership_failed: 'inspectionLog.ownershipFailed',
  ownership_cleanup_failed: 'inspectionLog.ownershipCleanup',
  completed: 'inspectionLog.completed',
  cancelled: 'inspectionLog.cancelled',
  interrupted: 'inspectionLog.interrupted',
  lifecycle_finalized: 'inspectionLog.finalized',
  recovered_interrupted: 'inspectionLog.recovered',
  shutdown_before_start: 'inspectionLog.shutdown',
  local_conflict_before_start: 'inspectionLog.conflict',
};

const OTHERS: Readonly<Record<string, TextKey>> = {
  'monitoring.xai_inspection_log_server_complete': 'inspectionLog.probed',
  'monitoring.xai_inspection_log_server_missing_auth_index': 'inspectionLog.missingIndex',
};

/** The message in the chosen language; one of a later version unchanged. */
export function messageText(message: string, t: Translate): string {
  const name = message.startsWith(PREFIX) ? message.slice(PREFIX.length) : '';
  const key = Object.hasOwn(MESSAGES, name) ? MESSAGES[name] : OTHERS[message];
  return key === undefined ? shown(message) : t(key);
}

const NAMES: Readonly<Record<string, TextKey>> = {
  targetTypes: 'inspectionFact.providers',
  totalFiles: 'inspectionFact.listed',
  probeSetCount: 'inspectionFact.probeSet',
  sampledCount: 'inspectionFact.sampled',
  requestedCount: 'inspectionFact.requested',
  actionCount: 'inspectionFact.actions',
  successCount: 'inspectionFact.success',
  failedCount: 'inspectionFact.failed',
  skippedCount: 'inspectionFact.skipped',
  needsReviewCount: 'inspectionFact.review',
  remainingCount: 'inspectionFact.remaining',
  deleteCount: 'inspectionFact.delete',
  disableCount: 'inspectionFact.disable',
  enableCount: 'inspectionFact.enable',
  reauthCount: 'inspectionFact.reauth',
  keepCount: 'inspectionFact.keep',
  actionSuccessCount: 'inspectionFact.success',
  actionFailedCount: 'inspectionFact.failed',
  actionSkippedCount: 'inspectionFact.skipped',
  actionNeedsReviewCount: 'inspectionFact.review',
  resultWriteFailedCount: 'inspectionFact.notStored',
};

/** Shown without a name, in this order, before all others. */
const LEADING = ['displayAccount', 'fileName', 'action', 'status', 'statusCode', 'usedPercent', 'reason', 'error'];
/** Repeats the message or another member. */
const SILENT = new Set(['accountKey', 'isQuota', 'triggerKey', 'triggerType', 'resultId', 'runId', 'id']);

/** What a line adds to its message, masked by the rules of the screen. */
export function detailText(detail: InspectionLog['detail'], t: Translate, masker: Masker): string {
  if (detail === undefined || detail === null) return '';
  if (typeof detail !== 'object' || Array.isArray(detail)) return shown(masker.text(valueText(detail)));
  const members = new Map(Object.entries(detail).filter(([name, value]) => value !== '' && !SILENT.has(name)));
  if (members.get('displayAccount') === members.get('fileName')) members.delete('displayAccount');
  const code = Number(members.get('statusCode') ?? 0);
  const parts = LEADING.flatMap((name) => {
    const value = members.get(name);
    members.delete(name);
    return value === undefined || value === null ? [] : [leadingText(name, value, { t, masker, code })];
  });
  for (const [name, value] of members) {
    const label = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    const text = shown(masker.text(valueText(value)));
    // Zero counts are left out, except that of the accounts.
    if (value === 0 && label !== undefined && !['totalFiles', 'probeSetCount', 'sampledCount'].includes(name)) continue;
    parts.push(label === undefined ? `${name}: ${text}` : `${t(label)} ${text}`);
  }
  return parts.join(' · ');
}

interface Telling {
  readonly t: Translate;
  readonly masker: Masker;
  /** Status of the provider. */
  readonly code: number;
}

function leadingText(name: string, value: unknown, { t, masker, code }: Telling): string {
  const text = valueText(value);
  switch (name) {
    case 'displayAccount':
      return shown(masker.account(text));
    case 'fileName':
      return shown(masker.file(text));
    case 'statusCode':
      return `HTTP ${text}`;
    case 'reason': {
      const key = reasonKey(text);
      return key === null ? shown(masker.text(text)) : t(key, { code });
    }
    case 'action':
      return Object.hasOwn(ACTION_WORDS, text) ? t(ACTION_WORDS[text as InspectionAction].label) : shown(text);
    case 'usedPercent':
      return `${t('inspection.used')} ${typeof value === 'number' ? formatShare(value / 100) : text}`;
    default:
      return shown(masker.text(text));
  }
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
