import { objectsWithin } from '../../json/embedded-json.ts';
import type { UsageEvent } from '../../usage/event.ts';
import type { ProviderUsage, ResponseMetadata } from '../../usage/metadata-schema.ts';
import { explicitResetMs, freeUsageEvidence, isExhaustedError } from '../../usage/provider-usage.ts';
import { jsonValues } from '../stored-texts.ts';
import { normalizedEvidence } from './evidence.ts';

const WINDOW_MS = 24 * 60 * 60 * 1000;

type FreeUsageEvent = Pick<
  UsageEvent,
  | 'provider'
  | 'auth_provider_snapshot'
  | 'executor_type'
  | 'timestamp_ms'
  | 'fail_status_code'
  | 'fail_body'
  | 'fail_summary'
  | 'raw_json'
>;

/** The evidence stored with the event, else read from the texts of its failure. */
function evidenceOf(event: FreeUsageEvent, metadata: ResponseMetadata): ProviderUsage | null {
  const stored = normalizedEvidence(metadata.provider_usage);
  if (stored !== null) return stored;
  for (const text of [event.fail_body, event.raw_json, event.fail_summary]) {
    const value = jsonValues(text).find((candidate) => [...objectsWithin(candidate)].some(isExhaustedError));
    if (value === undefined) continue;
    const failure = { statusCode: event.fail_status_code ?? 0, body: JSON.stringify(value) };
    return normalizedEvidence(freeUsageEvidence(event, failure, event.timestamp_ms));
  }
  return null;
}

/**
 * When the free allowance that this failure reports as used up resets: a reported time, else one that any text of the
 * failure states, else 24 hours after the event. `null` for any other failure, or when the time has passed.
 */
export function freeUsageEnd(
  event: FreeUsageEvent,
  metadata: ResponseMetadata,
  nowMs: number,
): { readonly evidence: ProviderUsage; readonly recoverAtMs: number; readonly estimated: boolean } | null {
  const evidence = evidenceOf(event, metadata);
  if (evidence === null) return null;
  const reported = evidence.recover_at_estimated === true ? undefined : evidence.recover_at_ms;
  const texts = [event.fail_body, event.raw_json, event.fail_summary];
  const stated = reported ?? explicitResetMs(texts.flatMap(jsonValues), event.timestamp_ms);
  const recoverAtMs = stated ?? evidence.recover_at_ms ?? event.timestamp_ms + WINDOW_MS;
  if (recoverAtMs <= nowMs) return null;
  const estimated = stated === null;
  const final = normalizedEvidence({ ...evidence, recover_at_ms: recoverAtMs, recover_at_estimated: estimated });
  return { evidence: final ?? evidence, recoverAtMs, estimated };
}
