import { snapshotKey } from '@manager/core/usage/account-key';
import { type HeaderSnapshot, isNewer, snapshotKeyOf } from '../../../../events/ingest/header-snapshots.ts';
import type { FactChunk } from '../../../../facts/chunk.ts';
import type { FactColumn } from '../../../../facts/columns.ts';
import type { AnalyticsContext } from '../../../../facts/context.ts';
import type { FactSnapshot } from '../../../../facts/reader.ts';
import type { HeaderSnapshotsQuery } from '../request.ts';

/** What the table of newest snapshots does not cover. */
export interface OpenSnapshots {
  /** By key; found snapshots are added. */
  readonly newest: Map<string, HeaderSnapshot>;
  /** Keys whose row in the table is after the range. */
  readonly hidden: ReadonlySet<string>;
  /** The table does not cover events up to this id yet. */
  readonly pendingId: number;
}

const KEY_COLUMNS = [
  'auth_file_snapshot',
  'auth_index',
  'account_snapshot',
  'source_hash',
] as const satisfies readonly FactColumn[];

/** Unpacked events between two checks whether anybody still waits. */
const CHECK_EVERY = 1_000;

/**
 * Searches the events for newer snapshots: facts show which event is newer than the known one of its account, and only those
 * are unpacked. Newest events first, so that there are few. Does nothing for a table that covers everything.
 */
export function findHeaderSnapshots(
  snapshot: FactSnapshot,
  range: HeaderSnapshotsQuery,
  context: AnalyticsContext,
  open: OpenSnapshots,
): void {
  if (open.pendingId === 0 && open.hidden.size === 0) return;
  const details = snapshot.db.query<{ detail: Uint8Array }, [number]>('SELECT detail FROM usage_events WHERE id = ?');
  let unpacked = 0;

  function consider(key: string, timestampMs: number, eventId: number): void {
    const found = { key, timestampMs, eventId };
    const known = open.newest.get(key);
    if (known !== undefined && !isNewer(found, known)) return;
    const detail = details.get(eventId)?.detail;
    if (detail === undefined) return;
    unpacked += 1;
    if (unpacked % CHECK_EVERY === 0) context.checkStopped();
    if (snapshotKeyOf(context.decode(detail), range.toMs) === key) open.newest.set(key, found);
  }

  for (const chunk of snapshot.chunks.toReversed()) {
    if (chunk.maxTimestampMs < range.fromMs || chunk.minTimestampMs > range.toMs) continue;
    if (open.hidden.size === 0 && chunk.firstEventId > open.pendingId) continue;
    context.checkStopped();
    considerChunk(snapshot, chunk, range, open, consider);
  }
}

function considerChunk(
  { symbols }: FactSnapshot,
  chunk: FactChunk,
  range: HeaderSnapshotsQuery,
  open: OpenSnapshots,
  consider: (key: string, timestampMs: number, eventId: number) => void,
): void {
  chunk.prepare(['timestamp_ms', ...KEY_COLUMNS]);
  const { count, codes, symbols: tuples } = chunk.combination(KEY_COLUMNS);
  const keys = Array.from({ length: count }, (_, code) => {
    const [file = '', index = '', account = '', sourceHash = ''] = tuples.map((ids) => symbols.text(ids[code] ?? 0));
    return snapshotKey({
      auth_file_snapshot: file,
      auth_index: index,
      account_snapshot: account,
      source_hash: sourceHash,
    });
  });
  const times = chunk.numbers('timestamp_ms');
  const ids = chunk.eventIds();
  const live = chunk.liveRows();
  for (let row = chunk.rowCount - 1; row >= 0; row--) {
    const time = times.base + (times.values?.[row] ?? 0);
    if (time < range.fromMs || time > range.toMs || (live !== null && live[row] === 0)) continue;
    const key = keys[codes === null ? 0 : (codes[row] ?? 0)] ?? '';
    const eventId = ids.base + (ids.values?.[row] ?? 0);
    if (key === '' || (eventId > open.pendingId && !open.hidden.has(key))) continue;
    consider(key, time, eventId);
  }
}
