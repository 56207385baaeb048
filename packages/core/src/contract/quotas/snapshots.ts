import * as z from 'zod';
import { SNAPSHOT_LIMITS } from '../constants.ts';

export const QUOTA_SOURCES = ['response_header', 'response_body', 'api_query', 'inspection'] as const;
export type QuotaSource = (typeof QUOTA_SOURCES)[number];

/** Whether an observation has all windows (`complete`), some (`partial`), or changes (`delta`). */
export const INVENTORY_MODES = ['partial', 'delta', 'complete'] as const;
export type InventoryMode = (typeof INVENTORY_MODES)[number];

export const WINDOW_MODES = ['fixed', 'calendar', 'rolling', 'non_window', 'unknown'] as const;
export type WindowMode = (typeof WINDOW_MODES)[number];

/** From the least to the most accurate. */
export const BOUNDARY_ACCURACIES = ['unknown', 'estimated', 'derived', 'exact'] as const;
export type BoundaryAccuracy = (typeof BOUNDARY_ACCURACIES)[number];

export const SNAPSHOT_SCOPE_KINDS = ['all', 'family', 'models', 'product', 'feature'] as const;
export type SnapshotScopeKind = (typeof SNAPSHOT_SCOPE_KINDS)[number];

export const AVAILABILITIES = ['active', 'pending_absent', 'inactive', 'unknown'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export const CYCLE_END_REASONS = [
  'scheduled',
  'early_reset',
  'provider_reset',
  'window_removed',
  'mode_changed',
] as const;
export type CycleEndReason = (typeof CYCLE_END_REASONS)[number];

const text = z.string('string expected').nullish();
const positive = z.int('integer expected').positive('above 0 expected').nullish();
const percent = z.number('number expected').min(0, '0 to 100 expected').max(100, '0 to 100 expected').nullish();
const amount = z.number('number expected').min(0, '0 or more expected').nullish();

const accountShape = z.strictObject({
  account_snapshot: text,
  auth_label_snapshot: text,
  auth_file_snapshot: text,
  auth_provider_snapshot: text,
  auth_project_id_snapshot: text,
  auth_index: text,
  source: text,
});

const scopeShape = {
  model_scope_kind: z.enum(SNAPSHOT_SCOPE_KINDS).nullish(),
  model_scope_key: text,
  model_ids: z.array(z.string()).max(SNAPSHOT_LIMITS.modelIds).nullish(),
};

const windowRequestSchema = z.strictObject({
  provider_window_id: z.string(),
  window_kind: text,
  window_mode: z.enum(WINDOW_MODES).nullish(),
  ...scopeShape,
  provider_window_aliases: z.array(z.string()).max(SNAPSHOT_LIMITS.aliases).nullish(),
  source: z.enum(QUOTA_SOURCES).nullish(),
  observed_at_ms: z.int().nullish(),
  source_observation_id: text,
  boundary_accuracy: z.enum(BOUNDARY_ACCURACIES).nullish(),
  cycle_start_ms: positive,
  cycle_end_ms: positive,
  duration_seconds: positive,
  used_percent: percent,
  remaining_percent: percent,
  used_value: amount,
  limit_value: amount,
  quota_unit: text,
  reset_credits_available: z.int().min(0).nullish(),
  reset_credits: z
    .array(z.strictObject({ id: z.string(), expires_at_ms: z.int().nullish() }))
    .max(SNAPSHOT_LIMITS.resetCredits)
    .nullish(),
  plan_type: text,
  relationship_kind: z.enum(['concurrent_subwindow']).nullish(),
  container_provider_window_id: text,
});
export type SnapshotWindowRequest = z.infer<typeof windowRequestSchema>;

const removedWindowRequestSchema = z.strictObject({
  provider_window_id: z.string(),
  window_kind: text,
  ...scopeShape,
});
export type RemovedWindowRequest = z.infer<typeof removedWindowRequestSchema>;

const entryRequestSchema = z.strictObject({
  /** Echoed. */
  row_key: text,
  provider: z.string(),
  account: accountShape,
  observation: z
    .strictObject({
      source: z.enum(QUOTA_SOURCES).nullish(),
      source_observation_id: text,
      observed_at_ms: z.int().nullish(),
      inventory_scope_key: text,
      inventory_mode: z.enum(INVENTORY_MODES).nullish(),
    })
    .nullish(),
  windows: z.array(windowRequestSchema).nullish(),
  removed_windows: z.array(removedWindowRequestSchema).nullish(),
});
export type SnapshotEntryRequest = z.infer<typeof entryRequestSchema>;
export type SnapshotAccount = z.infer<typeof accountShape>;

export const quotaSnapshotsRequestSchema = z.strictObject({
  entries: z.array(entryRequestSchema).min(1).max(SNAPSHOT_LIMITS.entries),
});
export type QuotaSnapshotsRequest = z.infer<typeof quotaSnapshotsRequestSchema>;

export const quotaSnapshotsResponseSchema = z.strictObject({
  observed_at_ms: z.int(),
  /** In the order of the request. */
  items: z.array(
    z.strictObject({
      row_key: z.string().optional(),
      account_key: z.string(),
      provider: z.string(),
      /** 0 for a repeated observation. */
      inserted_count: z.int(),
    }),
  ),
});
export type QuotaSnapshotsResponse = z.infer<typeof quotaSnapshotsResponseSchema>;

export const quotaSnapshotsQuerySchema = z.strictObject({
  accounts: z
    .array(z.strictObject({ row_key: z.string(), provider: z.string(), account: accountShape }))
    .min(1)
    .max(SNAPSHOT_LIMITS.accounts),
  /** Default: the clock of the server. */
  now_ms: positive,
  include_inactive: z.boolean('boolean expected').nullish(),
});
export type QuotaSnapshotsQuery = z.infer<typeof quotaSnapshotsQuerySchema>;

/** One window as stored and shown; unknown members are left out, 0 is a value. */
const snapshotWindowShape = {
  provider_window_id: z.string(),
  window_kind: z.string().optional(),
  window_mode: z.enum(WINDOW_MODES),
  model_scope_kind: z.enum(SNAPSHOT_SCOPE_KINDS),
  model_scope_key: z.string().optional(),
  model_ids: z.array(z.string()).optional(),
  provider_window_aliases: z.array(z.string()).optional(),
  source: z.enum(QUOTA_SOURCES),
  observed_at_ms: z.int(),
  source_observation_id: z.string().optional(),
  boundary_accuracy: z.enum(BOUNDARY_ACCURACIES),
  cycle_start_ms: z.int().optional(),
  cycle_end_ms: z.int().optional(),
  duration_seconds: z.int().optional(),
  used_percent: z.number().optional(),
  remaining_percent: z.number().optional(),
  used_value: z.number().optional(),
  limit_value: z.number().optional(),
  quota_unit: z.string().optional(),
  reset_credits_available: z.int().optional(),
  reset_credits: z.array(z.strictObject({ id: z.string(), expires_at_ms: z.int().optional() })).optional(),
  plan_type: z.string().optional(),
  relationship_kind: z.literal('concurrent_subwindow').optional(),
  container_provider_window_id: z.string().optional(),
};

export const snapshotWindowSchema = z.strictObject(snapshotWindowShape);
export type SnapshotWindow = z.infer<typeof snapshotWindowSchema>;

const fieldSourceSchema = z.strictObject({ source: z.enum(QUOTA_SOURCES), observed_at_ms: z.int() });

/** Sources of members that do not come from the newest observation. */
export const fieldSourcesSchema = z.strictObject({
  quota: fieldSourceSchema.optional(),
  boundary: fieldSourceSchema.optional(),
  plan_type: fieldSourceSchema.optional(),
  reset_credits_available: fieldSourceSchema.optional(),
  reset_credits: fieldSourceSchema.optional(),
});
export type FieldSources = z.infer<typeof fieldSourcesSchema>;

/** One period of a window from a reset to the next. */
export const quotaCycleSchema = z.strictObject({
  id: z.int(),
  activation_id: z.int(),
  /** `provisional`: seen only with the generated boundary of an unused window. */
  state: z.enum(['active', 'closed', 'provisional']),
  scheduled_start_ms: z.int().optional(),
  scheduled_end_ms: z.int().optional(),
  actual_start_ms: z.int(),
  actual_end_ms: z.int().optional(),
  duration_seconds: z.int().optional(),
  boundary_accuracy: z.enum(BOUNDARY_ACCURACIES),
  end_reason: z.enum(CYCLE_END_REASONS).optional(),
  /** The container's cycle in which it began. */
  parent_cycle_id: z.int().optional(),
  forecast_eligible: z.boolean(),
});
export type QuotaCycle = z.infer<typeof quotaCycleSchema>;

export const quotaWindowViewSchema = z.strictObject({
  ...snapshotWindowShape,
  stale: z.boolean(),
  field_sources: fieldSourcesSchema,
  logical_window_id: z.int(),
  activation_generation: z.int(),
  availability: z.enum(AVAILABILITIES),
  first_seen_at_ms: z.int(),
  last_seen_at_ms: z.int(),
  missing_since_ms: z.int().optional(),
  deactivated_at_ms: z.int().optional(),
  current_cycle: quotaCycleSchema.optional(),
  /** Only when it ends where the current one starts; never of length zero. */
  previous_cycle: quotaCycleSchema.optional(),
});
export type QuotaWindowView = z.infer<typeof quotaWindowViewSchema>;

export const quotaSnapshotsQueryResponseSchema = z.strictObject({
  generated_at_ms: z.int(),
  /** In the order of the request. */
  items: z.array(
    z.strictObject({
      row_key: z.string(),
      account_key: z.string(),
      provider: z.string(),
      windows: z.array(quotaWindowViewSchema),
    }),
  ),
});
export type QuotaSnapshotsQueryResponse = z.infer<typeof quotaSnapshotsQueryResponseSchema>;
