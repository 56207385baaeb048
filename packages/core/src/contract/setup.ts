import * as z from 'zod';
import { gatewayUsageSchema } from './settings/config.ts';

/** `POST /setup`. null equals absent; of several names for one value the first one that is not blank counts. */
export const setupRequestSchema = z.object({
  cpaBaseUrl: z.string().nullish(),
  upstreamUrl: z.string().nullish(),
  upstreamBaseUrl: z.string().nullish(),
  /** `********` = the stored key. */
  cpaManagementKey: z.string().nullish(),
  managementKey: z.string().nullish(),
  upstreamManagementKey: z.string().nullish(),
  /** Checked like the Authorization header when the header is absent. */
  adminKey: z.string().nullish(),
  /** Anything but `subscribe`, `http` and `resp` means `auto`. */
  collectorMode: z.string().nullish(),
  queue: z.string().nullish(),
  popSide: z.string().nullish(),
  /** Numbers of 0 or less mean the configured value. */
  batchSize: z.int().nullish(),
  pollIntervalMs: z.int().nullish(),
  queryLimit: z.int().nullish(),
  tlsSkipVerify: z.boolean().nullish(),
  /** Default true. */
  requestMonitoringEnabled: z.boolean().nullish(),
  /** Default: the same as `requestMonitoringEnabled`. */
  ensureUsageStatisticsEnabled: z.boolean().nullish(),
});
export type SetupRequest = z.infer<typeof setupRequestSchema>;

export const setupResponseSchema = z.strictObject({
  ok: z.literal(true),
  /** Normalised URL. */
  upstream: z.string(),
});
export type SetupResponse = z.infer<typeof setupResponseSchema>;

/**
 * `POST /setup/check`: what a setup would find, before anything is saved or changed. It takes the members of a setup; without a URL
 * only the admin key is checked, without a management key only the address.
 */
export const setupCheckResponseSchema = z.strictObject({
  ok: z.literal(true),
  /** Normalised URL; '' = none was sent. */
  upstream: z.string(),
  /** Only where the management key was checked. */
  cpaUsage: gatewayUsageSchema.optional(),
});
export type SetupCheckResponse = z.infer<typeof setupCheckResponseSchema>;
