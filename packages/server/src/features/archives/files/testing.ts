import type { UsageEvent } from '@manager/core/usage/event';
import { readRecord } from '@manager/core/usage/record';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { TEST_NOW_MS } from '../../../events/testing/test-ingester.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import type { StoredEvent } from './segment-writer.ts';

/** Events with the given ids, as a database would return them. */
export function storedEvents(ids: readonly number[], change: (event: UsageEvent, id: number) => UsageEvent = same) {
  const next = sampleRecords({ seed: 11 });
  return ids.map((id): StoredEvent => {
    const outcome = readRecord(next(), { nowMs: TEST_NOW_MS, sha256Hex });
    if (outcome.kind !== 'event') throw new Error(outcome.kind);
    const event = change(outcome.event, id);
    return { id, read: () => event };
  });
}

const same = (event: UsageEvent) => event;

/** The source of a segment over a list, in pages. */
export function pagesOf(events: readonly StoredEvent[], pageRows = 7): (afterId: number) => readonly StoredEvent[] {
  return (afterId) => events.filter(({ id }) => id > afterId).slice(0, pageRows);
}
