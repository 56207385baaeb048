import { z } from 'zod';
import { headerFields } from '../monitoring/analytics.ts';

/**
 * `GET /v0/management/monitoring/header-snapshots?days=…&limit=…`: the newest response headers of each account within the last
 * `days`, newest first. They outlive the raw events.
 */

/** What 0 or no value means, and the largest value; larger ones are lowered to it. */
export const HEADER_SNAPSHOTS_DAYS = { default: 30, most: 365 } as const;
export const HEADER_SNAPSHOTS_LIMIT = { default: 1000, most: 5000 } as const;

/** Unknown members are left out; 0 is a value. */
export const headerSnapshotSchema = z.strictObject({
  event_hash: z.string(),
  timestamp_ms: z.number(),
  /** Display model. */
  model: z.string().optional(),
  analytics_model: z.string().optional(),
  requested_model: z.string().optional(),
  resolved_model: z.string().optional(),
  auth_file_snapshot: z.string().optional(),
  auth_index: z.string().optional(),
  account_snapshot: z.string().optional(),
  auth_label_snapshot: z.string().optional(),
  /** Falls back to the event's provider. */
  auth_provider_snapshot: z.string().optional(),
  auth_project_id_snapshot: z.string().optional(),
  source: z.string().optional(),
  source_hash: z.string().optional(),
  /** Groups: quota, errors, trace, routing, response, providers, rate_limit, data_policy, provider_usage. */
  response_metadata: z.record(z.string(), z.unknown()).optional(),
  ...headerFields,
});

export const headerSnapshotsResponseSchema = z.strictObject({
  /** Equals `to_ms`. */
  generated_at_ms: z.number(),
  from_ms: z.number(),
  /** Within the range. */
  to_ms: z.number(),
  items: z.array(headerSnapshotSchema),
});

export type HeaderSnapshotItem = z.infer<typeof headerSnapshotSchema>;
export type HeaderSnapshotsResponse = z.infer<typeof headerSnapshotsResponseSchema>;
