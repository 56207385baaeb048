import type { Database } from 'bun:sqlite';
import { analyticsModel } from '@manager/core/usage/models';
import { eventDecoder } from '../../../../events/detail/event-decoder.ts';
import type { ReaderContext } from '../../../../sqlite/contexts.ts';
import { Transfer } from '../../../../sqlite/worker/transfer.ts';
import type { EventKey } from '../event-key.ts';

export interface UsagePageArgs {
  /** Later events are not part of the answer. */
  readonly lastId: number;
  /** Number of events still needed. */
  readonly limit: number;
  /** Key of the last event of the previous page; null = start with the newest. */
  readonly before: EventKey | null;
}

/** Positions of the events of one page in the answer, newest first. */
export interface UsagePage {
  readonly groups: readonly UsageGroupKey[];
  readonly ids: Float64Array<ArrayBuffer>;
  /** Index into `groups`, one for each id. */
  readonly groupOf: Uint16Array<ArrayBuffer>;
  readonly failures: number;
  readonly totalTokens: number;
  readonly next: EventKey | null;
}

export interface UsageGroupKey {
  readonly endpoint: string;
  readonly model: string;
}

const PAGE_ROWS = 4_096;

/**
 * Both read the index of `timestamp_ms` backwards and each row by its id; two statements for the reason in `export-bounds.ts`.
 */
export const USAGE_SAME_TIME_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE timestamp_ms = ?
  AND id < ?
  AND id <= ?
ORDER BY id DESC`;

export const USAGE_EARLIER_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE timestamp_ms < ?
  AND id <= ?
ORDER BY timestamp_ms DESC, id DESC`;

interface Row {
  readonly id: number;
  readonly timestamp_ms: number;
  readonly detail: Uint8Array;
}

export function usagePage({ db }: ReaderContext, args: UsagePageArgs): Transfer<UsagePage> {
  const decode = eventDecoder(db);
  const wanted = Math.min(args.limit, PAGE_ROWS);
  const places = new Map<string, number>();
  const groups: UsageGroupKey[] = [];
  const ids: number[] = [];
  const groupOf: number[] = [];
  let failures = 0;
  let totalTokens = 0;
  let next: EventKey | null = null;
  for (const row of rowsBefore(db, args)) {
    const event = decode(row.detail, { raw: false });
    const group = { endpoint: event.endpoint || '-', model: analyticsModel(event) || '-' };
    const name = JSON.stringify(group);
    let place = places.get(name);
    if (place === undefined) {
      place = groups.length;
      places.set(name, place);
      groups.push(group);
    }
    ids.push(row.id);
    groupOf.push(place);
    if (event.failed) failures += 1;
    totalTokens += event.total_tokens;
    if (ids.length === wanted) {
      next = { timestampMs: row.timestamp_ms, id: row.id };
      break;
    }
  }
  const page = {
    groups,
    ids: Float64Array.from(ids),
    groupOf: Uint16Array.from(groupOf),
    failures,
    totalTokens,
    next,
  };
  return new Transfer(page, [page.ids.buffer, page.groupOf.buffer]);
}

function* rowsBefore(db: Database, { before, lastId }: UsagePageArgs): Generator<Row, void> {
  if (before !== null) {
    yield* db.query<Row, [number, number, number]>(USAGE_SAME_TIME_SQL).iterate(before.timestampMs, before.id, lastId);
  }
  const earlier = db.query<Row, [number, number]>(USAGE_EARLIER_SQL);
  yield* earlier.iterate(before?.timestampMs ?? Number.MAX_SAFE_INTEGER, lastId);
}
