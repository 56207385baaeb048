import type { HeaderSnapshotItem, HeaderSnapshotsResponse } from '@manager/core/contract/accounts/header-snapshots';
import type { UsageEvent } from '@manager/core/usage/event';
import { readCounter } from '../../../../events/ingest/counters.ts';
import { type HeaderSnapshot, isNewer } from '../../../../events/ingest/header-snapshots.ts';
import { eventRow } from '../../../../facts/answers/event-row.ts';
import type { AnalyticsContext } from '../../../../facts/context.ts';
import type { FactSnapshot } from '../../../../facts/reader.ts';
import { readEvents } from '../../../../facts/stored-events.ts';
import { Transfer } from '../../../../sqlite/worker/transfer.ts';
import type { HeaderSnapshotsQuery } from '../request.ts';
import { findHeaderSnapshots } from './find-in-events.ts';

/** A row of the table; the detail only where the raw row is deleted. */
interface KeptSnapshot extends HeaderSnapshot {
  readonly detail: Uint8Array | null;
}

/** Returns the JSON body: the newest response headers of each account, newest first. */
export function answerHeaderSnapshots(
  context: AnalyticsContext,
  query: HeaderSnapshotsQuery,
): Transfer<Uint8Array<ArrayBuffer>> {
  const items = context.facts.read((snapshot) => readItems(snapshot, query, context));
  const response: HeaderSnapshotsResponse = {
    generated_at_ms: query.toMs,
    from_ms: query.fromMs,
    to_ms: query.toMs,
    items,
  };
  const body = new TextEncoder().encode(JSON.stringify(response));
  return new Transfer(body, [body.buffer]);
}

function readItems(
  snapshot: FactSnapshot,
  query: HeaderSnapshotsQuery,
  context: AnalyticsContext,
): HeaderSnapshotItem[] {
  const kept = keptSince(snapshot, query.fromMs);
  const newest = new Map<string, HeaderSnapshot>(
    kept.filter(({ timestampMs }) => timestampMs <= query.toMs).map((row) => [row.key, row]),
  );
  findHeaderSnapshots(snapshot, query, context, {
    newest,
    // The clock of a gateway may be ahead of ours: then an earlier snapshot is the newest one up to now.
    hidden: new Set(kept.filter(({ timestampMs }) => timestampMs > query.toMs).map(({ key }) => key)),
    pendingId: readCounter(snapshot.db, 'header_snapshots_pending_id'),
  });
  const shown = [...newest.values()].sort((left, right) => (isNewer(left, right) ? -1 : 1)).slice(0, query.limit);

  const details = new Map(kept.map(({ eventId, detail }) => [eventId, detail]));
  const items = new Map(
    readEvents(snapshot, shown, context, (event, eventId) => [eventId, snapshotItem(event)] as const),
  );
  return shown.flatMap(({ eventId }) => {
    const detail = details.get(eventId) ?? null;
    const item = items.get(eventId) ?? (detail === null ? undefined : snapshotItem(context.decode(detail)));
    return item === undefined ? [] : [item];
  });
}

function keptSince({ db }: FactSnapshot, fromMs: number): KeptSnapshot[] {
  // A scan: one row per account.
  return db
    .query<KeptSnapshot, [number]>(
      `SELECT snapshot_key AS key, timestamp_ms AS timestampMs, event_id AS eventId, detail
       FROM latest_header_snapshots
       WHERE timestamp_ms >= ?`,
    )
    .all(fromMs);
}

const MEMBERS = [
  'event_hash',
  'timestamp_ms',
  'model',
  'analytics_model',
  'requested_model',
  'resolved_model',
  'auth_file_snapshot',
  'auth_index',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_provider_snapshot',
  'auth_project_id_snapshot',
  'source',
  'source_hash',
  'response_metadata',
  'header_quota_recover_at_ms',
  'header_quota_used_percent',
  'header_quota_plan_type',
  'header_error_kind',
  'header_error_code',
  'header_trace_id',
] as const satisfies readonly (keyof HeaderSnapshotItem)[];

/** The header members of an event row; empty ones are left out. */
function snapshotItem(event: UsageEvent): HeaderSnapshotItem {
  const row = eventRow(event);
  const members = MEMBERS.map((name) => [name, row[name]] as const);
  // Every name is a member of the row with the type of the item.
  return Object.fromEntries(
    members.filter(([, value]) => value !== undefined && value !== ''),
  ) as unknown as HeaderSnapshotItem;
}
