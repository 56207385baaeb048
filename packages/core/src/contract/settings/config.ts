import * as z from 'zod';
import { STORED_KEY_MASK } from '../constants.ts';
import { inspectionRequestSchema, inspectionResponseSchema } from '../inspection/config.ts';
import { collectorModeSchema } from '../system/status.ts';

export const collectorConfigSchema = z.strictObject({
  enabled: z.boolean(),
  collectorMode: collectorModeSchema,
  queue: z.string(),
  popSide: z.enum(['left', 'right']),
  batchSize: z.int(),
  pollIntervalMs: z.int(),
  queryLimit: z.int(),
  /** Left out when false. */
  tlsSkipVerify: z.literal(true).optional(),
});
export type CollectorConfig = z.infer<typeof collectorConfigSchema>;

export const managerConfigSchema = z.strictObject({
  cpaConnection: z.strictObject({
    /** '' = not set. */
    cpaBaseUrl: z.string(),
    managementKeyConfigured: z.boolean(),
    /** Where a key is stored; the key itself is never returned. */
    managementKey: z.literal(STORED_KEY_MASK).optional(),
  }),
  collector: collectorConfigSchema,
  codexInspection: inspectionResponseSchema,
  externalUsageService: z.strictObject({ enabled: z.literal(false) }),
  /** Absent when never saved. */
  updatedAtMs: z.int().optional(),
});
export type ManagerConfigResponse = z.infer<typeof managerConfigSchema>;

/** What the gateway reports about its usage queue. */
export const gatewayUsageSchema = z.strictObject({
  usageStatisticsEnabled: z.boolean(),
  redisUsageQueueRetentionSeconds: z.number(),
  /** True = the gateway does not report it, 60 seconds assumed. */
  retentionSourceDefault: z.boolean(),
});
export type GatewayUsage = z.infer<typeof gatewayUsageSchema>;

/** Answer of GET and PUT `/usage-service/config`. */
export const configResponseSchema = z.strictObject({
  config: managerConfigSchema,
  /** Source of the connection; '' = not set. */
  source: z.enum(['env', 'db', '']),
  /** GET only; absent when the gateway cannot be read. */
  cpaUsage: gatewayUsageSchema.optional(),
});
export type ConfigResponse = z.infer<typeof configResponseSchema>;

/**
 * PUT body. Blank text, numbers of 0 or less and an absent `collector.enabled` keep the saved value; an absent
 * `collector.tlsSkipVerify` means false.
 */
export const configPutRequestSchema = z.object({
  config: z.object({
    cpaConnection: z
      .object({
        cpaBaseUrl: z.string().nullish(),
        /** Blank or `********` = the stored key. */
        managementKey: z.string().nullish(),
      })
      .nullish(),
    collector: z
      .object({
        enabled: z.boolean().nullish(),
        collectorMode: z.string().nullish(),
        queue: z.string().nullish(),
        popSide: z.string().nullish(),
        batchSize: z.int().nullish(),
        pollIntervalMs: z.int().nullish(),
        queryLimit: z.int().nullish(),
        tlsSkipVerify: z.boolean().nullish(),
      })
      .nullish(),
    codexInspection: inspectionRequestSchema.nullish(),
  }),
});
export type ConfigPutRequest = z.infer<typeof configPutRequestSchema>;
