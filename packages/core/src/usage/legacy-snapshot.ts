import { isJsonObject, type JsonObject } from '../json/json.ts';
import { firstExisting, readText, type Spellings } from '../json/readers.ts';
import { compareCodePoints } from '../json/text.ts';
import { sanitizeFailureText } from '../redaction/redact.ts';
import { assembleEvent } from './assemble.ts';
import type { RecordContext } from './context.ts';
import { completeEndpoint } from './endpoint.ts';
import type { UsageEvent } from './event.ts';
import { failureColumns, readFailed, readFailure, readHeaders } from './failure.ts';
import { identityText, isAcceptableHash } from './identity.ts';
import { freeUsageEvidence } from './provider-usage.ts';
import { legacyIdentityJson, redactedJson } from './raw-json.ts';
import { originOf, readRequestFacts, readUnmaskedFacts } from './request-facts.ts';
import { buildResponseMetadata } from './response-metadata.ts';
import { effectiveServiceTier } from './tier.ts';
import { readRecordTime } from './timestamp.ts';
import { accountTokens, readExplicitCacheMode, readReportedTokens, withCachedDetails } from './tokens.ts';

/** Position of a detail in a snapshot. Ranks are 1-based, in code-point order of the keys; the index is 0-based. */
export interface DetailPosition {
  readonly endpoint: string;
  readonly endpointRank: number;
  readonly model: string;
  readonly modelRank: number;
  readonly detailIndex: number;
}

const TIMES: Spellings = ['timestamp', 'time', 'created_at', 'createdAt'];

function hasTime(detail: JsonObject): boolean {
  return TIMES.some((name) => {
    const value = detail[name];
    return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  });
}

function wrapped(detail: JsonObject, position: DetailPosition): JsonObject {
  return { detail, endpoint: position.endpoint, format: 'legacy_usage_export', model: position.model };
}

/**
 * The text that identifies a detail: compact JSON with sorted keys and the oldest redaction rules. It must never
 * change, or a second import of a file would add everything again.
 */
export function legacyDetailText(detail: JsonObject, position: DetailPosition): string {
  return legacyIdentityJson(wrapped(detail, position));
}

function requestId(detail: JsonObject, position: DetailPosition, timestamp: string, context: RecordContext): string {
  const given = readText(detail, ['request_id', 'requestId', 'id']);
  if (given !== '') return given;
  const { endpointRank, modelRank, detailIndex, endpoint, model } = position;
  const text = legacyDetailText(detail, position);
  const parts = ['legacy', endpointRank, modelRank, detailIndex, endpoint, model, timestamp, text];
  return `legacy:${context.sha256Hex(parts.join('|')).slice(0, 16)}`;
}

/** Reads one entry of a `details` list; `null` when it has no time and so belongs to no report. */
export function readLegacyDetail(
  detail: JsonObject,
  position: DetailPosition,
  context: RecordContext,
): UsageEvent | null {
  if (!hasTime(detail)) return null;
  const time = readRecordTime(detail, context.nowMs);
  const facts = readRequestFacts(detail);
  const unmasked = readUnmaskedFacts(detail, context);
  const requested = readText(detail, ['requested_model', 'requestedModel', 'alias']);
  const models = {
    requested_model: requested,
    resolved_model: readText(detail, ['resolved_model', 'resolvedModel']),
    model: requested || position.model || '-',
  };
  const origin = originOf(facts, models, unmasked.provider);
  const failed = readFailed(detail);
  const failure = readFailure(detail);
  const headers = readHeaders(detail);
  const failureTexts = failureColumns(failed, failure, headers);
  const summary = readText(detail, ['fail_summary', 'failSummary']);
  const metadata = buildResponseMetadata({
    supplied: [firstExisting(detail, ['response_metadata', 'responseMetadata'])],
    headers: headers === null ? [] : [headers],
    providerUsage: failed ? freeUsageEvidence(origin, failure, time.ms) : null,
    baseMs: time.ms,
  });
  const requestTier = readText(detail, ['request_service_tier', 'requestServiceTier']);
  const reported = readReportedTokens(detail);
  const route = completeEndpoint(position.endpoint, '', '');
  const request_id = requestId(detail, position, time.text, context);
  const given = readText(detail, ['event_hash', 'eventHash']);
  const identity = identityText({
    ...reported,
    request_id,
    timestamp: time.text,
    endpoint: route.endpoint,
    // The model key, not the shown model, is the same in all older files.
    model: position.model,
    auth_index: facts.auth_index,
    source_hash: unmasked.source_hash,
    failed,
    latency_ms: unmasked.latency_ms,
  });
  return assembleEvent({
    eventHash: isAcceptableHash(given) ? given : context.sha256Hex(identity),
    requestId: request_id,
    time,
    models,
    route,
    facts,
    unmasked,
    projectId: readText(detail, ['auth_project_id_snapshot', 'authProjectIdSnapshot']),
    requestTier,
    effectiveTier: effectiveServiceTier(origin, {
      request: requestTier,
      legacy: readText(detail, ['service_tier', 'serviceTier']),
      response: facts.response_service_tier,
    }),
    accounting: accountTokens(withCachedDetails(reported, detail), readExplicitCacheMode(detail), origin),
    failed,
    failure: failed && summary !== '' ? { ...failureTexts, fail_summary: sanitizeFailureText(summary) } : failureTexts,
    metadata,
    rawJson: redactedJson(wrapped(detail, position)).text,
    createdAtMs: context.nowMs,
  });
}

export interface LegacySnapshotEvents {
  readonly events: readonly UsageEvent[];
  /** Parts that are no valid event. */
  readonly failed: number;
  /** Models without details of single requests. */
  readonly unsupported: number;
}

/** Reads a whole snapshot, the value of `apis`, that fits into memory. */
export function readLegacySnapshot(apis: JsonObject, context: RecordContext): LegacySnapshotEvents {
  const events: UsageEvent[] = [];
  let failed = 0;
  let unsupported = 0;
  const endpoints = Object.keys(apis).sort(compareCodePoints);
  for (const [endpointNumber, endpoint] of endpoints.entries()) {
    const entry = apis[endpoint];
    const models = isJsonObject(entry) ? entry.models : undefined;
    if (!isJsonObject(models)) {
      failed += 1;
      continue;
    }
    for (const [modelNumber, model] of Object.keys(models).sort(compareCodePoints).entries()) {
      const modelEntry = models[model];
      if (!isJsonObject(modelEntry)) {
        failed += 1;
        continue;
      }
      const { details } = modelEntry;
      if (!Array.isArray(details) || details.length === 0) {
        unsupported += 1;
        continue;
      }
      for (const [detailIndex, detail] of details.entries()) {
        const position = { endpoint, endpointRank: endpointNumber + 1, model, modelRank: modelNumber + 1, detailIndex };
        const event = isJsonObject(detail) ? readLegacyDetail(detail, position, context) : null;
        if (event === null) failed += 1;
        else events.push(event);
      }
    }
  }
  return { events, failed, unsupported };
}
