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
 * The text whose SHA-256 is the identity of an event. Only reported values enter it, never derived ones, so that enrichment
 * and newer accounting rules leave the identity as it is. A null latency drops the last part, 0 does not.
 */
export function identityText(event: IdentityFields): string {
  const cached = Math.max(event.cached_tokens, event.cache_tokens);
  const text =
    `${event.request_id}|${event.timestamp}|${event.endpoint}|${event.model}|${event.auth_index}|${event.source_hash}` +
    `|${event.input_tokens}|${event.output_tokens}|${event.reasoning_tokens}|${cached}|${event.failed}`;
  return trimText(event.latency_ms === null ? text : `${text}|${event.latency_ms}`);
}

/** An identity that came with a record is opaque, but it must be storable: 1 to 256 characters, no control characters. */
export function isAcceptableHash(hash: string): boolean {
  // Half a pair would be stored as another character, and then two identities would be one.
  return hash !== '' && hash.length <= 256 && hash.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/.test(hash);
}
