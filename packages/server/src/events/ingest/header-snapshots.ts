import type { Database } from 'bun:sqlite';
import { snapshotKey } from '@manager/core/usage/account-key';
import type { UsageEvent } from '@manager/core/usage/event';
import { isImplausibleTime } from '@manager/core/usage/timestamp';

/** The newest event with response headers of one account. */
export interface HeaderSnapshot {
  readonly key: string;
  readonly timestampMs: number;
  readonly eventId: number;
}

// By the index of the primary key.
const UPSERT = `
INSERT INTO latest_header_snapshots (snapshot_key, timestamp_ms, event_id)
VALUES (?, ?, ?)
ON CONFLICT (snapshot_key) DO UPDATE SET
  timestamp_ms = excluded.timestamp_ms,
  event_id = excluded.event_id,
  detail = NULL
WHERE (excluded.timestamp_ms, excluded.event_id) > (timestamp_ms, event_id)`;

/**
 * The newest header snapshots of the events of one transaction: whoever stores an event, or adds response metadata to a
 * stored one, adds it here and writes the result before the commit. Many events of a batch share an account.
 */
export class HeaderSnapshots {
  readonly #newest = new Map<string, HeaderSnapshot>();

  /** @param untilMs latest possible time of the event: the arrival time of an import may be in the future */
  add(event: UsageEvent, eventId: number, untilMs: number): void {
    this.addOf(snapshotKeyOf(event, untilMs), event.timestamp_ms, eventId);
  }

  /** @param key of `snapshotKeyOf` */
  addOf(key: string, timestampMs: number, eventId: number): void {
    if (key === '') return;
    const snapshot = { key, timestampMs, eventId };
    const known = this.#newest.get(key);
    if (known === undefined || isNewer(snapshot, known)) this.#newest.set(key, snapshot);
  }

  rows(): HeaderSnapshot[] {
    return [...this.#newest.values()];
  }

  writeTo(db: Database): void {
    const upsert = db.query(UPSERT);
    for (const { key, timestampMs, eventId } of this.#newest.values()) upsert.run(key, timestampMs, eventId);
  }
}

/**
 * Key of the account whose headers an event has; '' for none. An implausible time would hide every later event of the account.
 */
export function snapshotKeyOf(event: UsageEvent, untilMs: number): string {
  const arrivalMs = Math.min(event.created_at_ms, untilMs);
  if (!hasHeaderData(event) || isImplausibleTime(event.timestamp_ms, arrivalMs)) return '';
  return snapshotKey(event);
}

type Position = Pick<HeaderSnapshot, 'timestampMs' | 'eventId'>;

/** Newest by time, then id. */
export function isNewer(one: Position, than: Position): boolean {
  return one.timestampMs > than.timestampMs || (one.timestampMs === than.timestampMs && one.eventId > than.eventId);
}

function hasHeaderData(event: UsageEvent): boolean {
  return (
    event.response_metadata_json.length > '{}'.length ||
    event.header_trace_id !== '' ||
    event.header_error_kind !== '' ||
    event.header_error_code !== '' ||
    event.header_quota_plan_type !== '' ||
    event.header_quota_used_percent !== null ||
    event.header_quota_recover_at_ms !== null
  );
}
