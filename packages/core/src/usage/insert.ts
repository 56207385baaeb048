import type { UsageEvent } from './event.ts';

export interface PreparedEvent {
  readonly event: UsageEvent;
  /** True when long texts were shortened so that the archive record stays within 10 MiB. */
  readonly cut: boolean;
}

/** Last step before an event is written, after enrichment. */
export function prepareForInsert(event: UsageEvent): PreparedEvent {
  return { event, cut: false };
}
