import type { InspectionAction, InspectionLog } from '@manager/core/contract/inspection/runs';
import { formatShare } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import type { TextKey, Translate } from '../../../platform/i18n/index.ts';
import { reasonKey } from '../../../ui/inspection/reasons.ts';
import { ACTION_WORDS } from '../../../ui/inspection/words.ts';

const PREFIX = 'monitoring.server_codex_inspection_log_message_';

const MESSAGES: Readonly<Record<string, TextKey>> = {
  run_started: 'healthLog.started',
  auth_files_failed: 'healthLog.listFailed',
  set_ready: 'healthLog.setReady',
  missing_auth_index: 'healthLog.missingIndex',
  probe_failed: 'healthLog.probeFailed',
  missing_status: 'healthLog.missingStatus',
  probe_completed: 'healthLog.probed',
  auto_started: 'healthLog.autoStarted',
  auto_action_succeeded: 'healthLog.autoDone',
  auto_action_failed: 'healthLog.autoFailed',
  auto_action_skipped: 'healthLog.autoSkipped',
  auto_validation_failed: 'healthLog.autoRefused',
  auto_completed: 'healthLog.autoCompleted',
  manual_started: 'healthLog.manualStarted',
  manual_skipped: 'healthLog.manualSkipped',
  manual_action_succeeded: 'healthLog.manualDone',
  manual_action_failed: 'healthLog.manualFailed',
  manual_validation_failed: 'healthLog.manualRefused',
  manual_completed: 'healthLog.manualCompleted',
  result_write_failed: 'healthLog.writeFailed',
  ownership_failed: 'healthLog.ownershipFailed',
  ownership_cleanup_failed: 'healthLog.ownershipCleanup',
  completed: 'healthLog.completed',
  cancelled: 'healthLog.cancelled',
  interrupted: 'healthLog.interrupted',
  lifecycle_finalized: 'healthLog.finalized',
  recovered_interrupted: 'healthLog.recovered',
  shutdown_before_start: 'healthLog.shutdown',
  local_conflict_before_start: 'healthLog.conflict',
};

const OTHERS: Readonly<Record<string, TextKey>> = {
  'monitoring.xai_inspection_log_server_complete': 'healthLog.probed',
  'monitoring.xai_inspection_log_server_missing_auth_index': 'healthLog.missingIndex',
};

/** The message in the chosen language; one of a later version as it is. */
export function messageText(message: string, t: Translate): string {
  const name = message.startsWith(PREFIX) ? message.slice(PREFIX.length) : '';
  const key = Object.hasOwn(MESSAGES, name) ? MESSAGES[name] : OTHERS[message];
  return key === undefined ? shown(message) : t(key);
}

const NAMES: Readonly<Record<string, TextKey>> = {
  targetTypes: 'healthFact.providers',
  totalFiles: 'healthFact.listed',
  probeSetCount: 'healthFact.probeSet',
  sampledCount: 'healthFact.sampled',
  requestedCount: 'healthFact.requested',
  actionCount: 'healthFact.actions',
  successCount: 'healthFact.success',
  failedCount: 'healthFact.failed',
  skippedCount: 'healthFact.skipped',
  needsReviewCount: 'healthFact.review',
  remainingCount: 'healthFact.remaining',
  deleteCount: 'healthFact.delete',
  disableCount: 'healthFact.disable',
  enableCount: 'healthFact.enable',
  reauthCount: 'healthFact.reauth',
  keepCount: 'healthFact.keep',
  actionSuccessCount: 'healthFact.success',
  actionFailedCount: 'healthFact.failed',
  actionSkippedCount: 'healthFact.skipped',
  actionNeedsReviewCount: 'healthFact.review',
  resultWriteFailedCount: 'healthFact.notStored',
};

/** Shown without a name in front, in this order, before all others. */
const LEADING = ['displayAccount', 'fileName', 'action', 'status', 'statusCode', 'usedPercent', 'reason', 'error'];
/** Says what the message says, or the same as another member. */
const SILENT = new Set(['accountKey', 'isQuota', 'triggerKey', 'triggerType', 'resultId', 'runId', 'id']);

/** What a line says beyond its message, masked by the rules of the screen. */
export function detailText(detail: InspectionLog['detail'], t: Translate, masker: Masker): string {
  if (detail === undefined || detail === null) return '';
  if (typeof detail !== 'object' || Array.isArray(detail)) return shown(masker.text(valueText(detail)));
  const members = new Map(Object.entries(detail).filter(([name, value]) => value !== '' && !SILENT.has(name)));
  if (members.get('displayAccount') === members.get('fileName')) members.delete('displayAccount');
  const parts = LEADING.flatMap((name) => {
    const value = members.get(name);
    members.delete(name);
    return value === undefined || value === null ? [] : [leadingText(name, value, t, masker)];
  });
  for (const [name, value] of members) {
    const label = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    const text = shown(masker.text(valueText(value)));
    // A count of nothing says nothing, but for the accounts themselves.
    if (value === 0 && label !== undefined && !['totalFiles', 'probeSetCount', 'sampledCount'].includes(name)) continue;
    parts.push(label === undefined ? `${name}: ${text}` : `${t(label)} ${text}`);
  }
  return parts.join(' · ');
}

function leadingText(name: string, value: unknown, t: Translate, masker: Masker): string {
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
      return key === null ? shown(masker.text(text)) : t(key);
    }
    case 'action':
      return Object.hasOwn(ACTION_WORDS, text) ? t(ACTION_WORDS[text as InspectionAction].label) : shown(text);
    case 'usedPercent':
      return `${t('health.used')} ${typeof value === 'number' ? formatShare(value / 100) : text}`;
    default:
      return shown(masker.text(text));
  }
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
