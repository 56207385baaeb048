import type { EventRow } from '../contract/monitoring/analytics.ts';
import { cacheWrite1hWithin } from '../usage/tokens.ts';
import type { EventTokens } from './cost.ts';
import type { PricedIdentity } from './price-book.ts';

/** What selects the price of a `monitoring/analytics` row. */
export function rowIdentity(row: EventRow): PricedIdentity {
  const analyticsModel = row.analytics_model ?? '';
  const resolved = row.resolved_model ?? '';
  return {
    analyticsModel,
    billingModel: resolved === '' ? analyticsModel : resolved,
    requestedModel: row.requested_model ?? row.model,
    serviceTier: row.service_tier ?? '',
  };
}

/** The billed tokens of a row. */
export function rowTokens(row: EventRow): EventTokens {
  const cacheRead = Math.max(row.cache_read_tokens, 0);
  const cacheCreation = Math.max(row.cache_creation_tokens, 0);
  const uncached = row.uncached_input_tokens ?? row.input_tokens - row.cached_tokens - cacheRead - cacheCreation;
  return {
    totalInput: row.input_tokens,
    uncachedInput: Math.max(uncached, 0),
    cached: row.cached_tokens,
    cacheRead,
    cacheCreation,
    cacheWrite1h: cacheWrite1hWithin(cacheCreation, row.cache_write_1h_tokens ?? 0),
    billableOutput: Math.max(row.billable_output_tokens ?? row.output_tokens, 0),
  };
}
