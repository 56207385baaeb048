import * as z from 'zod';

/** Compatibility token: panels switch to full mode only on an exact match of `service`. */
export const SERVICE_NAME = 'cpa-manager-plus';

/** How far the first start has come; stored in the bootstrap state. */
export const bootstrapStatusSchema = z.enum(['fresh', 'ready', 'migrated', 'needs_setup']);
export type BootstrapStatus = z.infer<typeof bootstrapStatusSchema>;

/** `GET /health`: served as soon as the listener is, whatever the setup state. */
export const healthResponseSchema = z.strictObject({
  ok: z.literal(true),
  service: z.literal(SERVICE_NAME),
});
export type HealthResponse = z.infer<typeof healthResponseSchema>;

/** `GET /usage-service/info`: public, so no secret, URL or path. */
export const infoResponseSchema = z.strictObject({
  service: z.literal(SERVICE_NAME),
  mode: z.literal('embedded'),
  /** Process start, ms. */
  startedAt: z.int(),
  /** An upstream URL and its key are in effect; always equal to `projectInitialized`. */
  configured: z.boolean(),
  projectInitialized: z.boolean(),
  adminReady: z.boolean(),
  setupRequired: z.boolean(),
  migrationStatus: bootstrapStatusSchema.optional(),
  /** False when a stored secret cannot be read with the present data key. */
  dataKeyReady: z.boolean(),
  hasHistoricalData: z.boolean(),
  version: z.string(),
  /** Present only on a server started by `npm run demo`. */
  demo: z.literal(true).optional(),
});
export type InfoResponse = z.infer<typeof infoResponseSchema>;
