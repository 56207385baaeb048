import text from '../fixtures/gateway-recorded-events.jsonl' with { type: 'text' };
import type { JsonObject } from '../json.ts';

/** Tokens that a provider reported; `input` and `output` are the sums of their parts. */
export interface ProviderTokens {
  readonly uncached: number;
  readonly read: number;
  readonly write: number;
  readonly nonReasoning: number;
  readonly reasoning: number;
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

/** What the provider really did; the status is null where its answer broke off. */
export interface ProviderDeed {
  readonly family: string;
  readonly model: string;
  readonly stream: boolean;
  readonly did: string;
  readonly status: number | null;
  readonly tokens: ProviderTokens;
}

/** An event that a real gateway v7.2.140 published. */
export interface RecordedEvent {
  readonly event: JsonObject;
  /** null: no single answer of a provider stands behind it. */
  readonly provider: ProviderDeed | null;
}

/** In the order of their publication. */
export const RECORDED_EVENTS: readonly RecordedEvent[] = text
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as RecordedEvent);
