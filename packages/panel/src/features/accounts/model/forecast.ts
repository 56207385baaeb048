import type { AccountWindowUsage } from '@manager/core/contract/accounts/window-usage';
import type { WindowBar } from '../../../platform/accounts/quota.ts';

/** Below this share of the quota, %, a projection would only amplify chance. */
const TOO_EARLY_PERCENT = 5;

export type Forecast =
  | {
      readonly basis: 'quota' | 'previous';
      readonly requests: number;
      readonly tokens: number;
      /** USD. */
      readonly cost: number;
    }
  | { readonly basis: 'early' }
  /** No data for a forecast. */
  | null;

type Usage = Pick<
  AccountWindowUsage,
  'total_requests' | 'total_tokens' | 'total_cost' | 'matched' | 'scope_match_status'
>;

/** Expected use at the end of a window: by the share of the quota used, else as in the previous one. */
export function windowForecast(bar: WindowBar, current: Usage | null, previous: Usage | null): Forecast {
  const cycle = bar.window.current_cycle;
  const known = bar.accuracy === 'exact' || bar.accuracy === 'derived';
  if (!known || bar.stale || cycle?.forecast_eligible === false) return null;
  const used = bar.left === null ? null : 100 - bar.left;
  if (
    current?.matched === true &&
    current.scope_match_status === 'complete' &&
    used !== null &&
    used > 0 &&
    used <= 100
  ) {
    if (used < TOO_EARLY_PERCENT) return { basis: 'early' };
    const project = (value: number) => (value * 100) / used;
    return {
      basis: 'quota',
      requests: Math.max(current.total_requests, Math.round(project(current.total_requests))),
      tokens: Math.max(current.total_tokens, Math.round(project(current.total_tokens))),
      cost: Math.max(current.total_cost, Math.round(project(current.total_cost) * 100) / 100),
    };
  }
  if (previous === null || !previous.matched) return null;
  return {
    basis: 'previous',
    requests: previous.total_requests,
    tokens: previous.total_tokens,
    cost: previous.total_cost,
  };
}
