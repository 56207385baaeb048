import { quotaProvider } from '@manager/core/accounts/provider';
import { isMainWindow, percentLeft } from '@manager/core/accounts/quota/percent-left';
import type { BoundaryAccuracy, QuotaSource, QuotaWindowView } from '@manager/core/contract/quotas/snapshots';

/** Below this quota left an account is at risk, %. */
export const LOW_QUOTA = 20;
/** From this quota left on, quota alone shows that an account can be used, %. */
export const GOOD_QUOTA = 50;
/** An observed window without an end is stale after this time, ms. */
const OLD_AFTER_MS = 86_400_000;

/** One window of an account, shown as a bar. */
export interface WindowBar {
  readonly key: string;
  readonly window: QuotaWindowView;
  /** What the window covers if not the whole account: `spark`, `gemini`; '' = all of it. */
  readonly group: string;
  readonly durationSeconds: number | null;
  /** Percent left, null = not observed. */
  readonly left: number | null;
  readonly resetAtMs: number | null;
  /** Share of the window's time left, 0 to 1; null = unknown. */
  readonly timeLeft: number | null;
  readonly observedAtMs: number;
  readonly source: QuotaSource;
  readonly accuracy: BoundaryAccuracy;
  readonly stale: boolean;
  /** Counts for the account as a whole. */
  readonly main: boolean;
}

export interface ResetCredits {
  readonly count: number;
  readonly nextExpiryMs: number | null;
}

export interface AccountQuota {
  /** The manager stores windows of this provider. */
  readonly supported: boolean;
  readonly bars: readonly WindowBar[];
  /** Percent left of the account as a whole, null = unknown. */
  readonly left: number | null;
  /** When the limiting window resets. */
  readonly resetAtMs: number | null;
  /** The same two for sorting accounts: without data on the whole account, those of its tightest window. */
  readonly orderedBy: { readonly left: number | null; readonly resetAtMs: number | null };
  readonly observedAtMs: number | null;
  /** Newest answer of the provider: it shows that the sign-in works. */
  readonly askedAtMs: number | null;
  readonly plan: string;
  readonly credits: ResetCredits | null;
}

export function accountQuota(provider: string, windows: readonly QuotaWindowView[], nowMs: number): AccountQuota {
  const bars = windows.map((window) => barOf(window, nowMs)).sort(byGroup);
  const limits = groupLimits(bars);
  // One model family with quota left keeps the account usable.
  const best = limits.reduce<WindowBar | null>(
    (top, bar) => (top === null || leftOf(bar) > leftOf(top) ? bar : top),
    null,
  );
  return {
    supported: quotaProvider(provider) !== null,
    bars,
    left: best?.left ?? null,
    resetAtMs: best?.resetAtMs ?? null,
    orderedBy: orderOf(best, bars),
    observedAtMs: newest(windows.map(({ observed_at_ms }) => observed_at_ms)),
    askedAtMs: newest(
      windows.filter(({ source }) => source === 'api_query').map(({ observed_at_ms }) => observed_at_ms),
    ),
    plan: windows.find(({ plan_type }) => plan_type !== undefined && plan_type !== '')?.plan_type ?? '',
    credits: creditsOf(windows, nowMs),
  };
}

function barOf(window: QuotaWindowView, nowMs: number): WindowBar {
  const cycle = window.current_cycle;
  const resetAtMs = cycle?.scheduled_end_ms ?? window.cycle_end_ms ?? null;
  const durationSeconds = window.duration_seconds ?? null;
  const stale =
    window.stale ||
    (resetAtMs === null && window.window_mode !== 'rolling' && nowMs - window.observed_at_ms > OLD_AFTER_MS);
  const lengthMs = durationSeconds === null ? null : durationSeconds * 1000;
  return {
    key: `${window.provider_window_id}:${window.model_scope_kind}:${window.model_scope_key ?? ''}`,
    window,
    group: groupOf(window),
    durationSeconds,
    left: percentLeft(window),
    resetAtMs,
    timeLeft:
      resetAtMs === null || lengthMs === null || lengthMs <= 0
        ? null
        : Math.min(1, Math.max(0, (resetAtMs - nowMs) / lengthMs)),
    observedAtMs: window.field_sources.quota?.observed_at_ms ?? window.observed_at_ms,
    source: window.field_sources.quota?.source ?? window.source,
    accuracy: window.boundary_accuracy,
    stale,
    main: isMainWindow(window),
  };
}

function groupOf({
  model_scope_kind,
  model_scope_key = '',
  model_ids = [],
  provider_window_id,
}: QuotaWindowView): string {
  if (model_scope_kind === 'all' || (model_scope_kind === 'family' && model_scope_key === 'codex_main')) {
    return ['extra-usage', 'pay-as-you-go', 'xai-on-demand'].includes(provider_window_id) ? 'extra' : '';
  }
  if (model_scope_kind === 'models') {
    const [model = ''] = model_ids;
    return model.includes('spark') ? 'spark' : model;
  }
  return model_scope_key.replaceAll('_', ' ');
}

function byGroup(left: WindowBar, right: WindowBar): number {
  if (left.group === right.group) return 0;
  if (left.main !== right.main) return left.main ? -1 : 1;
  return left.group < right.group ? -1 : 1;
}

const leftOf = (bar: WindowBar): number => bar.left ?? -1;

const isCurrent = (bar: WindowBar): boolean => !bar.stale && bar.window.availability === 'active';

/** Current windows come before past ones. */
function orderOf(best: WindowBar | null, bars: readonly WindowBar[]): AccountQuota['orderedBy'] {
  const observed = bars.filter(({ left }) => left !== null);
  const now = observed.filter(isCurrent);
  const choice = now.length > 0 ? now : observed;
  const tightest = best ?? choice.reduce<WindowBar | null>((top, bar) => (isTighter(bar, top) ? bar : top), null);
  const resets = bars.map(({ resetAtMs }) => resetAtMs).filter((ms) => ms !== null);
  return {
    left: tightest?.left ?? null,
    resetAtMs: tightest?.resetAtMs ?? (resets.length === 0 ? null : Math.min(...resets)),
  };
}

function isTighter(bar: WindowBar, known: WindowBar | null | undefined): boolean {
  if (known === null || known === undefined || leftOf(bar) < leftOf(known)) return true;
  // Of two used-up windows, the later reset counts.
  return bar.left === known.left && (bar.resetAtMs ?? 0) > (known.resetAtMs ?? 0);
}

/** The limiting window of each model family; stale or unobserved windows are ignored. */
function groupLimits(bars: readonly WindowBar[]): readonly WindowBar[] {
  const limits = new Map<string, WindowBar>();
  for (const bar of bars) {
    if (!bar.main || bar.left === null || !isCurrent(bar)) continue;
    if (isTighter(bar, limits.get(bar.group))) limits.set(bar.group, bar);
  }
  return [...limits.values()];
}

function creditsOf(windows: readonly QuotaWindowView[], nowMs: number): ResetCredits | null {
  const holder = windows.find(({ reset_credits_available }) => reset_credits_available !== undefined);
  if (holder === undefined) return null;
  const ends = (holder.reset_credits ?? [])
    .map(({ expires_at_ms }) => expires_at_ms)
    .filter((ms) => ms !== undefined)
    .filter((ms) => ms > nowMs);
  return {
    count: holder.reset_credits_available ?? 0,
    nextExpiryMs: ends.length === 0 ? null : Math.min(...ends),
  };
}

function newest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
