import type { ModelPrice } from '@manager/core/pricing/price';
import { ratesOf } from '@manager/core/pricing/rates';
import { formatExactCost, NONE } from '../../platform/format/format.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import { priceSource } from '../../platform/requests/price-source.ts';
import type { StatusTone } from '../../ui/display/status.tsx';
import type { RateName } from './price-form.ts';
import type { PriceRow, PriceState } from './price-rows.ts';

export const RATE_LABELS = {
  prompt: 'prices.input',
  completion: 'prices.output',
  cacheRead: 'tokens.cacheRead',
  cacheCreation: 'tokens.cacheCreation',
  cacheWrite1h: 'tokens.cacheWrite1h',
  cache: 'prices.cache',
} as const satisfies Record<RateName, TextKey>;

export const STATE_WORDS: Readonly<Record<PriceState, { readonly label: TextKey; readonly tone: StatusTone }>> = {
  saved: { label: 'prices.stateSaved', tone: 'okQuiet' },
  builtIn: { label: 'prices.stateBuiltIn', tone: 'okQuiet' },
  elsewhere: { label: 'prices.stateElsewhere', tone: 'okQuiet' },
  candidate: { label: 'prices.stateCandidate', tone: 'wait' },
  waiting: { label: 'prices.stateWaiting', tone: 'warn' },
  missing: { label: 'prices.stateMissing', tone: 'warn' },
  conflict: { label: 'prices.stateConflict', tone: 'bad' },
};

/** A price without its unit, which is in the header; 0 is a price, a dash is none. */
export const rateText = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? NONE : formatExactCost(rate).slice(1);

export const rateOf = (price: ModelPrice | null, rate: RateName): number | null =>
  price === null ? null : (ratesOf(price)[rate] ?? null);

export const tierCount = (price: ModelPrice | null): number =>
  (price?.contextTiers?.length ?? 0) + (price?.serviceTiers?.length ?? 0);

export function sourceText(row: Pick<PriceRow, 'price'>, t: Translate): string {
  return priceSource(row.price?.source ?? '', t) || NONE;
}
