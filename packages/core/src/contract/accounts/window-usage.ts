import { z } from 'zod';
import { accountIdentityShape, accountSyncStatusSchema } from './history.ts';

/**
 * `POST /v0/management/monitoring/account-window-usage`: totals of accounts within quota windows. Member names match in
 * any case, unknown ones are refused except in `model_scope`, `null` equals leaving a member out.
 */

export const MAX_USAGE_WINDOWS = 400;

const text = z.string('string expected').nullish();
const integer = z.number('integer expected').int('integer expected').nullish();

export const modelScopeSchema = z.object({
  /** `all`, `family`, `models`, `product` or `feature`. */
  kind: text,
  key: text,
  models: z.array(z.string('string expected'), 'array expected').nullish(),
  /** False: the models of the scope are unknown, so nothing is counted. */
  complete: z.boolean('boolean expected').nullish(),
});

export const accountWindowUsageRequestSchema = z.strictObject({
  windows: z
    .array(
      z.strictObject({
        /** Echoed; may repeat. */
        row_key: text,
        provider_window_id: text,
        /** Stands in for `provider_window_id`. */
        window_key: text,
        /** Default: row key, window id, scope key and period, joined by NUL. */
        request_key: text,
        /** `current` (default), `previous` or `previous_equal_range`: only a label, the times define the range. */
        period: text,
        /** Half open range. */
        from_ms: integer,
        to_ms: integer,
        model_scope: modelScopeSchema.nullish(),
        ...accountIdentityShape,
      }),
      'array expected',
    )
    .nullish(),
});

export const windowPeriodSchema = z.enum(['current', 'previous', 'previous_equal_range']);

export const accountWindowUsageSchema = z.strictObject({
  request_key: z.string(),
  row_key: z.string(),
  window_key: z.string().optional(),
  provider_window_id: z.string(),
  period: windowPeriodSchema,
  from_ms: z.number(),
  to_ms: z.number(),
  matched: z.boolean(),
  total_requests: z.number(),
  success_calls: z.number(),
  failure_calls: z.number(),
  total_tokens: z.number(),
  /** USD at current prices. */
  total_cost: z.number(),
  /** Unpriced requests: their cost is missing. Left out when 0. */
  unpriced_calls: z.number().optional(),
  success_rate: z.number().nullable(),
  last_seen_ms: z.number().nullable(),
  sync_status: accountSyncStatusSchema,
  /** `partial`: for some requests it is unknown whether they belong to the scope. `unmatched`: for all of them. */
  scope_match_status: z.enum(['complete', 'partial', 'unmatched']),
  unmatched_requests: z.number(),
});

export const accountWindowUsageResponseSchema = z.strictObject({
  generated_at_ms: z.number(),
  /** In the order of the request. */
  items: z.array(accountWindowUsageSchema),
});

export type AccountWindowUsageRequest = z.infer<typeof accountWindowUsageRequestSchema>;
export type AccountWindowUsage = z.infer<typeof accountWindowUsageSchema>;
export type AccountWindowUsageResponse = z.infer<typeof accountWindowUsageResponseSchema>;
export type ModelScope = z.infer<typeof modelScopeSchema>;
export type WindowPeriod = z.infer<typeof windowPeriodSchema>;
