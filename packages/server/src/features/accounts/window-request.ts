import {
  type AccountWindowUsageRequest,
  accountWindowUsageRequestSchema,
  MAX_USAGE_WINDOWS,
  type WindowPeriod,
  windowPeriodSchema,
} from '@manager/core/contract/accounts/window-usage';
import { MAX_TIME_MS } from '@manager/core/contract/monitoring/analytics';
import { trimText } from '@manager/core/json/text';
import { parseShape } from '../../http/body.ts';
import { parseJsonText } from '../../http/json-question.ts';
import { type CheckedScope, checkScope } from './model-scope.ts';
import { badRequest, lowerCaseNames, requireProviderOfFile, type TargetIdentity, targetIdentity } from './target.ts';

/** A validated account-window-usage request. */
export interface WindowUsageQuery {
  readonly windows: readonly UsageWindow[];
}

export interface UsageWindow {
  readonly requestKey: string;
  readonly rowKey: string;
  /** '' = not given. */
  readonly windowKey: string;
  readonly providerWindowId: string;
  readonly period: WindowPeriod;
  /** Half open range. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly scope: CheckedScope;
  /** '' when the target is no account with events. */
  readonly accountKey: string;
}

type SentWindow = NonNullable<AccountWindowUsageRequest['windows']>[number];

/** @throws AppError 400 */
export function parseWindowUsage(body: string): WindowUsageQuery {
  const request = parseShape(accountWindowUsageRequestSchema, lowerCaseNames(parseJsonText(body)));
  const windows = request.windows ?? [];
  if (windows.length === 0) throw badRequest('windows: missing');
  if (windows.length > MAX_USAGE_WINDOWS) throw badRequest(`windows: at most ${MAX_USAGE_WINDOWS}`);
  return { windows: windows.map(checkWindow) };
}

/** The order of the checks is part of the API. */
function checkWindow(sent: SentWindow): UsageWindow {
  const rowKey = sent.row_key ?? '';
  if (trimText(rowKey) === '') throw badRequest('row_key: missing');
  const windowKey = trimText(sent.window_key ?? '');
  const providerWindowId = trimText(sent.provider_window_id ?? '') || windowKey;
  if (providerWindowId === '') throw badRequest('provider_window_id: missing');
  const { fromMs, toMs } = checkRange(sent);
  const identity = targetIdentity(sent);
  requireProviderOfFile(identity);
  if (!isAccount(identity)) throw badRequest('target: no credential identity');
  const period = checkPeriod(sent.period ?? '');
  const scope = checkScope(sent.model_scope);
  const requestKey = trimText(sent.request_key ?? '');
  return {
    requestKey: requestKey !== '' ? requestKey : [rowKey, providerWindowId, scope.key, period].join('\0'),
    rowKey,
    windowKey,
    providerWindowId,
    period,
    fromMs,
    toMs,
    scope,
    accountKey: identity.key,
  };
}

function checkRange({ from_ms, to_ms }: SentWindow): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = from_ms ?? 0;
  const toMs = to_ms ?? 0;
  if (fromMs <= 0 || toMs <= fromMs) throw badRequest('from_ms, to_ms: both needed, from_ms < to_ms');
  if (fromMs > MAX_TIME_MS) throw badRequest(`from_ms: at most ${MAX_TIME_MS}`);
  if (toMs > MAX_TIME_MS) throw badRequest(`to_ms: at most ${MAX_TIME_MS}`);
  return { fromMs, toMs };
}

function isAccount(identity: TargetIdentity): boolean {
  const { effectiveFile, provider, index, accountId, project, account, label } = identity;
  return provider !== '' && [effectiveFile, index, accountId, project, account, label].some((text) => text !== '');
}

function checkPeriod(sent: string): WindowPeriod {
  const period = windowPeriodSchema.safeParse(trimText(sent).toLowerCase() || 'current');
  if (!period.success) throw badRequest('period: unknown value');
  return period.data;
}
