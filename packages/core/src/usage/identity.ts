import { trimText } from '../json/text.ts';
import type { UsageEvent } from './event.ts';

export type IdentityFields = Pick<
  UsageEvent,
  | 'request_id'
  | 'timestamp'
  | 'endpoint'
  | 'model'
  | 'auth_index'
  | 'source_hash'
  | 'input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'cached_tokens'
  | 'cache_tokens'
  | 'failed'
  | 'latency_ms'
>;

/**
 * The text whose SHA-256 is the identity of an event. It has only reported values, never derived ones, so that
 * enrichment and newer accounting rules do not change the identity. A null latency drops the last part, 0 does not.
 */
export function identityText(event: IdentityFields): string {
  const cached = Math.max(event.cached_tokens, event.cache_tokens);
  const text =
    `${event.request_id}|${event.timestamp}|${event.endpoint}|${event.model}|${event.auth_index}|${event.source_hash}` +
    `|${event.input_tokens}|${event.output_tokens}|${event.reasoning_tokens}|${cached}|${event.failed}`;
  return trimText(event.latency_ms === null ? text : `${text}|${event.latency_ms}`);
}

/** An identity from a record is opaque, but it must be storable: 1 to 256 characters, no control characters. */
export function isAcceptableHash(hash: string): boolean {
  // A surrogate half would be stored as another character, and two identities could become one.
  return hash !== '' && hash.length <= 256 && hash.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/.test(hash);
}
