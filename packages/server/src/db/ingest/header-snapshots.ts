import type { Database } from 'bun:sqlite';
import { snapshotKey } from '@manager/core/usage/account-key';
import type { UsageEvent } from '@manager/core/usage/event';
import { analyticsModel, effectiveRequestedModel } from '@manager/core/usage/models';
import { isImplausibleTime } from './fact-row.ts';

/** The newest event with response headers of one credential, as `latest_header_snapshots` keeps it. */
export interface HeaderSnapshot {
  readonly key: string;
  readonly timestampMs: number;
  readonly eventId: number;
  /** JSON object: what an answer shows of the event. */
  readonly item: string;
}

// By the primary key. The same event again replaces its row, so that corrected headers of a stored event are taken over.
const UPSERT = `
INSERT INTO latest_header_snapshots (snapshot_key, timestamp_ms, event_id, item)
VALUES (?, ?, ?, ?)
ON CONFLICT (snapshot_key) DO UPDATE SET
  timestamp_ms = excluded.timestamp_ms,
  event_id = excluded.event_id,
  item = excluded.item
WHERE (excluded.timestamp_ms, excluded.event_id) >= (timestamp_ms, event_id)`;

/**
 * The newest header snapshots of the events of one transaction: whoever stores an event, or changes its response metadata,
 * adds it here and writes the result before the commit. Many events of a batch share a credential.
 */
export class HeaderSnapshots {
  readonly #newest = new Map<string, { readonly event: UsageEvent; readonly id: number }>();

  add(event: UsageEvent, id: number): void {
    const key = snapshotKeyOf(event);
    if (key === '') return;
    const known = this.#newest.get(key);
    if (known !== undefined && !isNewer(event.timestamp_ms, id, known.event.timestamp_ms, known.id)) return;
    this.#newest.set(key, { event, id });
  }

  rows(): HeaderSnapshot[] {
    return Array.from(this.#newest, ([key, { event, id }]) => ({
      key,
      timestampMs: event.timestamp_ms,
      eventId: id,
      item: headerSnapshotItem(event),
    }));
  }

  writeTo(db: Database): void {
    const upsert = db.query(UPSERT);
    for (const row of this.rows()) upsert.run(row.key, row.timestampMs, row.eventId, row.item);
  }
}

/**
 * Key of the credential whose headers an event shows; '' when it shows none. A time that cannot be true would hide every
 * later event of the credential.
 */
export function snapshotKeyOf(event: UsageEvent): string {
  if (!hasHeaderData(event) || isImplausibleTime(event.timestamp_ms, event.created_at_ms)) return '';
  return snapshotKey(event);
}

/** Newest is by time, then id. */
export function isNewer(timestampMs: number, id: number, thanTimestampMs: number, thanId: number): boolean {
  return timestampMs > thanTimestampMs || (timestampMs === thanTimestampMs && id > thanId);
}

function hasHeaderData(event: UsageEvent): boolean {
  return (
    hasMetadata(event) ||
    event.header_trace_id !== '' ||
    event.header_error_kind !== '' ||
    event.header_error_code !== '' ||
    event.header_quota_plan_type !== '' ||
    event.header_quota_used_percent !== null ||
    event.header_quota_recover_at_ms !== null
  );
}

function hasMetadata(event: UsageEvent): boolean {
  return event.response_metadata_json.length > '{}'.length;
}

const TEXTS = [
  'model',
  'resolved_model',
  'auth_file_snapshot',
  'auth_index',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_project_id_snapshot',
  'source',
  'source_hash',
  'header_quota_plan_type',
  'header_error_kind',
  'header_error_code',
  'header_trace_id',
] as const satisfies readonly (keyof UsageEvent)[];
const NUMBERS = [
  'header_quota_recover_at_ms',
  'header_quota_used_percent',
] as const satisfies readonly (keyof UsageEvent)[];

/** The public members of the event's headers, JSON. Empty ones are left out, so a row takes few bytes. */
export function headerSnapshotItem(event: UsageEvent): string {
  const item: Record<string, string | number> = { event_hash: event.event_hash, timestamp_ms: event.timestamp_ms };
  for (const name of TEXTS) if (event[name] !== '') item[name] = event[name];
  const requested = effectiveRequestedModel(event);
  if (requested !== '') item.requested_model = requested;
  const analytics = analyticsModel(event);
  if (analytics !== '') item.analytics_model = analytics;
  const provider = event.auth_provider_snapshot !== '' ? event.auth_provider_snapshot : event.provider;
  if (provider !== '') item.auth_provider_snapshot = provider;
  for (const name of NUMBERS) {
    const value = event[name];
    if (value !== null) item[name] = value;
  }
  const json = JSON.stringify(item);
  // The metadata is JSON already: parsing it only to write it again would cost more than all the rest.
  return hasMetadata(event) ? `${json.slice(0, -1)},"response_metadata":${event.response_metadata_json}}` : json;
}
