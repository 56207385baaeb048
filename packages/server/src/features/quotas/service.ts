import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import type { QuotaSnapshotsResponse } from '@manager/core/contract/quotas/snapshots';
import type { OperationClient } from '../../sqlite/contexts.ts';
import type { quotaSnapshotReads, quotaSnapshotWrites } from './store.ts';

export interface QuotaSnapshotServiceDeps {
  readonly reader: Pick<OperationClient<typeof quotaSnapshotReads>, 'run'>;
  readonly writer: Pick<OperationClient<typeof quotaSnapshotWrites>, 'run'>;
  readonly now: () => number;
}

export interface QuotaSnapshotService {
  /**
   * Stores the observations of a body, all or none.
   *
   * @throws AppError 400 that names the member
   */
  write(body: Uint8Array): Promise<QuotaSnapshotsResponse>;
  /**
   * The answer to a query, as JSON.
   *
   * @throws AppError 400 that names the member
   */
  query(body: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** Stores the quota windows of inspection results. Idempotent. */
  writeInspectionEvidence(observations: readonly QuotaObservation[]): Promise<void>;
}

export function createQuotaSnapshotService({ reader, writer, now }: QuotaSnapshotServiceDeps): QuotaSnapshotService {
  return {
    async write(body) {
      const nowMs = now();
      const entries = await reader.run('quotaSnapshotEntries', { body, nowMs });
      return writer.run('writeQuotaSnapshots', { entries, nowMs });
    },
    query: (body) => reader.run('quotaWindows', { body, nowMs: now() }),
    writeInspectionEvidence: (observations) => writer.run('writeInspectionEvidence', observations),
  };
}
