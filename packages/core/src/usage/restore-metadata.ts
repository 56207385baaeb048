import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { UsageEvent } from './event.ts';
import { readFailure, readHeaders } from './failure.ts';
import type { ProviderUsage } from './metadata-schema.ts';
import { metadataObject } from './metadata-text.ts';
import { originalsOf } from './originals.ts';
import { freeUsageEvidence } from './provider-usage.ts';
import { buildResponseMetadata, headerColumns } from './response-metadata.ts';

/** Headers were examined and none of them is kept. */
const NOTHING_KEPT = '{}';

/** Groups that older formats did not have, so that metadata may lack them although the headers exist. */
const LATER_GROUPS = ['rate_limit', 'data_policy'] as const;

/**
 * The event with the response metadata from its original item and its failure, and the columns copied from it; the same
 * object when nothing is missing. An event without a kept header gets `{}`, so that it is not examined again.
 */
export function restoreMetadata(event: UsageEvent): UsageEvent {
  const originals = originalsOf(event.raw_json);
  const headers = originals.map(readHeaders).filter((map) => map !== null);
  const existing = metadataObject(event.response_metadata_json);
  const evidence = missingEvidence(event, originals, existing);
  const missing =
    (event.response_metadata_json === '' && headers.length > 0) ||
    evidence !== null ||
    lacksLaterGroup(headers, existing, event.timestamp_ms);
  if (!missing) return event;
  const metadata = buildResponseMetadata({
    supplied: [existing],
    headers,
    providerUsage: evidence,
    baseMs: event.timestamp_ms,
  });
  const text = metadata === null ? NOTHING_KEPT : JSON.stringify(metadata);
  return text === event.response_metadata_json
    ? event
    : { ...event, response_metadata_json: text, ...headerColumns(metadata) };
}

/** Evidence of a used-up free allowance that is partly missing in the metadata. */
function missingEvidence(
  event: UsageEvent,
  originals: readonly JsonObject[],
  existing: JsonObject | null,
): ReturnType<typeof freeUsageEvidence> {
  if (!event.failed) return null;
  const known = isJsonObject(existing?.provider_usage) ? existing.provider_usage : {};
  const stored = { statusCode: event.fail_status_code ?? 0, body: event.fail_body };
  for (const failure of [stored, ...originals.map(readFailure)]) {
    const evidence = freeUsageEvidence(event, failure, event.timestamp_ms);
    if (evidence === null) continue;
    return Object.keys(evidence).some((name) => known[name as keyof ProviderUsage] === undefined) ? evidence : null;
  }
  return null;
}

function lacksLaterGroup(headers: readonly JsonObject[], existing: JsonObject | null, baseMs: number): boolean {
  if (headers.length === 0) return false;
  const shown = buildResponseMetadata({ headers, baseMs });
  return LATER_GROUPS.some((name) => lacks(existing?.[name], shown?.[name]));
}

/** Whether a member of `shown`, at any depth, is missing in `stored`. */
function lacks(stored: unknown, shown: unknown): boolean {
  if (shown === undefined) return false;
  if (!isJsonObject(shown)) return stored === undefined;
  return Object.keys(shown).some((name) => lacks(isJsonObject(stored) ? stored[name] : undefined, shown[name]));
}
