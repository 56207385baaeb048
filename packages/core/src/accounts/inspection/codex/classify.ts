import type { Zone } from '../../../time/zones.ts';
import { isSuccess, type ProbeAnswer, type ProviderAnswer, storedText } from '../../api-call.ts';
import { classifyCodexWindows, longWindow } from '../../quota/codex-classes.ts';
import { type CodexRateLimit, type CodexUsage, readCodexUsage } from '../../quota/codex-usage.ts';
import { codexQuotaWindows } from '../../quota/codex-windows.ts';
import type { Finding, ProbedAccount } from '../result.ts';
import { type CodexReason, codexReasonKey } from './reasons.ts';

export interface CodexSettings {
  /** From this percent of the long window on, an account counts as used up. */
  readonly usedPercentThreshold: number;
  readonly observedAtMs: number;
  /** For labels only. */
  readonly zone: Zone;
}

type Decision = Pick<Finding, 'action' | 'isQuota' | 'usedPercent'> & {
  readonly reason: CodexReason;
};

const NOT_READABLE = 'not_readable';

/** The finding for an account without an index, which cannot be probed. */
export function codexWithoutIndex(account: ProbedAccount): Finding {
  return nothingKnown(account, 'missing_auth_index', 'the account has no auth index');
}

/**
 * What the answer to `codexUsageRequest` means for the account. Only a readable rate limit in a 2xx answer enables a
 * disabled account; only its long window or an explicit refusal disables one.
 */
export function classifyCodex(answer: ProbeAnswer, account: ProbedAccount, settings: CodexSettings): Finding {
  if (account.listed.authIndex === '') return codexWithoutIndex(account);
  if (answer.kind === 'transport_error') return nothingKnown(account, 'request_error', storedText(answer.error));
  if (answer.kind === 'missing_status') {
    return nothingKnown(account, 'missing_status', 'the response has no provider status');
  }
  const usage = readCodexUsage(answer.json);
  const planType = usage.planType || account.listed.planType;
  const decision = decide(answer, usage, { planType, account, threshold: settings.usedPercentThreshold });
  const eligible = decision.action === 'enable' && account.owned;
  const reason = decision.action === 'enable' && !account.owned ? 'recovered_manual_only' : decision.reason;
  const failed = !isSuccess(answer.statusCode);
  const errorKind = failed ? 'http_status' : reason === NOT_READABLE ? NOT_READABLE : '';
  return {
    action: decision.action,
    actionReason: codexReasonKey(reason),
    statusCode: answer.statusCode,
    usedPercent: decision.usedPercent,
    isQuota: decision.isQuota,
    autoRecoverEligible: eligible,
    quotaInventoryObserved: usage.inventoryObserved,
    quotaWindows: codexQuotaWindows(usage, { planType, observedAtMs: settings.observedAtMs, zone: settings.zone }),
    error: '',
    errorKind,
    errorDetail: errorKind === '' ? '' : storedText(answer.body.trim() || `HTTP ${answer.statusCode}`),
    planType,
  };
}

interface Circumstances {
  readonly planType: string;
  readonly account: ProbedAccount;
  readonly threshold: number;
}

function decide(answer: ProviderAnswer, usage: CodexUsage, circumstances: Circumstances): Decision {
  const { main } = usage;
  if (answer.statusCode === 402 && answer.body.includes('deactivated_workspace')) {
    const usedPercent = main === null ? null : highestPercent(main);
    return { action: 'delete', isQuota: false, usedPercent, reason: 'workspace_deactivated' };
  }
  return main === null
    ? decideWithoutLimit(answer, isReadable(usage), circumstances)
    : decideByLimit(answer.statusCode, main, circumstances);
}

function decideByLimit(statusCode: number, limit: CodexRateLimit, circumstances: Circumstances): Decision {
  const { threshold, account } = circumstances;
  const off = account.listed.disabled;
  const windows = classifyCodexWindows(limit, circumstances.planType);
  const usedPercent = longWindow(windows)?.usedPercent ?? null;
  const isShortFull = (windows.classes.get('five-hour')?.usedPercent ?? 0) >= threshold;

  // A refused login comes first: unreadable windows must not hide it.
  if (statusCode === 401) return { action: 'reauth', isQuota: false, usedPercent, reason: 'reauth' };
  if (usedPercent === null) {
    return { action: 'keep', isQuota: false, usedPercent: highestPercent(limit), reason: 'quota_incomplete' };
  }
  if (usedPercent >= threshold) {
    return off
      ? { action: 'keep', isQuota: true, usedPercent, reason: 'quota_threshold_disabled' }
      : { action: 'disable', isQuota: true, usedPercent, reason: 'quota_threshold' };
  }
  if (off) {
    if (isShortFull) return { action: 'keep', isQuota: true, usedPercent, reason: 'short_window_wait' };
    // A rate limit in a failed answer is no evidence that the account works again.
    return isSuccess(statusCode)
      ? { action: 'enable', isQuota: false, usedPercent, reason: 'recovered' }
      : { action: 'keep', isQuota: false, usedPercent, reason: 'http_status' };
  }
  const state = isSuccess(statusCode) ? 'healthy' : 'http_status';
  return { action: 'keep', isQuota: false, usedPercent, reason: isShortFull ? 'short_window_keep' : state };
}

/** Whether an answer has any of the members that are read. */
function isReadable({ planType, inventoryObserved }: CodexUsage): boolean {
  return planType !== '' || inventoryObserved;
}

function decideWithoutLimit(answer: ProviderAnswer, isReadable: boolean, { account }: Circumstances): Decision {
  const off = account.listed.disabled;
  const decision = { action: 'keep', isQuota: false, usedPercent: null } as const;
  if (answer.statusCode === 401) return { ...decision, action: 'reauth', reason: 'reauth' };
  if (mentionsQuota(answer)) {
    return off
      ? { ...decision, isQuota: true, reason: 'quota_exhausted_disabled' }
      : { ...decision, action: 'disable', isQuota: true, reason: 'quota_exhausted' };
  }
  // An answer without evidence is inconclusive: the account may work or not.
  if (!isSuccess(answer.statusCode)) return { ...decision, reason: 'http_status' };
  if (answer.statusCode === 200 && off) return { ...decision, reason: 'recovery_unknown' };
  return { ...decision, reason: isReadable ? 'healthy' : NOT_READABLE };
}

const QUOTA_WORDS = /quota exhausted|limit reached|payment_required/i;

/** Without a rate limit only the status and the text are left. */
function mentionsQuota({ statusCode, body }: ProviderAnswer): boolean {
  return statusCode === 402 || QUOTA_WORDS.test(body);
}

function highestPercent(limit: CodexRateLimit): number | null {
  const percents = limit.windows.flatMap(({ usedPercent }) => usedPercent ?? []);
  return percents.length === 0 ? null : Math.max(...percents);
}

function nothingKnown(
  { listed }: ProbedAccount,
  errorKind: 'missing_auth_index' | 'request_error' | 'missing_status',
  error: string,
): Finding {
  return {
    action: 'keep',
    actionReason: codexReasonKey(errorKind),
    statusCode: null,
    usedPercent: null,
    isQuota: false,
    autoRecoverEligible: false,
    quotaInventoryObserved: false,
    quotaWindows: [],
    error,
    errorKind,
    errorDetail: '',
    planType: listed.planType,
  };
}
