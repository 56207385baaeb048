import type { JsonObject } from '../json/json.ts';
import { firstExisting, readText, type Spellings, textFrom } from '../json/readers.ts';
import { assembleEvent } from './assemble.ts';
import type { RecordContext } from './context.ts';
import { readEndpoint } from './endpoint.ts';
import type { UsageEvent } from './event.ts';
import { failureColumns, NO_FAILURE, readFailed, readFailure, readHeaders } from './failure.ts';
import { identityText, isAcceptableHash } from './identity.ts';
import { freeUsageEvidence } from './provider-usage.ts';
import { redactedJson } from './raw-json.ts';
import { originOf, readRequestFacts, readUnmaskedFacts } from './request-facts.ts';
import { buildResponseMetadata } from './response-metadata.ts';
import { effectiveServiceTier } from './tier.ts';
import { readRecordTime, TIME_SPELLINGS } from './timestamp.ts';
import { readTokenBreakdown } from './token-breakdown.ts';
import {
  accountTokens,
  readExplicitCacheMode,
  readReportedTokens,
  reportsTokens,
  withCachedDetails,
} from './tokens.ts';

const REQUEST_ID: Spellings = ['request_id', 'requestId', 'id'];
const EVENT_HASH: Spellings = ['event_hash', 'eventHash'];
const REQUESTED_MODEL: Spellings = ['alias', 'requested_model', 'requestedModel'];
const RESOLVED_MODEL: Spellings = ['resolved_model', 'resolvedModel', 'model', 'model_name', 'modelName'];
const REQUEST_TIER: Spellings = ['request_service_tier', 'requestServiceTier', 'service_tier', 'serviceTier'];
const PROJECT: Spellings = ['auth_project_id_snapshot', 'authProjectIdSnapshot', 'project_id', 'projectId'];
const METADATA: Spellings = ['response_metadata', 'responseMetadata'];

export interface ReadEvent {
  readonly event: UsageEvent;
  /** True when values nested too deeply were dropped from `raw_json`. */
  readonly truncated: boolean;
  /** True when the item has no hash: then it was computed from the members of the event. */
  readonly hashComputed: boolean;
}

const TELLING_MEMBERS: Spellings = [...TIME_SPELLINGS, ...REQUESTED_MODEL, ...RESOLVED_MODEL, ...REQUEST_ID];

/**
 * Whether an object describes a request: it has a time, model, id or tokens. The queue has nothing else, but a file may
 * be any JSON, and any object could be read as a request without a name.
 */
export function describesCall(item: JsonObject): boolean {
  return TELLING_MEMBERS.some((name) => textFrom(item[name]) !== '') || reportsTokens(item);
}

/**
 * Normalizes one item as the gateway publishes it: names, tokens, identity, failure, metadata, and its redacted original.
 */
export function readRawItem(item: JsonObject, context: RecordContext): ReadEvent {
  const time = readRecordTime(item, context.nowMs);
  const facts = readRequestFacts(item);
  const unmasked = readUnmaskedFacts(item, context);
  const requested = readText(item, REQUESTED_MODEL);
  const resolved = readText(item, RESOLVED_MODEL);
  const requestTier = readText(item, REQUEST_TIER);
  const failed = readFailed(item);
  const failure = failed ? readFailure(item) : NO_FAILURE;
  const headers = readHeaders(item);
  const route = readEndpoint(item);
  const models = { requested_model: requested, resolved_model: resolved, model: requested || resolved || '-' };
  const origin = originOf(facts, models, unmasked.provider);
  const reported = readReportedTokens(item);
  const accounting = accountTokens(
    withCachedDetails(reported, item),
    readExplicitCacheMode(item),
    origin,
    readTokenBreakdown(item),
  );
  const metadata = buildResponseMetadata({
    supplied: [firstExisting(item, METADATA)],
    headers: headers === null ? [] : [headers],
    providerUsage: failed ? freeUsageEvidence(origin, failure, time.ms) : null,
    baseMs: time.ms,
  });
  const raw = redactedJson(item);
  const requestId = readText(item, REQUEST_ID);
  const given = readText(item, EVENT_HASH);
  const { sha256Hex } = context;
  const identity = () =>
    identityText({
      request_id: requestId,
      timestamp: time.text,
      endpoint: route.endpoint,
      model: models.model,
      auth_index: facts.auth_index,
      source_hash: unmasked.source_hash,
      input_tokens: reported.input_tokens,
      output_tokens: reported.output_tokens,
      reasoning_tokens: reported.reasoning_tokens,
      cached_tokens: reported.cached_tokens,
      cache_tokens: reported.cache_tokens,
      failed,
      latency_ms: unmasked.latency_ms,
    });
  const hashComputed = !isAcceptableHash(given);
  const event = assembleEvent({
    eventHash: hashComputed ? sha256Hex(identity()) : given,
    requestId,
    time,
    models,
    route,
    facts,
    unmasked,
    projectId: readText(item, PROJECT),
    requestTier,
    effectiveTier: effectiveServiceTier(origin, {
      request: requestTier,
      legacy: '',
      response: facts.response_service_tier,
    }),
    accounting,
    failed,
    failure: failureColumns(failed, failure, headers),
    metadata,
    rawJson: raw.text,
    createdAtMs: context.nowMs,
  });
  return { event, truncated: raw.truncated, hashComputed };
}
