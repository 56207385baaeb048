import { listAliases } from '../../features/aliases/store.ts';
import { archiveStageReads } from '../../features/archives/stages/operations.ts';
import { collectorReads } from '../../features/collector/store.ts';
import { eventReads } from '../../features/events/event-reads.ts';
import { modelPricesBody } from '../../features/prices/store.ts';
import { priceSyncBody } from '../../features/prices/sync/store.ts';
import { dataMigration } from '../background/state.ts';
import { getSettings } from '../settings.ts';
import { storedCounts } from '../stored-counts.ts';

/** Every operation of the reader pool, by the name its client uses. */
export const READS = {
  getSettings,
  storedCounts,
  dataMigration,
  listAliases,
  modelPricesBody,
  priceSyncBody,
  ...eventReads,
  ...collectorReads,
  ...archiveStageReads,
} as const;

export type Reads = typeof READS;
