import type { AccountWindowUsageRequest, WindowPeriod } from '@manager/core/contract/accounts/window-usage';
import type { Account } from '../../../platform/accounts/account.ts';
import { snapshotsOf } from '../../../platform/accounts/account-calls.ts';
import type { WindowBar } from '../../../platform/accounts/quota.ts';

type UsageWindow = NonNullable<NonNullable<AccountWindowUsageRequest['windows']>[number]>;

export const usageKey = (bar: WindowBar, period: WindowPeriod): string => `${bar.key}|${period}`;

/** Time ranges requested for the windows of an account: the present one, and the one before it. */
export function usageWindows(account: Account, bars: readonly WindowBar[], nowMs: number): readonly UsageWindow[] {
  return bars.flatMap((bar) => {
    const current = currentRange(bar, nowMs);
    if (current === null) return [];
    const cycle = bar.window.previous_cycle;
    const previous: readonly UsageWindow[] =
      cycle !== undefined
        ? [target(account, bar, 'previous', cycle.actual_start_ms, cycle.actual_end_ms ?? current.fromMs)]
        : bar.durationSeconds === null
          ? []
          : [target(account, bar, 'previous_equal_range', current.fromMs - bar.durationSeconds * 1000, current.fromMs)];
    return [target(account, bar, 'current', current.fromMs, current.toMs), ...previous].filter(
      ({ from_ms, to_ms }) => (from_ms ?? 0) > 0 && (from_ms ?? 0) < (to_ms ?? 0),
    );
  });
}

function currentRange(bar: WindowBar, nowMs: number): { readonly fromMs: number; readonly toMs: number } | null {
  const { window, resetAtMs, durationSeconds } = bar;
  const toMs = Math.ceil(nowMs);
  if (window.window_mode === 'rolling' && durationSeconds !== null)
    return { fromMs: toMs - durationSeconds * 1000, toMs };
  const start = window.current_cycle?.actual_start_ms ?? window.cycle_start_ms;
  if (start !== undefined) return { fromMs: start, toMs: Math.min(toMs, resetAtMs ?? toMs) };
  if (resetAtMs === null || durationSeconds === null) return null;
  return { fromMs: resetAtMs - durationSeconds * 1000, toMs: Math.min(toMs, resetAtMs) };
}

function target(account: Account, bar: WindowBar, period: WindowPeriod, fromMs: number, toMs: number): UsageWindow {
  const { window } = bar;
  const { model_scope_kind: kind, model_scope_key: key, model_ids: models } = window;
  return {
    row_key: account.key,
    provider_window_id: window.provider_window_id,
    request_key: usageKey(bar, period),
    period,
    from_ms: fromMs,
    to_ms: toMs,
    model_scope: {
      kind,
      ...(key === undefined ? {} : { key }),
      ...(models === undefined ? {} : { models }),
    },
    ...snapshotsOf(account),
  };
}
