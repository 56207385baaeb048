import type { EventRow, EventsPage } from '@manager/core/contract/monitoring/analytics';

/** Where older rows continue. `id` 0 = only the time counts. */
export interface Cursor {
  readonly beforeMs: number;
  readonly beforeId: number;
}

/** Consecutive rows, newest first; `older` = null at the end of the range. */
interface Segment {
  readonly rows: readonly EventRow[];
  readonly older: Cursor | null;
}

/** The loaded rows. Between two segments there are rows that were not loaded. */
export interface EventList {
  readonly segments: readonly Segment[];
  /** Matches in the whole range, loaded or not. */
  readonly total: number;
}

/** Maximum rows held; the oldest are dropped and loaded again when scrolled to. */
export const MAX_ROWS = 50_000;
export const PAGE_SIZE = 500;

export const EMPTY_LIST: EventList = { segments: [], total: 0 };

function cursorOf(page: EventsPage): Cursor | null {
  return page.has_more ? { beforeMs: page.next_before_ms, beforeId: page.next_before_id } : null;
}

/** Index in `rows` right after the last row that is also in the page, 0 when they share none. */
function overlapEnd(rows: readonly EventRow[], page: ReadonlySet<string>): number {
  // A page overlaps only with the start of the rows behind it.
  for (let index = Math.min(rows.length, page.size * 2) - 1; index >= 0; index -= 1) {
    const row = rows[index];
    if (row !== undefined && page.has(row.event_hash)) return index + 1;
  }
  return 0;
}

/**
 * Puts the newest page on top. Where it touches the loaded rows it replaces them, so that late events get their position;
 * otherwise unloaded rows remain between both.
 */
export function mergeNewest(list: EventList, page: EventsPage): EventList {
  const older = cursorOf(page);
  if (older === null || list.segments.length === 0) {
    return { segments: [{ rows: page.items, older }], total: page.total_count };
  }
  return limit({ segments: joinPage([], { rows: page.items, older }, list.segments), total: page.total_count });
}

/** Adds the page after segment `index`: at the end of the list, or between two segments. */
export function appendOlder(list: EventList, index: number, page: EventsPage): EventList {
  const segment = list.segments[index];
  if (segment === undefined) return list;
  const held = new Set(segment.rows.map((row) => row.event_hash));
  const added = page.items.filter((row) => !held.has(row.event_hash));
  const grown: Segment = { rows: [...segment.rows, ...added], older: cursorOf(page) };
  const before = list.segments.slice(0, index);
  if (grown.older === null) return limit({ segments: [...before, grown], total: page.total_count });
  const hashes = new Set(page.items.map((row) => row.event_hash));
  return limit({ segments: joinPage(before, grown, list.segments.slice(index + 1), hashes), total: page.total_count });
}

function joinPage(
  before: readonly Segment[],
  top: Segment,
  behind: readonly Segment[],
  hashes: ReadonlySet<string> = new Set(top.rows.map((row) => row.event_hash)),
): Segment[] {
  // From the oldest on: a long page may cover a whole segment, which then is part of it.
  for (const [index, segment] of [...behind.entries()].reverse()) {
    const end = overlapEnd(segment.rows, hashes);
    if (end === 0) continue;
    const rest = segment.rows.slice(end).filter((row) => !hashes.has(row.event_hash));
    // Nothing is left of this segment: the page reaches at least as far, so its own cursor continues.
    const joined = rest.length === 0 ? top : { rows: [...top.rows, ...rest], older: segment.older };
    return [...before, joined, ...behind.slice(index + 1)];
  }
  return [...before, top, ...behind];
}

function limit(list: EventList): EventList {
  let room = MAX_ROWS;
  const segments: Segment[] = [];
  for (const segment of list.segments) {
    if (room <= 0) break;
    if (segment.rows.length <= room) segments.push(segment);
    else segments.push(cut(segment, room));
    room -= segment.rows.length;
  }
  return segments.length === list.segments.length && room >= 0 ? list : { ...list, segments };
}

/** Row ids are not sent, so after a cut the cursor starts at the last time; duplicate rows are dropped. */
function cut(segment: Segment, count: number): Segment {
  const rows = segment.rows.slice(0, count);
  const last = rows.at(-1);
  return last === undefined ? segment : { rows, older: { beforeMs: last.timestamp_ms + 1, beforeId: 0 } };
}

/** Drops rows that a moving range has left behind. */
export function trimBefore(list: EventList, fromMs: number): EventList {
  const last = list.segments.at(-1)?.rows.at(-1);
  if (last === undefined || last.timestamp_ms >= fromMs) return list;
  const segments = list.segments
    .map((segment) => ({ ...segment, rows: segment.rows.filter((row) => row.timestamp_ms >= fromMs) }))
    .filter((segment) => segment.rows.length > 0)
    .map((segment, index, all) => (index === all.length - 1 ? { ...segment, older: null } : segment));
  return { ...list, segments };
}

export type DisplayEntry =
  | { readonly kind: 'row'; readonly row: EventRow }
  | { readonly kind: 'gap'; readonly segment: number; readonly fromMs: number; readonly toMs: number };

/** Rows and unloaded parts in display order. */
export function displayEntries(list: EventList): DisplayEntry[] {
  const entries: DisplayEntry[] = [];
  for (const [index, segment] of list.segments.entries()) {
    for (const row of segment.rows) entries.push({ kind: 'row', row });
    const next = list.segments[index + 1];
    if (next !== undefined) {
      const fromMs = next.rows[0]?.timestamp_ms ?? 0;
      const toMs = segment.rows.at(-1)?.timestamp_ms ?? 0;
      entries.push({ kind: 'gap', segment: index, fromMs, toMs });
    }
  }
  return entries;
}

export function loadedCount(list: EventList): number {
  return list.segments.reduce((sum, segment) => sum + segment.rows.length, 0);
}

/** Rows that the earlier list does not have, by hash: new ones for the reader. */
export function newHashes(before: EventList, after: EventList): ReadonlySet<string> {
  const known = new Set(before.segments.flatMap((segment) => segment.rows.map((row) => row.event_hash)));
  const fresh = new Set<string>();
  for (const row of after.segments[0]?.rows ?? []) if (!known.has(row.event_hash)) fresh.add(row.event_hash);
  return fresh;
}
