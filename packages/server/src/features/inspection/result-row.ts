import type { NewInspectionResult } from '@manager/core/accounts/inspection/result';
import { ACTION_STATUSES, EXECUTABLE_ACTIONS, INSPECTION_ACTIONS } from '@manager/core/contract/constants';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';

/** A row of `inspection_results` without its keys. '' = absent. */
interface ResultFields {
  readonly account_key: string;
  readonly file_name: string;
  readonly display_account: string;
  readonly account_snapshot: string;
  readonly auth_index: string;
  readonly account_id: string;
  readonly provider: string;
  readonly disabled: number;
  readonly status: string;
  readonly state: string;
  readonly action: string;
  readonly action_reason: string;
  readonly action_status: string;
  readonly executed_action: string;
  readonly action_error: string;
  readonly status_code: number | null;
  readonly used_percent: number | null;
  readonly is_quota: number;
  readonly auto_recover_eligible: number;
  readonly quota_inventory_observed: number;
  readonly error: string;
  readonly error_kind: string;
  readonly error_detail: string;
  readonly plan_type: string;
  readonly quota_windows: string | null;
  readonly created_at_ms: number;
}

export interface ResultRow extends ResultFields {
  readonly id: number;
}

export const RESULT_FIELDS = [
  'account_key',
  'file_name',
  'display_account',
  'account_snapshot',
  'auth_index',
  'account_id',
  'provider',
  'disabled',
  'status',
  'state',
  'action',
  'action_reason',
  'action_status',
  'executed_action',
  'action_error',
  'status_code',
  'used_percent',
  'is_quota',
  'auto_recover_eligible',
  'quota_inventory_observed',
  'error',
  'error_kind',
  'error_detail',
  'plan_type',
  'quota_windows',
  'created_at_ms',
] as const satisfies readonly (keyof ResultFields)[];

export const RESULT_COLUMNS = `id, ${RESULT_FIELDS.join(', ')}`;

/** Values in the order of `RESULT_FIELDS`. */
export function resultValues(result: NewInspectionResult): (string | number | null)[] {
  const fields = toFields(result);
  return RESULT_FIELDS.map((field) => fields[field]);
}

function toFields(result: NewInspectionResult): ResultFields {
  return {
    account_key: result.accountKey,
    file_name: result.fileName,
    display_account: result.displayAccount,
    account_snapshot: result.accountSnapshot ?? '',
    auth_index: result.authIndex ?? '',
    account_id: result.accountId ?? '',
    provider: result.provider,
    disabled: Number(result.disabled),
    status: result.status ?? '',
    state: result.state ?? '',
    action: result.action,
    action_reason: result.actionReason,
    action_status: result.actionStatus,
    executed_action: result.executedAction ?? '',
    action_error: result.actionError ?? '',
    status_code: result.statusCode ?? null,
    used_percent: result.usedPercent ?? null,
    is_quota: Number(result.isQuota),
    auto_recover_eligible: Number(result.autoRecoverEligible),
    quota_inventory_observed: Number(result.quotaInventoryObserved),
    error: result.error ?? '',
    error_kind: result.errorKind ?? '',
    error_detail: result.errorDetail ?? '',
    plan_type: result.planType ?? '',
    quota_windows: (result.quotaWindows ?? []).length === 0 ? null : JSON.stringify(result.quotaWindows),
    created_at_ms: result.createdAtMs,
  };
}

export function toResult(runId: number, row: ResultRow): InspectionResult {
  const executedAction = EXECUTABLE_ACTIONS.find((action) => action === row.executed_action);
  return {
    id: row.id,
    runId,
    accountKey: row.account_key,
    fileName: row.file_name,
    displayAccount: row.display_account,
    ...text('accountSnapshot', row.account_snapshot),
    ...text('authIndex', row.auth_index),
    ...text('accountId', row.account_id),
    provider: row.provider,
    disabled: row.disabled !== 0,
    ...text('status', row.status),
    ...text('state', row.state),
    action: INSPECTION_ACTIONS.find((action) => action === row.action) ?? 'keep',
    actionReason: row.action_reason,
    actionStatus: ACTION_STATUSES.find((status) => status === row.action_status) ?? 'none',
    ...(executedAction === undefined ? {} : { executedAction }),
    ...text('actionError', row.action_error),
    ...(row.status_code === null ? {} : { statusCode: row.status_code }),
    ...(row.used_percent === null ? {} : { usedPercent: row.used_percent }),
    isQuota: row.is_quota !== 0,
    autoRecoverEligible: row.auto_recover_eligible !== 0,
    quotaInventoryObserved: row.quota_inventory_observed !== 0,
    ...text('error', row.error),
    ...text('errorKind', row.error_kind),
    ...text('errorDetail', row.error_detail),
    ...text('planType', row.plan_type),
    // `resultValues` writes it from the same type.
    ...(row.quota_windows === null
      ? {}
      : { quotaWindows: JSON.parse(row.quota_windows) as NonNullable<InspectionResult['quotaWindows']> }),
    createdAtMs: row.created_at_ms,
  };
}

function text<Name extends string>(name: Name, value: string): { readonly [name in Name]?: string } {
  return value === '' ? {} : ({ [name]: value } as { readonly [name in Name]: string });
}
