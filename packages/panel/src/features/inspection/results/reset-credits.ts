import { SNAPSHOT_LIMITS } from '@manager/core/contract/constants';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { QuotaSnapshotsQuery, QuotaSnapshotsQueryResponse } from '@manager/core/contract/quotas/snapshots';

/** Only this provider has credits that reset a quota. */
const PROVIDER = 'codex';

/** Requests the accounts that an unused credit could keep enabled. */
export function creditQuestion(results: readonly InspectionResult[]): QuotaSnapshotsQuery {
  return {
    accounts: results
      .filter(({ action, provider, isQuota }) => action === 'disable' && provider === PROVIDER && isQuota)
      .slice(0, SNAPSHOT_LIMITS.accounts)
      .map(accountOf),
  };
}

function accountOf(result: InspectionResult): QuotaSnapshotsQuery['accounts'][number] {
  return {
    row_key: String(result.id),
    provider: result.provider,
    account: {
      auth_file_snapshot: result.fileName,
      auth_provider_snapshot: result.provider,
      auth_index: result.authIndex ?? null,
      account_snapshot: result.accountSnapshot ?? null,
    },
  };
}

/** Unused reset credits by result id: the maximum over an account's windows, which all report the same credits. */
export function creditsOf({ items }: QuotaSnapshotsQueryResponse): ReadonlyMap<number, number> {
  const credits = new Map<number, number>();
  for (const { row_key, windows } of items) {
    const most = Math.max(0, ...windows.map((window) => window.reset_credits_available ?? 0));
    if (most > 0) credits.set(Number(row_key), most);
  }
  return credits;
}
