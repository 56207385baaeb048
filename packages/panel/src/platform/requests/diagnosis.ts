import { resetByHeaders } from '@manager/core/accounts/cooldown/header-reset';
import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { isRecord } from '../browser/storage.ts';
import type { UrlSearch } from '../browser/url-search.ts';
import type { TextKey } from '../i18n/index.ts';
import { isDeactivated } from './deactivation.ts';
import { isBrokenOff, isCancelled } from './event-view.ts';

export interface Diagnosis {
  readonly cause: TextKey;
  readonly advice: TextKey;
  /** Time a limit ends, ms. */
  readonly untilMs: number | null;
}

/** Where a cause is handled. */
export interface CauseAction {
  readonly label: TextKey;
  readonly to: string;
  readonly search: UrlSearch;
}

const CAUSE_ACTIONS: Partial<Record<TextKey, CauseAction>> = {
  'cause.limit': { label: 'action.cooldowns', to: '/accounts', search: { operation: ['cooldown'] } },
  'cause.rate': { label: 'action.accounts', to: '/accounts', search: {} },
  'cause.signIn': { label: 'action.queue', to: '/accounts/actions', search: {} },
  'cause.deactivated': { label: 'action.queue', to: '/accounts/actions', search: {} },
  'cause.refused': { label: 'action.inspection', to: '/accounts', search: { view: ['health'] } },
  'cause.model': { label: 'action.modelRules', to: '/accounts', search: { view: ['oauth'] } },
  'cause.timeout': { label: 'action.config', to: '/config', search: {} },
  'cause.transport': { label: 'action.config', to: '/config', search: {} },
  'cause.provider': { label: 'action.logs', to: '/logs', search: {} },
  'cause.brokenOff': { label: 'action.logs', to: '/logs', search: {} },
};

export const causeAction = (cause: TextKey): CauseAction | undefined => CAUSE_ACTIONS[cause];

/** Input of the diagnosis; failures of a list and whole requests have it. */
type Failure = Pick<EventRow, 'model' | 'response_metadata'> &
  Partial<
    Pick<
      EventRow,
      'fail_status_code' | 'fail_summary' | 'header_error_kind' | 'header_error_code' | 'header_quota_recover_at_ms'
    >
  >;

export interface QuotaWindow {
  readonly name: 'primary' | 'secondary';
  readonly usedPercent: number;
  readonly windowMinutes: number | null;
  readonly resetAtMs: number | null;
}

const group = (event: Pick<EventRow, 'response_metadata'>, name: string): Record<string, unknown> => {
  const value = event.response_metadata?.[name];
  return isRecord(value) ? value : {};
};

const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** Quota windows in the answer's headers. */
export function quotaWindows(event: Pick<EventRow, 'response_metadata'>): readonly QuotaWindow[] {
  const quota = group(event, 'quota');
  return (['primary', 'secondary'] as const).flatMap((name) => {
    const window = quota[name];
    if (!isRecord(window)) return [];
    const usedPercent = number(window.used_percent);
    if (usedPercent === null) return [];
    return [{ name, usedPercent, windowMinutes: number(window.window_minutes), resetAtMs: number(window.reset_at_ms) }];
  });
}

/** By the rule of the cooldowns, so that request and cooldown show the same time; other windows come after. */
function limitEnd(event: Failure): number | null {
  return (
    resetByHeaders(event.response_metadata ?? {}) ??
    number(group(event, 'quota').recover_at_ms) ??
    number(group(event, 'provider_usage').recover_at_ms) ??
    event.header_quota_recover_at_ms ??
    null
  );
}

function limitReached(event: Failure): boolean {
  const quota = group(event, 'quota');
  return (
    typeof quota.rate_limit_reached_type === 'string' ||
    typeof quota.reached_window_kind === 'string' ||
    group(event, 'provider_usage').state === 'exhausted'
  );
}

/** Stated in the answer, whatever its status. */
function isAuthorizationError(event: Failure): boolean {
  const { authorization_error: error } = group(event, 'errors');
  return error === true || (typeof error === 'string' && error !== '');
}

/** Why a request failed: the first matching rule, from the most to the least specific. */
export function diagnose(event: EventRow): Diagnosis | null {
  return event.failed ? causeOf(event) : null;
}

/** The cause of a request that is known to have failed. */
export function causeOf(event: Failure): Diagnosis {
  const status = event.fail_status_code ?? 0;
  const untilMs = limitEnd(event);
  const of = (cause: TextKey, advice: TextKey, until: number | null = null): Diagnosis => ({
    cause,
    advice,
    untilMs: until,
  });
  if (isCancelled(event)) return of('cause.cancelled', 'advice.cancelled');
  if (isBrokenOff(event)) return of('cause.brokenOff', 'advice.brokenOff');
  if (isDeactivated({ status, code: event.header_error_code, text: event.fail_summary }))
    return of('cause.deactivated', 'advice.deactivated');
  if (limitReached(event) || (status === 429 && untilMs !== null)) return of('cause.limit', 'advice.limit', untilMs);
  if (status === 429) return of('cause.rate', 'advice.rate');
  if (status === 401 || event.header_error_kind === 'auth' || isAuthorizationError(event))
    return of('cause.signIn', 'advice.signIn');
  if (status === 403) return of('cause.refused', 'advice.refused');
  if (status === 404 && event.model !== '' && event.model !== '-') return of('cause.model', 'advice.model');
  if ([400, 409, 413, 422].includes(status)) return of('cause.request', 'advice.request');
  if (status === 408 || status === 504) return of('cause.timeout', 'advice.timeout');
  if ([500, 502, 503].includes(status)) return of('cause.provider', 'advice.provider');
  if (status === 0) return of('cause.transport', 'advice.transport');
  return of('cause.other', 'advice.other');
}
