import eventText from '../fixtures/usage-events.jsonl' with { type: 'text' };
import type { EventObject } from '../types.ts';

/** Lines of `usage-events.jsonl`, in order. */
export const EVENT_LINES: readonly string[] = eventText.split('\n').filter((line) => line !== '');

/** Line by its 1-based number, as the documentation counts. */
export function eventLine(number: number): EventObject {
  return JSON.parse(EVENT_LINES[number - 1] ?? '') as EventObject;
}
