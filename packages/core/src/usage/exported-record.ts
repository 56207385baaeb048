import type { JsonObject } from '../json/json.ts';
import { firstExisting, readInteger, readOptionalInteger, readText, type Spellings } from '../json/readers.ts';
import { isKeyInPlaceOfHash, maskSource, sanitizeFailureText } from '../redaction/redact.ts';
import { assembleEvent } from './assemble.ts';
import { explicitCacheMode } from './cache-accounting.ts';
import type { RecordContext } from './context.ts';
import type { CacheInputMode, TokenQuality, UsageEvent } from './event.ts';
import { failureColumns, readFailure, readHeaders } from './failure.ts';
import { hasClearKeySource } from './key-source.ts';
import { originalsOf } from './originals.ts';
import { freeUsageEvidence } from './provider-usage.ts';
import { redactedJsonText } from './raw-json.ts';
import { type Origin, originOf, readRequestFacts } from './request-facts.ts';
import { buildResponseMetadata } from './response-metadata.ts';
import { effectiveServiceTier } from './tier.ts';
import { type Instant, instantFromMs, isInstant, isInstantMs, readRecordTime } from './timestamp.ts';
import { NO_BREAKDOWN } from './token-breakdown.ts';
import {
  accountTokens,
  readExplicitCacheMode,
  readReportedTokens,
  readReportedTotal,
  withCachedDetails,
  withCacheWrite1h,
} from './tokens.ts';

const MILLISECONDS: Spellings = ['timestamp_ms', 'timestampMs'];
const TIME_MEMBERS: Spellings = [...MILLISECONDS, 'timestamp'];

/** Text as exported: model names may have spaces at their ends, and those are other models. */
function verbatim(item: JsonObject, spellings: Spellings): string {
  const value = firstExisting(item, spellings);
  return typeof value === 'string' ? value : readText(item, spellings);
}

/** Time text and milliseconds are kept, because the identity was computed from them. */
function readTime(item: JsonObject, nowMs: number): Instant {
  const ms = readInteger(item, MILLISECONDS);
  const isKnown = ms > 0 && isInstantMs(ms);
  const text = typeof item.timestamp === 'string' ? readText(item, ['timestamp']) : '';
  const isTimeText = text !== '' && !/^[+-]?\d+$/.test(text);
  if (isKnown && isTimeText) return { ms, text };
  const known = isKnown ? instantFromMs(ms) : null;
  if (known !== null && item.timestamp === undefined) return known;
  const parsed = readRecordTime(item, nowMs);
  return { ms: known?.ms ?? parsed.ms, text: isTimeText ? text : parsed.text };
}

/**
 * Whether an exported event has an unreadable time: stored with the current time, it would appear in today's figures.
 */
export function hasUnreadableTime(item: JsonObject): boolean {
  let isGiven = false;
  for (const name of TIME_MEMBERS) {
    const value = item[name];
    if (value === undefined || value === null || value === '') continue;
    if (value !== 0 && isInstant(value)) return false;
    isGiven = true;
  }
  return isGiven;
}

const PROJECT: Spellings = ['auth_project_id_snapshot', 'authProjectIdSnapshot', 'project_id', 'projectId'];
const TRUE_TEXTS = new Set(['1', 'true', 'yes', 'on']);

function readFailed(item: JsonObject): boolean {
  const value = firstExisting(item, ['failed', 'is_failed', 'isFailed']);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'string' && TRUE_TEXTS.has(value.trim().toLowerCase());
}

interface Proof {
  readonly mode: CacheInputMode | null;
  /** 0 = missing. */
  readonly total: number;
}

function proofIn(originals: readonly JsonObject[]): Proof {
  let mode: CacheInputMode | null = null;
  let total = 0;
  for (const original of originals) {
    mode ??= readExplicitCacheMode(original);
    if (total <= 0) total = readReportedTotal(original);
  }
  return { mode, total: Math.max(total, 0) };
}

/** Adds mode and total of the record to an original that does not have them. */
function provingRawJson(text: string, recordMode: CacheInputMode | null, recordTotal: number, proof: Proof): string {
  const proven =
    (recordMode === null || recordMode === proof.mode) && (recordTotal <= 0 || recordTotal === proof.total);
  if (proven) return text;
  return JSON.stringify({
    ...(recordMode === null ? {} : { cache_input_mode: recordMode }),
    ...(text === '' ? {} : { raw_json: text }),
    ...(recordTotal > 0 ? { total_tokens: recordTotal } : {}),
  });
}

function optionalCount(item: JsonObject, name: string): number | null {
  const value = readOptionalInteger(item, [name]);
  return value !== null && value >= 0 ? value : null;
}

function readQuality(item: JsonObject): TokenQuality {
  const quality = item.token_quality;
  return quality === 'inconsistent' || quality === 'unclassified' || quality === 'complete' ? quality : '';
}

/** Reads the members that an export wrote because they cannot be inferred from the reported counts. */
function readAccounting(
  item: JsonObject,
  originals: readonly JsonObject[],
  mode: CacheInputMode | null,
  total: number,
  origin: Origin,
) {
  const counts = { ...readReportedTokens(item), total_tokens: total };
  const reported = withCacheWrite1h(withCachedDetails(counts, item), originals);
  const inferred = accountTokens(reported, mode, origin);
  const buckets = {
    normalized_uncached_input_tokens:
      optionalCount(item, 'normalized_uncached_input_tokens') ?? inferred.normalized_uncached_input_tokens,
    normalized_total_input_tokens:
      optionalCount(item, 'normalized_total_input_tokens') ?? inferred.normalized_total_input_tokens,
    normalized_cache_read_tokens:
      optionalCount(item, 'normalized_cache_read_tokens') ?? inferred.normalized_cache_read_tokens,
    normalized_cache_creation_tokens:
      optionalCount(item, 'normalized_cache_creation_tokens') ?? inferred.normalized_cache_creation_tokens,
  };
  const output = optionalCount(item, 'billable_output_tokens') ?? inferred.billable_output_tokens;
  return accountTokens(reported, inferred.cache_input_mode, origin, {
    ...NO_BREAKDOWN,
    quality: readQuality(item),
    unclassified: optionalCount(item, 'unclassified_tokens') ?? 0,
    complete: { input: buckets, output },
  });
}

/** Keys are never stored, whatever another tool wrote into the column of their hash. */
function hashOf(text: string, { sha256Hex }: RecordContext): string {
  return isKeyInPlaceOfHash(text) ? sha256Hex(text) : text;
}

/**
 * Reads a record that was exported and keeps its identity, masks and hashes; derived members are recalculated. The
 * caller has checked `eventHash`.
 */
export function readExportedRecord(item: JsonObject, eventHash: string, context: RecordContext): UsageEvent {
  const time = readTime(item, context.nowMs);
  const facts = readRequestFacts(item);
  const requested = verbatim(item, ['requested_model', 'requestedModel']);
  const resolved = verbatim(item, ['resolved_model', 'resolvedModel']);
  const models = {
    requested_model: requested,
    resolved_model: resolved,
    model: verbatim(item, ['model']) || requested || resolved || '-',
  };
  const origin = originOf(facts, models, readText(item, ['provider']));
  const stored = {
    source: readText(item, ['source']),
    source_hash: hashOf(readText(item, ['source_hash', 'sourceHash']), context),
    api_key_hash: hashOf(readText(item, ['api_key_hash', 'apiKeyHash']), context),
    auth_type: facts.auth_type,
    provider: origin.provider,
  };
  const keyText = hasClearKeySource(stored) ? stored.source : '';
  const rawJson = verbatim(item, ['raw_json', 'rawJson']);
  const originals = originalsOf(rawJson);
  const proof = proofIn(originals);
  const recordMode = explicitModeOf(item);
  const recordTotal = readReportedTotal(item);
  const failed = readFailed(item);
  const failure = readFailure(item);
  const headers = [...originals.map(readHeaders), readHeaders(item)].filter((map) => map !== null);
  const failureTexts = failureColumns(failed, failure, readHeaders(item));
  const summary = readText(item, ['fail_summary', 'failSummary']);
  const metadata = buildResponseMetadata({
    supplied: [firstExisting(item, ['response_metadata', 'responseMetadata'])],
    headers,
    providerUsage: failed ? freeUsageEvidence(origin, failure, time.ms) : null,
    baseMs: time.ms,
  });
  const requestTier = readText(item, ['request_service_tier', 'requestServiceTier']);
  const createdAtMs = readInteger(item, ['created_at_ms', 'createdAtMs']);
  return assembleEvent({
    eventHash,
    requestId: readText(item, ['request_id', 'requestId']),
    time,
    models,
    route: {
      endpoint: readText(item, ['endpoint']) || '-',
      method: readText(item, ['method']),
      path: readText(item, ['path']),
    },
    facts,
    unmasked: {
      provider: origin.provider,
      source: keyText === '' ? stored.source : maskSource(keyText, true),
      source_hash: stored.source_hash === '' && keyText !== '' ? context.sha256Hex(keyText) : stored.source_hash,
      api_key_hash: stored.api_key_hash,
      latency_ms: readOptionalInteger(item, ['latency_ms', 'latencyMs']),
    },
    projectId: readText(item, PROJECT),
    requestTier,
    effectiveTier: effectiveServiceTier(origin, {
      request: requestTier,
      legacy: readText(item, ['service_tier', 'serviceTier']),
      response: facts.response_service_tier,
    }),
    accounting: readAccounting(
      item,
      originals,
      recordMode ?? proof.mode,
      recordTotal > 0 ? recordTotal : proof.total,
      origin,
    ),
    failed,
    failure: failed && summary !== '' ? { ...failureTexts, fail_summary: sanitizeFailureText(summary) } : failureTexts,
    metadata,
    rawJson: provingRawJson(rawJson === '' ? '' : redactedJsonText(rawJson, keyText), recordMode, recordTotal, proof),
    createdAtMs: createdAtMs > 0 ? createdAtMs : context.nowMs,
  });
}

function explicitModeOf(item: JsonObject): CacheInputMode | null {
  return explicitCacheMode(readText(item, ['cache_input_mode', 'cacheInputMode'])) ?? readExplicitCacheMode(item);
}
