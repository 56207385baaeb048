import { analyticsModel } from '@manager/core/usage/models';
import type { ReaderContext } from '../../../db/contexts.ts';
import { eventDecoder } from '../../../db/event-decoder.ts';
import { Transfer } from '../../../db/worker/transfer.ts';
import type { EventKey } from './export-page.ts';

export interface UsagePageArgs {
  /** Oldest event of the answer. */
  readonly from: EventKey;
  readonly lastId: number;
  /** Key of the last event of the page before; null = begin with the newest. */
  readonly before: EventKey | null;
}

/** Where the events of one page stand in the answer; events are newest first. */
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

/** Walks the index of `timestamp_ms` backwards and reads each row by its id. */
export const USAGE_PAGE_SQL = `
SELECT id, timestamp_ms, detail
FROM usage_events
WHERE (timestamp_ms, id) < (?, ?)
  AND (timestamp_ms, id) >= (?, ?)
  AND id <= ?
ORDER BY timestamp_ms DESC, id DESC
LIMIT ${PAGE_ROWS}`;

interface Row {
  readonly id: number;
  readonly timestamp_ms: number;
  readonly detail: Uint8Array;
}

export function usagePage({ db }: ReaderContext, args: UsagePageArgs): Transfer<UsagePage> {
  const decode = eventDecoder(db);
  const before = args.before ?? { timestampMs: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  const places = new Map<string, number>();
  const groups: UsageGroupKey[] = [];
  const ids: number[] = [];
  const groupOf: number[] = [];
  let failures = 0;
  let totalTokens = 0;
  let last: EventKey | null = null;
  const statement = db.query<Row, [number, number, number, number, number]>(USAGE_PAGE_SQL);
  const { timestampMs, id } = args.from;
  for (const row of statement.iterate(before.timestampMs, before.id, timestampMs, id, args.lastId)) {
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
    last = { timestampMs: row.timestamp_ms, id: row.id };
  }
  const page = {
    groups,
    ids: Float64Array.from(ids),
    groupOf: Uint16Array.from(groupOf),
    failures,
    totalTokens,
    next: ids.length < PAGE_ROWS ? null : last,
  };
  return new Transfer(page, [page.ids.buffer, page.groupOf.buffer]);
}
