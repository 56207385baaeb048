import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { freeUsageEvidence } from '../../usage/provider-usage.ts';
import { buildResponseMetadata } from '../../usage/response-metadata.ts';
import type { CooldownEvent } from '../cooldown/signals.ts';

/** Members of an event in a vector; all others are unknown. */
export interface EventVector extends Partial<Omit<CooldownEvent, 'failed'>> {
  readonly failed?: boolean;
  /** Raw headers of the answer. */
  readonly response_headers?: JsonObject;
  /** Metadata as stored. */
  readonly response_metadata?: JsonObject;
}

const UNKNOWN: CooldownEvent = {
  event_hash: 'e1',
  timestamp_ms: 0,
  failed: true,
  fail_status_code: null,
  fail_body: '',
  fail_summary: '',
  raw_json: '',
  response_metadata_json: '',
  header_error_kind: '',
  header_error_code: '',
  provider: '',
  auth_provider_snapshot: '',
  executor_type: '',
  auth_file_snapshot: '',
  auth_index: '',
  account_snapshot: '',
};

/**
 * The stored event of a vector.
 *
 * @param evidence whether the evidence of the error body was stored, as it is for collected events
 */
export function eventOfVector(vector: EventVector, evidence: boolean): CooldownEvent {
  const { response_headers, response_metadata, ...members } = vector;
  const event = { ...UNKNOWN, ...members };
  const failure = { statusCode: event.fail_status_code ?? 0, body: event.fail_body };
  const built =
    response_metadata ??
    buildResponseMetadata({
      headers: isJsonObject(response_headers) ? [response_headers] : [],
      providerUsage: evidence ? freeUsageEvidence(event, failure, event.timestamp_ms) : null,
      baseMs: event.timestamp_ms,
    });
  return { ...event, response_metadata_json: built === null ? '' : JSON.stringify(built) };
}
