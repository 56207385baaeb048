import * as z from 'zod';
import {
  ACTION_STATUSES,
  EXECUTABLE_ACTIONS,
  INSPECTION_ACTIONS,
  INSPECTION_LOG_LEVELS,
  OUTCOME_STATUSES,
} from '../constants.ts';
import type { QuotaWindow } from '../quotas/window.ts';
import { inspectionResponseSchema } from './config.ts';

export const INSPECTION_RUN_STATUSES = [
  'running',
  'cancelling',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
] as const;
export type InspectionRunStatus = (typeof INSPECTION_RUN_STATUSES)[number];

export const INSPECTION_TRIGGERS = ['manual', 'scheduled'] as const;
export type InspectionTrigger = (typeof INSPECTION_TRIGGERS)[number];

export type InspectionAction = (typeof INSPECTION_ACTIONS)[number];

export type ExecutableAction = (typeof EXECUTABLE_ACTIONS)[number];

export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

export type ActionStatus = (typeof ACTION_STATUSES)[number];

export type InspectionLogLevel = (typeof INSPECTION_LOG_LEVELS)[number];

/** Body of `POST …/runs/{id}/actions`. The run decides which ids and overrides are allowed. */
export const inspectionActionsRequestSchema = z.object({
  resultIds: z.array(z.int()),
  actionOverrides: z.array(z.object({ resultId: z.int(), action: z.string() })).nullish(),
});
export type InspectionActionsRequest = z.infer<typeof inspectionActionsRequestSchema>;

/** One run. `active` and `cancellable` describe its task in this process, not the stored row. */
export const inspectionRunSchema = z.strictObject({
  id: z.int(),
  triggerType: z.enum(INSPECTION_TRIGGERS),
  triggerKey: z.string().optional(),
  /** One of `INSPECTION_RUN_STATUSES`; an unknown word from another version is passed on. */
  status: z.string(),
  startedAtMs: z.int(),
  finishedAtMs: z.int().optional(),
  /** Accounts that the gateway listed. */
  totalFiles: z.int(),
  /** Accounts of the inspected providers. */
  probeSetCount: z.int(),
  sampledCount: z.int(),
  /** State of the sampled accounts, after actions. */
  disabledCount: z.int(),
  enabledCount: z.int(),
  /** Suggestions. */
  deleteCount: z.int(),
  disableCount: z.int(),
  enableCount: z.int(),
  reauthCount: z.int(),
  keepCount: z.int(),
  error: z.string().optional(),
  settings: inspectionResponseSchema,
  createdAtMs: z.int(),
  updatedAtMs: z.int(),
  active: z.boolean(),
  cancellable: z.boolean(),
});
export type InspectionRun = z.infer<typeof inspectionRunSchema>;

const quotaWindowSchema = z.strictObject({
  id: z.string(),
  labelKey: z.string(),
  labelParams: z.record(z.string(), z.string()).exactOptional(),
  usedPercent: z.number().exactOptional(),
  resetLabel: z.string(),
  resetAtMs: z.int().exactOptional(),
  resetAccuracy: z.enum(['exact', 'derived', 'unknown']),
  limitWindowSeconds: z.number().exactOptional(),
  modelScope: z.strictObject({
    kind: z.enum(['all', 'family', 'models', 'product', 'feature']),
    key: z.string().exactOptional(),
    models: z.array(z.string()).readonly().exactOptional(),
    complete: z.boolean(),
  }),
  providerWindowAliases: z.array(z.string()).readonly().exactOptional(),
}) satisfies z.ZodType<QuotaWindow>;

/** The result for one account. */
export const inspectionResultSchema = z.strictObject({
  id: z.int(),
  runId: z.int(),
  /** Unique within the run. */
  accountKey: z.string(),
  fileName: z.string(),
  displayAccount: z.string(),
  accountSnapshot: z.string().exactOptional(),
  authIndex: z.string().exactOptional(),
  accountId: z.string().exactOptional(),
  provider: z.string(),
  /** State at the gateway, after the action if there was one. */
  disabled: z.boolean(),
  status: z.string().exactOptional(),
  state: z.string().exactOptional(),
  action: z.enum(INSPECTION_ACTIONS),
  /** A translation key or a sentence; never parsed. */
  actionReason: z.string(),
  actionStatus: z.enum(ACTION_STATUSES),
  /** Only after success. */
  executedAction: z.enum(EXECUTABLE_ACTIONS).exactOptional(),
  actionError: z.string().exactOptional(),
  /** Status of the provider; absent = unknown. */
  statusCode: z.int().exactOptional(),
  usedPercent: z.number().exactOptional(),
  isQuota: z.boolean(),
  autoRecoverEligible: z.boolean(),
  /** True without windows: the provider reported none. False: its answer did not report windows. */
  quotaInventoryObserved: z.boolean(),
  error: z.string().exactOptional(),
  errorKind: z.string().exactOptional(),
  errorDetail: z.string().exactOptional(),
  planType: z.string().exactOptional(),
  quotaWindows: z.array(quotaWindowSchema).readonly().exactOptional(),
  /** Time of the probe. */
  createdAtMs: z.int(),
});
export type InspectionResult = Readonly<z.infer<typeof inspectionResultSchema>>;

export const inspectionLogSchema = z.strictObject({
  id: z.int(),
  runId: z.int(),
  level: z.enum(INSPECTION_LOG_LEVELS),
  /** A translation key. */
  message: z.string(),
  detail: z.json().optional(),
  createdAtMs: z.int(),
});
export type InspectionLog = z.infer<typeof inspectionLogSchema>;

/** Answer of `POST …/run`, `GET …/runs/{id}` and `POST …/runs/{id}/cancel`. */
export const inspectionRunDetailSchema = z.strictObject({
  run: inspectionRunSchema,
  /** By file name, displayed account, id. */
  results: z.array(inspectionResultSchema),
  /** By time, id. */
  logs: z.array(inspectionLogSchema),
});
export type InspectionRunDetail = z.infer<typeof inspectionRunDetailSchema>;

/** Answer of `GET …/runs`, newest first. */
export const inspectionRunListSchema = z.strictObject({ items: z.array(inspectionRunSchema) });
export type InspectionRunList = z.infer<typeof inspectionRunListSchema>;

/** The outcome for one selected result. */
export const inspectionOutcomeSchema = z.strictObject({
  resultId: z.int(),
  accountKey: z.string().optional(),
  fileName: z.string(),
  displayAccount: z.string(),
  action: z.enum(INSPECTION_ACTIONS),
  status: z.enum(OUTCOME_STATUSES),
  /** False only for `failed`. */
  success: z.boolean(),
  error: z.string().optional(),
});
export type InspectionOutcome = z.infer<typeof inspectionOutcomeSchema>;

/** Answer of `POST …/runs/{id}/actions`. */
export const inspectionActionsResponseSchema = z.strictObject({
  outcomes: z.array(inspectionOutcomeSchema),
  detail: inspectionRunDetailSchema,
});
export type InspectionActionsResponse = z.infer<typeof inspectionActionsResponseSchema>;

const RUN_LIMIT = { default: 20, max: 200, above: 50 } as const;

/**
 * The `limit` of a list of runs: no positive integer means 20, more than 200 means 50.
 *
 * @example inspectionRunLimit('500') // 50
 */
export function inspectionRunLimit(text: string | null | undefined): number {
  const given = (text ?? '').trim();
  const limit = /^\+?\d+$/.test(given) ? Number(given) : 0;
  if (limit <= 0) return RUN_LIMIT.default;
  return limit > RUN_LIMIT.max ? RUN_LIMIT.above : limit;
}
