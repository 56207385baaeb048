import { describe, expect, test } from 'bun:test';
import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { testEvent, testPage } from '../../../platform/requests/testing/events.ts';
import {
  appendOlder,
  displayEntries,
  EMPTY_LIST,
  type EventList,
  loadedCount,
  MAX_ROWS,
  mergeNewest,
  newHashes,
  trimBefore,
} from './event-list.ts';

/** Rows from `high` down to `low`, newest first. */
const rows = (high: number, low: number): EventRow[] =>
  Array.from({ length: high - low + 1 }, (_, index) => testEvent(high - index));

const shown = (list: EventList): string[] =>
  displayEntries(list).map((entry) => (entry.kind === 'row' ? entry.row.event_hash.slice(1) : 'gap'));

const numbers = (high: number, low: number): string[] => rows(high, low).map((row) => row.event_hash.slice(1));

/** Loads the page behind a segment, as the page does. */
function older(list: EventList, segment: number, all: readonly EventRow[], limit: number): EventList {
  const { older: cursor } = list.segments[segment] ?? { older: null };
  if (cursor === null) throw new Error('no older rows');
  return appendOlder(list, segment, testPage(all, limit, cursor.beforeMs, `h${cursor.beforeId}`));
}

describe('rows of the monitoring page', () => {
  test('a first page and the pages behind it', () => {
    const all = rows(10, 1);
    let list = mergeNewest(EMPTY_LIST, testPage(all, 4));
    expect(shown(list)).toEqual(numbers(10, 7));
    list = older(list, 0, all, 4);
    list = older(list, 0, all, 4);
    expect(shown(list)).toEqual(numbers(10, 1));
    expect(list.segments[0]?.older).toBeNull();
    expect(list.total).toBe(10);
  });

  test('new rows come on top, the older ones stay', () => {
    let list = mergeNewest(EMPTY_LIST, testPage(rows(10, 1), 4));
    list = older(list, 0, rows(10, 1), 4);
    const next = mergeNewest(list, testPage(rows(12, 1), 4));
    expect(shown(next)).toEqual(numbers(12, 3));
    expect([...newHashes(list, next)]).toEqual(['h12', 'h11']);
    expect(next.segments).toHaveLength(1);
  });

  test('an event that arrives late gets its place', () => {
    const late = testEvent(99, { timestamp_ms: testEvent(8).timestamp_ms + 500 });
    const before = mergeNewest(EMPTY_LIST, testPage(rows(10, 1), 5));
    const all = [...rows(10, 9), late, ...rows(8, 1)];
    expect(shown(mergeNewest(before, testPage(all, 5)))).toEqual(['10', '9', '99', '8', '7', '6']);
  });

  test('a page that does not touch the loaded rows leaves a gap, which can be loaded', () => {
    const list = mergeNewest(EMPTY_LIST, testPage(rows(10, 1), 3));
    const all = rows(20, 1);
    const gapped = mergeNewest(list, testPage(all, 3));
    expect(shown(gapped)).toEqual([...numbers(20, 18), 'gap', ...numbers(10, 8)]);
    const gap = displayEntries(gapped).find((entry) => entry.kind === 'gap');
    expect(gap).toEqual({
      kind: 'gap',
      segment: 0,
      fromMs: testEvent(10).timestamp_ms,
      toMs: testEvent(18).timestamp_ms,
    });
    let filled = older(gapped, 0, all, 4);
    expect(shown(filled)).toEqual([...numbers(20, 14), 'gap', ...numbers(10, 8)]);
    filled = older(filled, 0, all, 4);
    expect(shown(filled)).toEqual(numbers(20, 8));
    expect(filled.segments).toHaveLength(1);
    expect(shown(older(filled, 0, all, 100))).toEqual(numbers(20, 1));
  });

  test('a page that reaches over a whole segment takes it in', () => {
    let list = mergeNewest(EMPTY_LIST, testPage(rows(10, 1), 3));
    list = mergeNewest(list, testPage(rows(15, 1), 2));
    expect(list.segments).toHaveLength(2);
    list = mergeNewest(list, testPage(rows(16, 1), 12));
    expect(shown(list)).toEqual(numbers(16, 5));
    expect(list.segments).toHaveLength(1);
    expect(shown(older(list, 0, rows(16, 1), 100))).toEqual(numbers(16, 1));
  });

  test('equal timestamps are neither repeated nor lost', () => {
    const same = Array.from({ length: 6 }, (_, index) => testEvent(6 - index, { timestamp_ms: 1_770_000_000_000 }));
    let list = mergeNewest(EMPTY_LIST, testPage(same, 2));
    list = older(list, 0, same, 2);
    list = older(list, 0, same, 2);
    expect(shown(list)).toEqual(numbers(6, 1));
  });

  test('a range that is loaded as a whole replaces everything', () => {
    const list = mergeNewest(EMPTY_LIST, testPage(rows(10, 1), 3));
    expect(shown(mergeNewest(list, testPage(rows(30, 29), 10)))).toEqual(numbers(30, 29));
    expect(shown(mergeNewest(list, testPage([], 10)))).toEqual([]);
  });

  test('rows that a moving range has left go', () => {
    const list = mergeNewest(EMPTY_LIST, testPage(rows(10, 1), 10));
    const trimmed = trimBefore(list, testEvent(6).timestamp_ms);
    expect(shown(trimmed)).toEqual(numbers(10, 6));
    expect(trimmed.segments[0]?.older).toBeNull();
    expect(trimBefore(list, 1)).toBe(list);
  });

  test('the oldest rows are dropped above the limit and can be loaded again', () => {
    const all = rows(MAX_ROWS + 20, 1);
    let list = mergeNewest(EMPTY_LIST, testPage(all, MAX_ROWS - 5));
    list = older(list, 0, all, 20);
    expect(loadedCount(list)).toBe(MAX_ROWS);
    const last = list.segments[0]?.rows.at(-1);
    expect(list.segments[0]?.older).toEqual({ beforeMs: (last?.timestamp_ms ?? 0) + 1, beforeId: 0 });
  });
});
