import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { queriedAccounts, type SnapshotEntry, snapshotEntries } from '@manager/core/accounts/quota/snapshot';
import {
  type QuotaSnapshotsQueryResponse,
  type QuotaSnapshotsResponse,
  quotaSnapshotsQuerySchema,
  quotaSnapshotsRequestSchema,
} from '@manager/core/contract/quotas/snapshots';
import { parseJsonBody } from '../../http/body.ts';
import type { ReaderContext, WriterContext } from '../../sqlite/contexts.ts';
import { Transfer } from '../../sqlite/worker/transfer.ts';
import { type PruneArgs, type PruneOutcome, pruneRows } from './queries/prune.ts';
import { quotaLevels } from './queries/quota-levels.ts';
import { readWindows } from './queries/read-windows.ts';
import { writeSentObservations } from './queries/write-observations.ts';

export interface QuotaBody {
  /** JSON, as sent. */
  readonly body: Uint8Array;
  readonly nowMs: number;
}

/**
 * Read operation: the validated entries of a write. Bodies may be large, so they are parsed here.
 *
 * @throws AppError 400 that names the member
 */
function quotaSnapshotEntries(_context: ReaderContext, { body, nowMs }: QuotaBody): readonly SnapshotEntry[] {
  return snapshotEntries(parseJsonBody(quotaSnapshotsRequestSchema, body), nowMs);
}

/**
 * Read operation: the answer to a query, as JSON.
 *
 * @throws AppError 400 that names the member
 */
function quotaWindows({ db }: ReaderContext, { body, nowMs }: QuotaBody): Transfer<Uint8Array<ArrayBuffer>> {
  const query = parseJsonBody(quotaSnapshotsQuerySchema, body);
  const question = { nowMs: query.now_ms ?? nowMs, includeInactive: query.include_inactive ?? false };
  const accounts = queriedAccounts(query);
  const answer = db.transaction((): QuotaSnapshotsQueryResponse => {
    return {
      generated_at_ms: nowMs,
      items: accounts.map(({ rowKey, ...name }) => ({
        row_key: rowKey,
        account_key: name.accountKey,
        provider: name.provider,
        windows: [...readWindows(db, name, question)],
      })),
    };
  })();
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  return new Transfer(bytes, [bytes.buffer]);
}

/** Write operation: all entries or none. */
function writeQuotaSnapshots(
  { db }: WriterContext,
  { entries, nowMs }: { readonly entries: readonly SnapshotEntry[]; readonly nowMs: number },
): QuotaSnapshotsResponse {
  const counts = writeSentObservations(
    db,
    entries.map(({ observation }) => observation),
  );
  return {
    observed_at_ms: nowMs,
    items: entries.map(({ rowKey, observation: { accountKey, provider } }, index) => ({
      ...(rowKey === '' ? {} : { row_key: rowKey }),
      account_key: accountKey,
      provider,
      inserted_count: counts[index] ?? 0,
    })),
  };
}

/** Write operation: the quota windows of stored inspection results, all or none. Idempotent. */
function writeInspectionEvidence({ db }: WriterContext, observations: readonly QuotaObservation[]): void {
  writeSentObservations(db, observations);
}

/** Write operation. */
function pruneQuotaSnapshots({ db }: WriterContext, args: PruneArgs): PruneOutcome {
  return pruneRows(db, args);
}

/** Listed in `workers/operations/reads.ts`. */
export const quotaSnapshotReads = { quotaSnapshotEntries, quotaWindows, quotaLevels } as const;

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const quotaSnapshotWrites = { writeQuotaSnapshots, writeInspectionEvidence, pruneQuotaSnapshots } as const;
