import * as z from 'zod';

/** Names of the switches in a PATCH and in the database. */
export const POLICY_FIELDS = [
  'codexQuotaCooldownEnabled',
  'authIssueQueueEnabled',
  'authIssueAutoDisableEnabled',
] as const;
export type PolicyField = (typeof POLICY_FIELDS)[number];

const change = z.boolean('boolean expected').nullish();

/** Absent and null change nothing; other members are ignored. */
export const processingPolicyPatchSchema = z.object({
  codexQuotaCooldownEnabled: change,
  authIssueQueueEnabled: change,
  authIssueAutoDisableEnabled: change,
});

const sourceSchema = z.enum(['startup', 'env', 'database']);

export const policyCapabilitySchema = z.strictObject({
  /** Whether it is active: what it depends on must be enabled too. */
  enabled: z.boolean(),
  configured: z.boolean(),
  source: sourceSchema,
  /** Set by the environment. */
  locked: z.boolean(),
  envKey: z.string(),
  configFileKey: z.string(),
  dependsOn: z.literal('authIssueQueue').optional(),
});
export type PolicyCapability = z.infer<typeof policyCapabilitySchema>;

export const processingPolicyResponseSchema = z.strictObject({
  source: sourceSchema,
  /** Absent when never saved. */
  updatedAtMs: z.int().optional(),
  /** For every provider, despite the name. */
  codexQuotaCooldown: policyCapabilitySchema,
  authIssueQueue: policyCapabilitySchema,
  authIssueAutoDisable: policyCapabilitySchema,
});
export type ProcessingPolicyResponse = z.infer<typeof processingPolicyResponseSchema>;
