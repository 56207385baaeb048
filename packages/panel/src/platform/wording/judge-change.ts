import type { GoodDirection } from './changes.ts';

/** Changes are judged where each side has this many requests: fewer say little. */
export const JUDGED_REQUESTS = 100;
/** Changes are judged from this share of the earlier value on. */
export const JUDGED_SHARE = 0.05;

/** A share that differs by less reads as `±0.0 pt`. */
const SAME_SHARE = 0.0005;

/** Colors and words are for `better` and `worse` only. */
export type Verdict = 'better' | 'worse' | 'neutral';

/**
 * Whether a measure became better or worse. This is the one rule for it, on every page: only a measure with a good direction,
 * with at least `JUDGED_REQUESTS` requests and a change of at least `JUDGED_SHARE`; everything else is neutral.
 * @param baseRequests requests behind the values: of the side that has fewer
 * @param share the values are shares, 0 to 1; a difference that rounds to nothing is neutral
 * @example judgeChange({ baseRequests: 400, before: 0.02, after: 0.04, good: 'down', share: true }) // worse
 */
export function judgeChange({
  baseRequests,
  before,
  after,
  good,
  share = false,
}: {
  readonly baseRequests: number;
  readonly before: number | null;
  readonly after: number | null;
  readonly good: GoodDirection;
  readonly share?: boolean;
}): Verdict {
  if (before === null || after === null) return 'neutral';
  const difference = after - before;
  const relative = before === 0 ? null : difference / Math.abs(before);
  const large = difference !== 0 && (relative === null || Math.abs(relative) >= JUDGED_SHARE);
  const visible = !share || Math.abs(difference) >= SAME_SHARE;
  if (good === null || baseRequests < JUDGED_REQUESTS || !large || !visible) return 'neutral';
  return difference > 0 === (good === 'up') ? 'better' : 'worse';
}
