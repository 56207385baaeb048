import * as z from 'zod';

/** Compatibility token: panels use full mode only when `service` is exactly this. */
export const SERVICE_NAME = 'cpa-manager-plus';

/** Progress of the first start; stored in the bootstrap state. */
export const bootstrapStatusSchema = z.enum(['fresh', 'ready', 'migrated', 'needs_setup']);
export type BootstrapStatus = z.infer<typeof bootstrapStatusSchema>;

/** `GET /health`: served from the start of the listener, whatever the setup state. */
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
  /** A gateway URL and its key are set; always equal to `projectInitialized`. */
  configured: z.boolean(),
  projectInitialized: z.boolean(),
  adminReady: z.boolean(),
  setupRequired: z.boolean(),
  migrationStatus: bootstrapStatusSchema.optional(),
  /** False when the current data key cannot decrypt a stored secret. */
  dataKeyReady: z.boolean(),
  hasHistoricalData: z.boolean(),
  version: z.string(),
  /** Present only on a server started by `npm run demo`. */
  demo: z.literal(true).optional(),
});
export type InfoResponse = z.infer<typeof infoResponseSchema>;
