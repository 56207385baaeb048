import { deriveAccountEffects } from '../../account-events/derive.ts';
import { candidateReads } from '../../features/account-actions/store.ts';
import { listAliases } from '../../features/aliases/store.ts';
import { archiveStageReads } from '../../features/archives/stages/operations.ts';
import { archiveReads } from '../../features/archives/store.ts';
import { collectorReads } from '../../features/collector/store.ts';
import { eventReads } from '../../features/events/event-reads.ts';
import { inspectionReads } from '../../features/inspection/store.ts';
import { maintenanceReads } from '../../features/maintenance/store.ts';
import { modelPricesBody } from '../../features/prices/store.ts';
import { priceSyncBody } from '../../features/prices/sync/store.ts';
import { cooldownReads } from '../../features/quota-cooldowns/store.ts';
import { quotaSnapshotReads } from '../../features/quota-snapshots/store.ts';
import { dataMigration, dataMigrationsCompleted } from '../background/state.ts';
import { maintenanceWork } from '../deferred-indexes.ts';
import { getSettings } from '../settings.ts';
import { storedCounts } from '../stored-counts.ts';

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
  ...eventReads,
  ...collectorReads,
  ...archiveReads,
  ...archiveStageReads,
  ...inspectionReads,
  ...maintenanceReads,
  ...quotaSnapshotReads,
  ...cooldownReads,
  ...candidateReads,
  deriveAccountEffects,
} as const;

export type Reads = typeof READS;
