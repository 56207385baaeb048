import * as z from 'zod';

/** Evidence of a used-up free allowance. Unknown members are left out. */
export const cooldownEvidenceSchema = z.strictObject({
  provider: z.literal('xai'),
  kind: z.literal('included_free_usage'),
  state: z.literal('exhausted'),
  code: z.string(),
  model: z.string().optional(),
  unit: z.literal('tokens').optional(),
  actual: z.int().optional(),
  limit: z.int().optional(),
  remaining: z.int().optional(),
  overage: z.int().optional(),
  window_kind: z.literal('rolling_24h').optional(),
  observed_at_ms: z.int().optional(),
  /** Absent when it is not the time of the cooldown. */
  recover_at_ms: z.int().optional(),
  /** True when no answer stated the time. Left out when false. */
  recover_at_estimated: z.literal(true).optional(),
  source: z.literal('response_body').optional(),
});
export type CooldownEvidence = z.infer<typeof cooldownEvidenceSchema>;

export const quotaCooldownSchema = z.strictObject({
  authFileName: z.string(),
  /** '' = unknown. */
  authIndex: z.string(),
  accountSnapshot: z.string().optional(),
  provider: z.string(),
  owner: z.string(),
  reasonCode: z.string().optional(),
  windowKind: z.string().optional(),
  evidence: cooldownEvidenceSchema.optional(),
  recoverAtMs: z.int(),
  disabledAtMs: z.int(),
  createdAtMs: z.int(),
});
export type QuotaCooldown = z.infer<typeof quotaCooldownSchema>;

export const quotaCooldownsResponseSchema = z.strictObject({
  /** Active ones by recovery time, overdue ones included. */
  items: z.array(quotaCooldownSchema),
});
export type QuotaCooldownsResponse = z.infer<typeof quotaCooldownsResponseSchema>;
