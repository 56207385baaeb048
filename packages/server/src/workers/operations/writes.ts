import { createApplyAccountEffects } from '../../events/account-feed/apply.ts';
import { noteClocks } from '../../events/background/clock-readings.ts';
import { stepDataMigration } from '../../events/background/step.ts';
import { fillHeaderSnapshots } from '../../events/ingest/header-snapshots-fill.ts';
import { catchUpHourlyRollup } from '../../events/ingest/hourly-catch-up.ts';
import { importEvents, ingest, recordDeadLetters } from '../../events/ingest/operations.ts';
import { release } from '../../facts/decode/release.ts';
import { replaceTail, type SealedTail, trimTail } from '../../facts/seal.ts';
import { type SegmentSums, segmentWithoutSums, storeSums } from '../../facts/sums/write.ts';
import { recordFailures } from '../../features/account-actions/queries/candidates.ts';
import { recordSuccesses } from '../../features/account-actions/queries/confirmations.ts';
import { candidateWrites } from '../../features/account-actions/store.ts';
import { spaceWrites } from '../../features/archives/compact/online/space.ts';
import { archiveStageWrites } from '../../features/archives/stages/operations.ts';
import { archiveWrites } from '../../features/archives/store.ts';
import { deleteAlias, upsertAliases } from '../../features/client-keys/store.ts';
import { collectorWrites } from '../../features/collector/store.ts';
import { requestCooldowns } from '../../features/cooldowns/claim.ts';
import { configurationWrites } from '../../features/gateway-configuration/store.ts';
import { inspectionWrites } from '../../features/inspection/store.ts';
import { notificationWrites } from '../../features/notifications/store.ts';
import { replaceModelPrices } from '../../features/prices/store.ts';
import { applyPriceSync } from '../../features/prices/sync/store.ts';
import { writeObservations } from '../../features/quotas/queries/write-observations.ts';
import { quotaSnapshotWrites } from '../../features/quotas/store.ts';
import { viewerLinkWrites } from '../../features/viewer-links/store.ts';
import { claimWrites } from '../../gateway/claims/store.ts';
import { checkpoint } from '../../sqlite/checkpoint.ts';
import type { WriterContext } from '../../sqlite/contexts.ts';
import { putSettings } from '../../sqlite/settings.ts';
import { ownTransactions } from '../../sqlite/worker/transactions.ts';

/** Every operation of the writer worker, by the name its client uses. */
export const WRITES = {
  ingest,
  importEvents,
  recordDeadLetters,
  putSettings,
  replaceTail: ownTransactions((context: WriterContext, sealed: SealedTail) => {
    const isReplaced = replaceTail(context, sealed);
    for (const { data } of sealed.columns) release(data);
    return isReplaced;
  }),
  trimTail: ownTransactions((context: WriterContext, _args: null) => trimTail(context)),
  segmentWithoutSums: ({ db }: WriterContext, _args: null) => segmentWithoutSums(db),
  storeSums: ({ db }: WriterContext, made: SegmentSums) => storeSums(db, made),
  upsertAliases,
  deleteAlias,
  replaceModelPrices,
  applyPriceSync,
  catchUpHourlyRollup,
  fillHeaderSnapshots,
  stepDataMigration,
  noteClocks,
  checkpoint: ownTransactions(checkpoint),
  ...collectorWrites,
  ...archiveWrites,
  ...archiveStageWrites,
  ...spaceWrites,
  ...inspectionWrites,
  ...quotaSnapshotWrites,
  ...claimWrites,
  ...candidateWrites,
  ...configurationWrites,
  ...notificationWrites,
  ...viewerLinkWrites,
  applyAccountEffects: createApplyAccountEffects({
    writeObservations,
    requestCooldowns,
    recordSuccesses,
    recordFailures,
  }),
} as const;

export type Writes = typeof WRITES;
