import { replaceTail, type SealedTail, trimTail } from '../../facts/seal.ts';
import { candidateWrites } from '../../features/account-actions/store.ts';
import { deleteAlias, upsertAliases } from '../../features/aliases/store.ts';
import { archiveStageWrites } from '../../features/archives/stages/operations.ts';
import { archiveWrites } from '../../features/archives/store.ts';
import { collectorWrites } from '../../features/collector/store.ts';
import { inspectionWrites } from '../../features/inspection/store.ts';
import { replaceModelPrices } from '../../features/prices/store.ts';
import { applyPriceSync } from '../../features/prices/sync/store.ts';
import { cooldownWrites } from '../../features/quota-cooldowns/store.ts';
import { quotaSnapshotWrites } from '../../features/quota-snapshots/store.ts';
import { stepDataMigration } from '../background/step.ts';
import { checkpoint } from '../checkpoint.ts';
import type { WriterContext } from '../contexts.ts';
import { fillHeaderSnapshots } from '../ingest/header-snapshots-fill.ts';
import { catchUpHourlyCore } from '../ingest/hourly-catch-up.ts';
import { importEvents, ingest, recordDeadLetters } from '../ingest/operations.ts';
import { putSettings } from '../settings.ts';
import { ownTransactions } from '../worker/transactions.ts';
import { automationWrites } from './automation.ts';

/** Every operation of the writer worker, by the name its client uses. */
export const WRITES = {
  ingest,
  importEvents,
  recordDeadLetters,
  putSettings,
  replaceTail: ownTransactions((context: WriterContext, sealed: SealedTail) => replaceTail(context, sealed)),
  trimTail: ownTransactions((context: WriterContext, _args: null) => trimTail(context)),
  upsertAliases,
  deleteAlias,
  replaceModelPrices,
  applyPriceSync,
  catchUpHourlyCore,
  fillHeaderSnapshots,
  stepDataMigration,
  checkpoint: ownTransactions(checkpoint),
  ...collectorWrites,
  ...archiveWrites,
  ...archiveStageWrites,
  ...inspectionWrites,
  ...quotaSnapshotWrites,
  ...automationWrites,
  ...cooldownWrites,
  ...candidateWrites,
} as const;

export type Writes = typeof WRITES;
