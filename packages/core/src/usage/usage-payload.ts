import type { UsageEvent } from './event.ts';

/** One entry of the compatible usage payload and the keys it stands under. */
export interface UsageDetailEntry {
  /** Key of `apis`. */
  readonly endpoint: string;
  /** Key of `models`: the analytics model. */
  readonly model: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function usageDetail(event: UsageEvent): UsageDetailEntry {
  return { endpoint: event.endpoint, model: event.model, detail: {} };
}
