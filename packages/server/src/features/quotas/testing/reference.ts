import { observe } from '@manager/core/accounts/quota/lifecycle';
import { EMPTY_QUOTA_STATE, type QuotaState } from '@manager/core/accounts/quota/lifecycle-state';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { type SnapshotRow, windowViews } from '@manager/core/accounts/quota/read-selection';
import type { QuotaWindowView } from '@manager/core/contract/quotas/snapshots';
import { observationHash } from '../queries/observations.ts';

/** One account in memory to which every observation is applied separately: the reference for stored answers. */
export function createReference() {
  let state: QuotaState = EMPTY_QUOTA_STATE;
  let rows: (SnapshotRow & { readonly hash: string })[] = [];
  let lastId = 0;
  const seen = new Set<string>();
  return {
    state: () => state,
    see(observation: QuotaObservation): void {
      const hash = observationHash(observation);
      if (seen.has(hash)) return;
      seen.add(hash);
      const newId = () => {
        lastId += 1;
        return String(lastId);
      };
      const outcome = observe(state, observation, { hash, newId });
      state = outcome.state;
      rows = rows.filter((row) => row.hash !== outcome.displacedHash);
      for (const { inLifecycle, logicalWindowId, window } of outcome.rows) {
        if (inLifecycle && logicalWindowId !== null) rows.push({ id: rows.length + 1, hash, logicalWindowId, window });
      }
    },
    views(nowMs: number, includeInactive: boolean): readonly QuotaWindowView[] {
      return windowViews(state, rows, { provider: 'codex', nowMs, includeInactive });
    },
  };
}
