import { bootstrapStatusSchema } from '@manager/core/contract/system/info';
import { z } from 'zod';

/** Version of the stored connection; 2 = both rows normalized and encrypted. */
export const CONNECTION_STORAGE_VERSION = 2;

const STATE = z.object({
  version: z.literal(1),
  status: bootstrapStatusSchema,
  adminReady: z.boolean(),
  projectInitialized: z.boolean(),
  dataKeyReady: z.boolean(),
  migratedLegacy: z.boolean(),
  hasHistoricalData: z.boolean(),
  connectionStorageMigrationVersion: z.number().int().optional(),
  updatedAtMs: z.number(),
});

/** Row `bootstrap_state_v1`. */
export type BootstrapState = z.infer<typeof STATE>;

/** null when the row is missing or unreadable; it is computed again at every start. */
export function parseBootstrapState(text: string | null): BootstrapState | null {
  if (text === null) return null;
  try {
    return STATE.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
