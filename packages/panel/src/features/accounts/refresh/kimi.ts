import { TOKEN_PLACEHOLDER } from '@manager/core/accounts/api-call';
import { numberMember, objectMember, textMember } from '@manager/core/accounts/provider-values';
import type { SnapshotWindowRequest } from '@manager/core/contract/quotas/snapshots';
import { isJsonObject, type JsonObject } from '@manager/core/json/json';
import type { Account } from '../../../platform/accounts/account.ts';
import { type Ask, answered } from './ask.ts';
import { fixedBoundary, instantOf, type ObservedQuota, usedPercent } from './observed-windows.ts';

const WEEK = 604_800;
const UNITS: Readonly<Record<string, number>> = { SECOND: 1, MINUTE: 60, HOUR: 3_600, DAY: 86_400, WEEK };

export async function askKimi(ask: Ask, { listed: account }: Account, nowMs: () => number): Promise<ObservedQuota> {
  const answer = await ask({
    authIndex: account.authIndex,
    method: 'GET',
    url: 'https://api.kimi.com/coding/v1/usages',
    header: { Authorization: TOKEN_PLACEHOLDER },
  });
  return readKimiUsage(answered(answer), nowMs());
}

function readKimiUsage(body: JsonObject, nowMs: number): ObservedQuota {
  const summary = objectMember(body, 'usage');
  const limits = Array.isArray(body.limits) ? body.limits.filter(isJsonObject) : [];
  const found = [
    ...(summary === null ? [] : [windowOf('summary', summary, WEEK, nowMs)]),
    ...limits.map((limit, index) =>
      windowOf(`limit-${index}`, objectMember(limit, 'detail') ?? limit, lengthOf(limit), nowMs),
    ),
  ];
  // A window without any number says nothing about the quota.
  const windows = found.filter(
    ({ used_value, limit_value, cycle_end_ms }) => (used_value ?? limit_value ?? cycle_end_ms) !== undefined,
  );
  return { windows, complete: windows.some((window) => window.provider_window_id === 'summary') };
}

function lengthOf(limit: JsonObject): number | null {
  const window = objectMember(limit, 'window');
  const count = window === null ? null : numberMember(window, 'duration');
  const unit = window === null ? '' : textMember(window, 'time_unit').toUpperCase().replace('TIME_UNIT_', '');
  const seconds = UNITS[unit.replace(/S$/, '')];
  return count === null || seconds === undefined ? null : count * seconds;
}

function windowOf(id: string, detail: JsonObject, seconds: number | null, nowMs: number): SnapshotWindowRequest {
  const limit = numberMember(detail, 'limit');
  const left = numberMember(detail, 'remaining');
  const used = numberMember(detail, 'used') ?? (limit !== null && left !== null ? limit - left : null);
  const stated = instantOf(textMember(detail, 'reset_time') || textMember(detail, 'reset_at'));
  const wait = numberMember(detail, 'reset_in') ?? numberMember(detail, 'ttl');
  const endMs = stated ?? (wait === null ? null : Math.round(nowMs + wait * 1000));
  return {
    provider_window_id: id,
    window_kind: seconds === WEEK ? 'weekly' : seconds === 18_000 ? 'five_hour' : 'unknown',
    model_scope_kind: 'all',
    ...fixedBoundary(endMs, seconds, stated === null ? 'derived' : 'exact'),
    ...usedPercent(used === null || limit === null || limit <= 0 ? null : (used / limit) * 100),
    ...(used === null || used < 0 ? {} : { used_value: used }),
    ...(limit === null || limit <= 0 ? {} : { limit_value: limit, quota_unit: 'requests' }),
  };
}
