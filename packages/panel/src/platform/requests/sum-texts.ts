import type { Summary } from '@manager/core/contract/monitoring/sections';
import { formatCompact, formatCost, formatCostSum, formatCount, NONE } from '../format/format.ts';
import type { TextKey, Translate } from '../i18n/index.ts';

/** From here on a tile shows three digits, US dollars; on a phone earlier. */
const COMPACT_FROM = 100_000;
const NARROW_COMPACT_FROM = 10_000;
/** From here on it has no cents on a phone; earlier where `≥` takes their place. */
const NARROW_WHOLE_FROM = 1_000;
const NARROW_MARKED_WHOLE_FROM = 10;
const MARKED_WHOLE_FROM = 10_000;

/** Cost that fits a tile: `$195.81`, `≥$12,346`. If every request is unpriced, it is unknown, not free. */
export function shortCost(
  { total_cost, unpriced_calls }: Pick<Summary, 'total_cost' | 'unpriced_calls'>,
  narrow: boolean,
): string {
  const [wide, slim] =
    unpriced_calls > 0 ? [MARKED_WHOLE_FROM, NARROW_MARKED_WHOLE_FROM] : [Number.POSITIVE_INFINITY, NARROW_WHOLE_FROM];
  return formatCostSum(total_cost, unpriced_calls, (usd) => {
    if (usd === null) return NONE;
    if (usd >= (narrow ? NARROW_COMPACT_FROM : COMPACT_FROM)) return `$${formatCompact(usd)}`;
    return usd >= (narrow ? slim : wide) ? `$${formatCount(usd)}` : formatCost(usd);
  });
}

/** From here on a count below the number of a tile shows three digits. */
const BRIEF_FROM = 100_000;

/** Where seven digits do not fit: `95,487`, `487K`. */
export const briefCount = (value: number): string => (value < BRIEF_FROM ? formatCount(value) : formatCompact(value));

/** Tooltip of a cost that lacks requests. */
export const unpricedTitle = (calls: number | undefined, t: Translate): string | undefined =>
  calls ? t('stat.unpricedText', { count: calls, value: formatCount(calls) }) : undefined;

interface Remark {
  readonly short: TextKey;
  /** Takes `count` and `value`. */
  readonly text: TextKey;
  readonly value: number;
}

/** Notes on the token sums, most important first. */
export function tokenRemarks(
  sums: Pick<Summary, 'inconsistent_calls' | 'unclassified_tokens' | 'zero_token_calls'>,
): readonly Remark[] {
  const remarks: readonly Remark[] = [
    { short: 'stat.unclassified', text: 'stat.unclassifiedText', value: sums.unclassified_tokens },
    { short: 'stat.inconsistent', text: 'stat.inconsistentText', value: sums.inconsistent_calls },
    { short: 'stat.zeroTokens', text: 'stat.zeroTokensText', value: sums.zero_token_calls },
  ];
  return remarks.filter(({ value }) => value > 0);
}
