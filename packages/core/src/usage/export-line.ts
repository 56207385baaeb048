import type { UsageEvent } from './event.ts';

/** One export record: a JSON object in one line, without the line feed. */
export function exportLine(event: UsageEvent): string {
  return JSON.stringify({ event_hash: event.event_hash });
}
