/** Which requests a window counts. `complete` = the scope names all of them. */
export interface ModelScope {
  readonly kind: 'all' | 'family' | 'models' | 'product' | 'feature';
  readonly key?: string;
  readonly models?: readonly string[];
  readonly complete: boolean;
}

/** `exact`: the provider stated the reset; `derived`: it stated the seconds until the reset. */
export type ResetAccuracy = 'exact' | 'derived' | 'unknown';

/** One quota window in an inspection result. Wire form. */
export interface QuotaWindow {
  /** Stable within its account. */
  readonly id: string;
  /** Translation key. */
  readonly labelKey: string;
  readonly labelParams?: Readonly<Record<string, string>>;
  /** Used percent of the window; absent = unknown. */
  readonly usedPercent?: number;
  /** For display only, `-` = unknown. */
  readonly resetLabel: string;
  readonly resetAtMs?: number;
  readonly resetAccuracy: ResetAccuracy;
  /** Length of the window in seconds. */
  readonly limitWindowSeconds?: number;
  readonly modelScope: ModelScope;
  /** Older ids of the same window. */
  readonly providerWindowAliases?: readonly string[];
}

/** Classes of windows, by length. */
export type WindowClass = 'five-hour' | 'weekly' | 'monthly';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
export const FIVE_HOUR_SECONDS = 5 * HOUR_SECONDS;
export const WEEK_SECONDS = 7 * DAY_SECONDS;
/** Months of 28 to 31 days. */
const MONTH_SECONDS = { shortest: 28 * DAY_SECONDS, longest: 31 * DAY_SECONDS } as const;

/** The class of a window by its length; null for any other or unknown length. */
export function windowClass(lengthSeconds: number | null): WindowClass | null {
  if (lengthSeconds === null) return null;
  const seconds = Math.round(lengthSeconds);
  if (seconds === FIVE_HOUR_SECONDS) return 'five-hour';
  if (seconds === WEEK_SECONDS) return 'weekly';
  return seconds >= MONTH_SECONDS.shortest && seconds <= MONTH_SECONDS.longest ? 'monthly' : null;
}

/** Position of a window in its rate limit: 0 primary, 1 secondary. */
export type WindowSlot = 0 | 1;

/** By slot. Names of a position: they do not say which window it is. */
export const SLOT_NAMES = ['primary', 'secondary'] as const;

/** The class of a Codex window without a length. For team plans the second window is monthly. */
export function classWithoutLength(slot: WindowSlot, planType: string): WindowClass {
  if (slot === 0) return 'five-hour';
  return planType.trim().toLowerCase() === 'team' ? 'monthly' : 'weekly';
}

/** @example durationText(172_800) // '2d' */
export function durationText(lengthSeconds: number | null): string {
  if (lengthSeconds === null || !(lengthSeconds > 0)) return 'unknown';
  const seconds = Math.round(lengthSeconds);
  if (seconds % DAY_SECONDS === 0) return `${seconds / DAY_SECONDS}d`;
  return seconds % HOUR_SECONDS === 0 ? `${seconds / HOUR_SECONDS}h` : `${seconds}s`;
}

/**
 * Id of a window without a class.
 *
 * @param prefix of its family, '' for the main limit
 * @example genericWindowId(10_800, 0) // 'window-3h-0'
 */
export function genericWindowId(lengthSeconds: number | null, slot: WindowSlot, prefix = ''): string {
  return `${prefix === '' ? '' : `${prefix}-`}window-${durationText(lengthSeconds)}-${slot}`;
}
