import type { ActionStatus, InspectionAction, InspectionResult } from '../../contract/inspection/runs.ts';
import type { QuotaWindow } from '../../contract/quotas/window.ts';
import { isSuccess } from '../api-call.ts';
import type { ListedAccount } from '../listed-account.ts';

/** The result of probing one account, before it is bound to a run. */
export interface Finding {
  readonly action: InspectionAction;
  /** Translation key. */
  readonly actionReason: string;
  /** Status of the provider; null = unknown. */
  readonly statusCode: number | null;
  readonly usedPercent: number | null;
  readonly isQuota: boolean;
  /** Only with `enable`, and only where an inspection disabled the account. */
  readonly autoRecoverEligible: boolean;
  readonly quotaInventoryObserved: boolean;
  readonly quotaWindows: readonly QuotaWindow[];
  /** '' = no error. */
  readonly error: string;
  readonly errorKind: string;
  readonly errorDetail: string;
  readonly planType: string;
}

export interface ProbedAccount {
  readonly listed: ListedAccount;
  /** An inspection disabled it, and it has not changed since. */
  readonly owned: boolean;
}

/**
 * Key of an account within a run: distinct and stable also without an index.
 *
 * @example inspectionAccountKey({ ...credential, name: 'a.json', authIndex: 'x1' }) // 'a.json::x1'
 */
export function inspectionAccountKey(account: ListedAccount): string {
  const { name, authIndex, provider, accountSnapshot, runtimeId } = account;
  if (authIndex !== '') return `${name}::${authIndex}`;
  const [accountId = ''] = account.accountIds;
  if (accountId !== '' || accountSnapshot !== '') {
    return `${name}::-::${JSON.stringify({ provider, accountId, accountSnapshot, runtimeId })}`;
  }
  return runtimeId === '' ? `${name}::-` : `${name}::-::runtime:${JSON.stringify({ provider, runtimeId })}`;
}

export function displayAccountOf(account: ListedAccount): string {
  return account.accountSnapshot || account.label || account.name;
}

const UNREADABLE: ReadonlySet<string> = new Set(['not_readable', 'protocol_changed']);

/** Whether a result proves nothing about the account: no success, or an answer without the expected content. */
export function isInconclusive({
  statusCode,
  errorKind = '',
  actionReason,
}: Pick<InspectionResult, 'actionReason'> & {
  readonly statusCode?: number | null | undefined;
  readonly errorKind?: string | undefined;
}): boolean {
  if (UNREADABLE.has(errorKind) || actionReason.endsWith('_recovery_unknown')) return true;
  return statusCode === undefined || statusCode === null || !isSuccess(statusCode);
}

/** The state before any action was tried. */
export function initialActionStatus(action: InspectionAction): ActionStatus {
  return action === 'keep' || action === 'reauth' ? 'none' : 'pending';
}

/** A result as it is stored and sent, without the database id. */
export type NewInspectionResult = Omit<InspectionResult, 'id'>;

export function inspectionResult(
  runId: number,
  { listed: account }: ProbedAccount,
  finding: Finding,
  createdAtMs: number,
): NewInspectionResult {
  const [accountId = ''] = account.accountIds;
  return {
    runId,
    accountKey: inspectionAccountKey(account),
    fileName: account.name,
    displayAccount: displayAccountOf(account),
    ...given('accountSnapshot', account.accountSnapshot),
    ...given('authIndex', account.authIndex),
    ...given('accountId', accountId),
    provider: account.provider,
    disabled: account.disabled,
    ...given('status', account.status),
    ...given('state', account.state),
    action: finding.action,
    actionReason: finding.actionReason,
    actionStatus: initialActionStatus(finding.action),
    ...(finding.statusCode === null ? {} : { statusCode: finding.statusCode }),
    ...(finding.usedPercent === null ? {} : { usedPercent: finding.usedPercent }),
    isQuota: finding.isQuota,
    autoRecoverEligible: finding.autoRecoverEligible,
    quotaInventoryObserved: finding.quotaInventoryObserved,
    ...given('error', finding.error),
    ...given('errorKind', finding.errorKind),
    ...given('errorDetail', finding.errorDetail),
    ...given('planType', finding.planType),
    ...(finding.quotaWindows.length === 0 ? {} : { quotaWindows: [...finding.quotaWindows] }),
    createdAtMs,
  };
}

/** The member unless its text is empty. */
function given<Name extends string>(name: Name, text: string): { readonly [name in Name]?: string } {
  return text === '' ? {} : ({ [name]: text } as { readonly [name in Name]: string });
}
