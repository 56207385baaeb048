import type { Section } from '../section.ts';
import { withoutDeleted } from './selection.ts';
import { createTopEvents, type EventCursor, type TopEvents } from './top.ts';

export interface NewestEvents {
  /** Matches with a raw event, including those before the cursor. */
  count: number;
  readonly top: TopEvents;
}

/**
 * The newest matches after a cursor and the number of all. Events without their raw row are in neither.
 *
 * @param rawDeletions of the snapshot: every deletion invalidates the cached result
 */
export function newestEventsSection(
  size: number,
  cursor: EventCursor | null,
  rawDeletions: number,
): Section<NewestEvents> {
  return {
    key: `newest events:${size}:${cursor?.timestampMs ?? ''}:${cursor?.eventId ?? ''}:${rawDeletions}`,
    columns: ['timestamp_ms'],
    create: () => ({ count: 0, top: createTopEvents(size, cursor) }),
    add(state, { chunk, selection }) {
      const live = withoutDeleted(chunk, selection);
      state.count += live.count;
      state.top.offer(chunk, live);
    },
    clone: ({ count, top }) => ({ count, top: top.clone() }),
    bytes: ({ top }) => top.bytes(),
  };
}
