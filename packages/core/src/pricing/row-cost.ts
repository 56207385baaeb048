import type { EventRow } from '../contract/monitoring/analytics.ts';
import { bandOf, costOf } from './cost.ts';
import { rowIdentity, rowTokens } from './event-row.ts';
import type { PriceBook } from './price-book.ts';
import { NO_RATES } from './rates.ts';

/**
 * Cost of one request in USD, not rounded; null where its model has no price, which sums count as unpriced. A request without
 * tokens costs nothing, whatever its model is.
 */
export function rowCost(book: PriceBook, row: EventRow): number | null {
  const { priced, thresholds, bands } = book.plan(rowIdentity(row));
  if (!priced) return row.total_tokens === 0 ? 0 : null;
  const tokens = rowTokens(row);
  return costOf(bands[bandOf(thresholds, tokens.totalInput)] ?? NO_RATES, tokens);
}
