import { accountSnapshots } from '@manager/core/usage/enrich';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import type { AuthFileLists } from '../../gateway/auth-file-list.ts';
import type { GatewayConnection } from '../../platform/config/config.ts';
import type { CollectorTiming } from './timing.ts';
import { within } from './wait.ts';

/** Account snapshots for the events of one run. */
export interface Snapshots {
  /**
   * The table for the current batch. Waits (briefly) only when it is missing or too old, and never twice in a row for a gateway
   * that does not return its list.
   */
  forBatch(): Promise<AccountSnapshotTable | null>;
  /** The gateway changed its accounts: fetches again, without delaying batches. */
  drop(): void;
}

export function createSnapshots(deps: {
  readonly lists: AuthFileLists;
  readonly connection: GatewayConnection;
  readonly tlsSkipVerify: boolean;
  readonly now: () => number;
  readonly timing: CollectorTiming;
}): Snapshots {
  const { lists, connection, now, timing } = deps;
  let table: AccountSnapshotTable | null = null;
  let droppedAtMs: number | null = null;
  let refreshing: Promise<void> | null = null;
  let lastFailed = false;

  function refresh(): Promise<void> {
    refreshing ??= lists
      .get(connection, { tlsSkipVerify: deps.tlsSkipVerify })
      .then((list) => {
        lastFailed = Math.abs(now() - list.fetchedAtMs) > timing.snapshotMaxAgeMs;
        if (list.fetchedAtMs !== table?.fetchedAtMs) table = accountSnapshots(list.files, list.fetchedAtMs);
        // A time that has not come yet is older than a clock that was set back.
        if (droppedAtMs !== null && (list.fetchedAtMs >= droppedAtMs || droppedAtMs > now())) droppedAtMs = null;
      })
      .catch(() => {
        // Events are then stored without names; nothing waits for the list until it arrives.
        lastFailed = true;
      })
      .finally(() => {
        refreshing = null;
      });
    return refreshing;
  }

  return {
    async forBatch() {
      const ageMs = table === null ? Number.POSITIVE_INFINITY : Math.abs(now() - table.fetchedAtMs);
      if (ageMs >= timing.snapshotRefreshMs || droppedAtMs !== null) {
        const fresh = refresh();
        if (ageMs >= timing.snapshotMaxAgeMs && !lastFailed) {
          await within(fresh, timing.snapshotWaitMs);
        }
      }
      return table;
    },
    drop() {
      droppedAtMs = now();
      lists.drop();
      void refresh();
    },
  };
}
