import type { Database } from 'bun:sqlite';
import type { QuotaState, WindowState } from '@manager/core/accounts/quota/lifecycle-state';
import {
  MAX_CANDIDATE_ROWS,
  type ReadQuestion,
  ROWS_PER_SOURCE,
  type SnapshotRow,
  windowViews,
} from '@manager/core/accounts/quota/read-selection';
import { type Availability, QUOTA_SOURCES, type QuotaWindowView } from '@manager/core/contract/quotas/snapshots';
import { hashOfKey } from '../../../events/ingest/hash-key.ts';
import { caughtUp, type RowEnd, type Runs } from '../runs.ts';
import { joinWindow } from '../window-members.ts';
import { type AccountName, findAccount, readState } from './accounts.ts';

/** The known windows of an account. Runs, state and rows must be of one moment: inside a transaction. */
export function readWindows(
  db: Database,
  name: AccountName,
  question: Omit<ReadQuestion, 'provider'>,
): readonly QuotaWindowView[] {
  const account = findAccount(db, name);
  if (account === null) return [];
  const state = caughtUp(readState(db, account.number), account.runs);
  const rows = candidateRows(db, state, question.includeInactive, newestOfRuns(account.runs));
  return windowViews(state, rows, { ...question, provider: name.provider });
}

type RunEnd = Pick<RowEnd, 'atMs' | 'id' | 'usedPercent'>;

/** The newest values from the runs, by row id. */
function newestOfRuns(known: Runs | null): ReadonlyMap<number, RunEnd> {
  const ends = new Map<number, RunEnd>();
  for (const { times, windows, last } of known?.runs ?? []) {
    if (times === 0) continue;
    for (const [index, window] of windows.entries()) {
      if (window === null) continue;
      ends.set(window.row, { atMs: last.atMs, id: last.id, usedPercent: last.percents[index] ?? null });
    }
  }
  return ends;
}

const READ_ORDER: Readonly<Record<Availability, number>> = { active: 0, pending_absent: 1, unknown: 1, inactive: 2 };

interface Columns {
  readonly id: number;
  readonly observed_at_ms: number;
  readonly observation_id: string | null;
  readonly event_hash: Uint8Array | string | null;
  readonly shape: string;
  readonly used_percent: number | null;
  readonly cycle_start_ms: number | null;
  readonly cycle_end_ms: number | null;
  readonly rest: string | null;
}

/**
 * By `quota_snapshots_newest`, then by primary keys. Runs of one source do not overlap: the newest started last. With a plus
 * before a parameter SQLite does not plan the statement again for each value.
 */
export const NEWEST_ROWS_SQL = `
SELECT
  snapshots.id,
  first_observed_at_ms + seen_for_ms AS observed_at_ms,
  observations.observation_id,
  event_hash,
  shape,
  used_percent,
  cycle_start_ms,
  cycle_end_ms,
  rest
FROM quota_snapshots AS snapshots
JOIN quota_window_shapes AS shapes ON shapes.number = shape_number
LEFT JOIN quota_observations AS observations ON observations.number = observation_number
WHERE window_number = +? AND source = +? AND counts = 1
ORDER BY first_observed_at_ms DESC, snapshots.id DESC
LIMIT +?`;

function candidateRows(
  db: Database,
  state: QuotaState,
  includeInactive: boolean,
  ends: ReadonlyMap<number, RunEnd>,
): readonly SnapshotRow[] {
  const read = db.query<Columns, [number, number, number]>(NEWEST_ROWS_SQL);
  const rows: SnapshotRow[] = [];
  const order = (window: WindowState) => READ_ORDER[window.availability];
  for (const window of [...state.windows].sort((left, right) => order(left) - order(right))) {
    if (window.availability === 'inactive' && !includeInactive) break;
    for (const source of QUOTA_SOURCES.keys()) {
      const left = MAX_CANDIDATE_ROWS - rows.length;
      if (left <= 0) return rows;
      for (const row of read.all(Number(window.id), source, Math.min(ROWS_PER_SOURCE, left))) {
        rows.push(rowOf(window, row, ends.get(row.id) ?? null));
      }
    }
  }
  return rows;
}

function rowOf({ id: logicalWindowId }: WindowState, row: Columns, end: RunEnd | null): SnapshotRow {
  const { shape, rest: rareMembers, cycle_start_ms: startMs, cycle_end_ms: endMs } = row;
  const stored = {
    atMs: row.observed_at_ms,
    id: row.event_hash === null ? (row.observation_id ?? '') : hashOfKey(row.event_hash),
    usedPercent: row.used_percent,
  };
  const { atMs: observedAtMs, id, usedPercent } = end ?? stored;
  const window = joinWindow({ shape, rareMembers, startMs, endMs, usedPercent }, { observedAtMs, id });
  return { id: row.id, logicalWindowId, window };
}
