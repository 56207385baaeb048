import { isJsonObject } from '../../json/json.ts';
import { mayNameSecret } from '../../redaction/names.ts';
import { REDACTED, redactSecrets } from '../../redaction/redact.ts';

export type InspectionLogMessage =
  | 'run_started'
  | 'auth_files_failed'
  | 'set_ready'
  | 'missing_auth_index'
  | 'probe_failed'
  | 'missing_status'
  | 'probe_completed'
  | 'auto_started'
  | 'auto_action_succeeded'
  | 'auto_action_failed'
  | 'auto_action_skipped'
  | 'auto_validation_failed'
  | 'auto_completed'
  | 'manual_started'
  | 'manual_skipped'
  | 'manual_action_succeeded'
  | 'manual_action_failed'
  | 'manual_validation_failed'
  | 'manual_completed'
  | 'result_write_failed'
  | 'ownership_failed'
  | 'ownership_cleanup_failed'
  | 'completed'
  | 'cancelled'
  | 'interrupted'
  | 'lifecycle_finalized'
  | 'recovered_interrupted'
  | 'shutdown_before_start'
  | 'local_conflict_before_start';

export type LogDetailValue =
  | string
  | number
  | boolean
  | null
  | readonly LogDetailValue[]
  | { readonly [name: string]: LogDetailValue };
export type LogDetail = Readonly<Record<string, LogDetailValue>>;

export function inspectionLogKey(message: InspectionLogMessage): string {
  return `monitoring.server_codex_inspection_log_message_${message}`;
}

export const XAI_LOG_COMPLETE = 'monitoring.xai_inspection_log_server_complete';
export const XAI_LOG_MISSING_AUTH_INDEX = 'monitoring.xai_inspection_log_server_missing_auth_index';

/**
 * A log detail as it may be stored: values with a secret's name are replaced, at any depth, and secrets in texts.
 *
 * @example redactedLogDetail({ triggerKey: 'manual', apiKey: 'x' }) // { triggerKey: 'manual', apiKey: '[redacted]' }
 */
export function redactedLogDetail(detail: LogDetail): LogDetail {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, mayNameSecret(name) ? REDACTED : redacted(value)]),
  );
}

function redacted(value: LogDetailValue): LogDetailValue {
  if (typeof value === 'string') return redactSecrets(value);
  if (Array.isArray(value)) return value.map(redacted);
  return isJsonObject(value) ? redactedLogDetail(value as LogDetail) : value;
}
