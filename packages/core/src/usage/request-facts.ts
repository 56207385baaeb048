import type { JsonObject } from '../json/json.ts';
import { readInteger, readOptionalInteger, readText, type Spellings } from '../json/readers.ts';
import { maskSource } from '../redaction/redact.ts';
import type { RecordContext } from './context.ts';
import type { UsageEvent } from './event.ts';
import { isKeySource, readKeyFacts } from './key-source.ts';
import { cleanClientIp, cleanForwardedFor, cleanUserAgent } from './request-metadata.ts';

/** Members with the same names and meaning in every kind of record. */
export type RequestFacts = Pick<
  UsageEvent,
  | 'executor_type'
  | 'client_ip'
  | 'x_forwarded_for'
  | 'user_agent'
  | 'auth_type'
  | 'auth_index'
  | 'account_snapshot'
  | 'auth_label_snapshot'
  | 'auth_file_snapshot'
  | 'auth_provider_snapshot'
  | 'auth_snapshot_at_ms'
  | 'reasoning_effort'
  | 'response_service_tier'
  | 'ttft_ms'
>;

export function readRequestFacts(item: JsonObject): RequestFacts {
  const snapshotAtMs = readInteger(item, ['auth_snapshot_at_ms', 'authSnapshotAtMs']);
  return {
    executor_type: readText(item, ['executor_type', 'executorType']),
    client_ip: cleanClientIp(readText(item, ['client_ip', 'clientIp'])),
    x_forwarded_for: cleanForwardedFor(readText(item, ['x_forwarded_for', 'xForwardedFor'])),
    user_agent: cleanUserAgent(readText(item, ['user_agent', 'userAgent'])),
    auth_type: readText(item, ['auth_type', 'authType']),
    auth_index: readText(item, ['auth_index', 'authIndex', 'AuthIndex']),
    account_snapshot: readText(item, ['account_snapshot', 'accountSnapshot']),
    auth_label_snapshot: readText(item, ['auth_label_snapshot', 'authLabelSnapshot']),
    auth_file_snapshot: readText(item, ['auth_file_snapshot', 'authFileSnapshot']),
    auth_provider_snapshot: readText(item, ['auth_provider_snapshot', 'authProviderSnapshot']),
    auth_snapshot_at_ms: snapshotAtMs > 0 ? snapshotAtMs : null,
    reasoning_effort: readText(item, ['reasoning_effort', 'reasoningEffort']),
    response_service_tier: readText(item, ['response_service_tier', 'responseServiceTier']),
    ttft_ms: readOptionalInteger(item, ['ttft_ms', 'ttftMs', 'time_to_first_token_ms', 'timeToFirstTokenMs']),
  };
}

const LATENCY: Spellings = ['latency_ms', 'latencyMs', 'duration_ms', 'durationMs', 'elapsed_ms', 'elapsedMs'];

/** Members of records from the gateway itself, with account and key still unmasked. */
export type UnmaskedFacts = Pick<UsageEvent, 'provider' | 'source' | 'source_hash' | 'api_key_hash' | 'latency_ms'>;

export function readUnmaskedFacts(item: JsonObject, { sha256Hex }: RecordContext): UnmaskedFacts {
  const facts = readKeyFacts(item);
  const { source, apiKey, provider } = facts;
  return {
    provider,
    source: maskSource(source, isKeySource(source, facts)),
    source_hash: source === '' ? '' : sha256Hex(source),
    // An export has the hash of the client key, never the key.
    api_key_hash: apiKey === '' ? readKeyHash(item) : sha256Hex(apiKey),
    latency_ms: readOptionalInteger(item, LATENCY),
  };
}

const SHA256_HEX = /^[0-9a-f]{64}$/;

function readKeyHash(item: JsonObject): string {
  const hash = readText(item, ['api_key_hash', 'apiKeyHash']).toLowerCase();
  return SHA256_HEX.test(hash) ? hash : '';
}

export type Models = Pick<UsageEvent, 'requested_model' | 'resolved_model' | 'model'>;

/** Who served a request: decides about mode, tier and provider evidence. */
export type Origin = Models & Pick<UsageEvent, 'provider' | 'executor_type' | 'auth_provider_snapshot' | 'auth_type'>;

export function originOf(facts: RequestFacts, models: Models, provider: string): Origin {
  return {
    provider,
    executor_type: facts.executor_type,
    auth_provider_snapshot: facts.auth_provider_snapshot,
    auth_type: facts.auth_type,
    requested_model: models.requested_model,
    resolved_model: models.resolved_model,
    model: models.model,
  };
}
