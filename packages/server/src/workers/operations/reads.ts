import { deriveAccountEffects } from '../../events/account-feed/derive.ts';
import { dataMigration, dataMigrationsCompleted } from '../../events/background/state.ts';
import { storedCounts } from '../../events/stored-counts.ts';
import { candidateReads } from '../../features/account-actions/store.ts';
import { spaceReads } from '../../features/archives/compact/online/space.ts';
import { maintenanceReads } from '../../features/archives/maintenance/store.ts';
import { archiveStageReads } from '../../features/archives/stages/operations.ts';
import { archiveReads } from '../../features/archives/store.ts';
import { listAliases } from '../../features/client-keys/store.ts';
import { collectorReads } from '../../features/collector/store.ts';
import { configurationReads } from '../../features/gateway-configuration/store.ts';
import { inspectionReads } from '../../features/inspection/store.ts';
import { notificationReads } from '../../features/notifications/store.ts';
import { modelPricesBody } from '../../features/prices/store.ts';
import { chosenPriceEntries, priceSyncBody } from '../../features/prices/sync/store.ts';
import { quotaSnapshotReads } from '../../features/quotas/store.ts';
import { eventReads } from '../../features/transfer/export/event-reads.ts';
import { viewerLinkReads } from '../../features/viewer-links/store.ts';
import { claimReads } from '../../gateway/claims/store.ts';
import { maintenanceWork } from '../../schema/deferred-indexes.ts';
import { getSettings } from '../../sqlite/settings.ts';

/** Every operation of the reader pool, by the name its client uses. */
export const READS = {
  getSettings,
  storedCounts,
  dataMigration,
  dataMigrationsCompleted,
  maintenanceWork,
  listAliases,
  modelPricesBody,
  priceSyncBody,
  chosenPriceEntries,
  ...eventReads,
  ...collectorReads,
  ...archiveReads,
  ...archiveStageReads,
  ...inspectionReads,
  ...maintenanceReads,
  ...spaceReads,
  ...quotaSnapshotReads,
  ...claimReads,
  ...candidateReads,
  ...configurationReads,
  ...notificationReads,
  ...viewerLinkReads,
  deriveAccountEffects,
} as const;

export type Reads = typeof READS;
