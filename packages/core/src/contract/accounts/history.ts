import { z } from 'zod';

/**
 * `POST /v0/management/monitoring/account-history`: lifetime totals of accounts, including events whose raw rows were
 * deleted. Member names match in any case, unknown ones are refused, `null` equals leaving a member out.
 */

export const MAX_RECENT_REQUESTS = 10;

const text = z.string('string expected').nullish();

/** What identifies an account; the event members of the same names. */
export const accountIdentityShape = {
  /** With a file the provider is needed too. */
  auth_file_snapshot: text,
  auth_index: text,
  auth_provider_snapshot: text,
  auth_project_id_snapshot: text,
  account_snapshot: text,
  auth_label_snapshot: text,
  /** Used as the file where there is none, unless it equals account or label. */
  source: text,
  /** Not in events; names the target only for the client. */
  auth_account_id_snapshot: text,
};

export const accountHistoryRequestSchema = z.strictObject({
  accounts: z
    .array(
      z.strictObject({
        /** Unique within the request, echoed. */
        row_key: text,
        ...accountIdentityShape,
        /** Key from an earlier answer; counts only where no other member names the account. */
        account_key: text,
      }),
      'array expected',
    )
    .nullish(),
  /** Accepted for older clients; totals are always complete. */
  catch_up: z.boolean('boolean expected').nullish(),
});

export const recentRequestSchema = z.strictObject({
  timestamp_ms: z.number(),
  failed: z.boolean(),
  fail_status_code: z.number().optional(),
  fail_summary: z.string().optional(),
  header_error_kind: z.string().optional(),
  header_error_code: z.string().optional(),
  header_trace_id: z.string().optional(),
});

export const accountSyncStatusSchema = z.enum(['pending', 'ready', 'empty']);

export const accountHistorySchema = z.strictObject({
  row_key: z.string(),
  /** Opaque and stable; '' when the target names no account. */
  account_key: z.string(),
  /** At least one event ever. */
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
  first_seen_ms: z.number().nullable(),
  last_seen_ms: z.number().nullable(),
  /** Only for targets with a file. Needs raw events: may become incomplete when they are deleted. */
  latest_request: recentRequestSchema.optional(),
  /** Newest first. */
  recent_requests: z.array(recentRequestSchema).optional(),
  sync_status: accountSyncStatusSchema,
});

export const accountHistoryResponseSchema = z.strictObject({
  generated_at_ms: z.number(),
  /** Totals include every stored event, so nothing is ever pending. */
  checkpoint: z.strictObject({
    last_event_id: z.number(),
    latest_id: z.number(),
    pending: z.boolean(),
    processed: z.number(),
  }),
  /** In the order of the request. */
  items: z.array(accountHistorySchema),
});

export type AccountHistoryRequest = z.infer<typeof accountHistoryRequestSchema>;
export type AccountHistory = z.infer<typeof accountHistorySchema>;
export type AccountHistoryResponse = z.infer<typeof accountHistoryResponseSchema>;
export type RecentRequest = z.infer<typeof recentRequestSchema>;
