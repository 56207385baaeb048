import type { UsageEvent } from '@manager/core/usage/event';
import { analyticsModel } from '@manager/core/usage/models';
import { isImplausibleTime } from '@manager/core/usage/timestamp';
import { cacheWrite1hWithin } from '@manager/core/usage/tokens';
import { type FactColumn, FactFlag, type FactRow } from '../../facts/columns.ts';
import { taskKey, taskKeyHash } from '../../facts/task-key.ts';
import type { SymbolIds } from './symbols.ts';

/** How an event was stored. */
export interface Stored {
  readonly id: number;
  /** The key of its hash in the ledger. */
  readonly key: string | Uint8Array;
  readonly receivedAtMs: number;
}

export function buildFact(event: UsageEvent, stored: Stored, symbols: SymbolIds): FactRow {
  const tokens = factTokens(event);
  const headers = factHeaders(event, symbols);
  const task = taskKeyHash(taskKey(event.timestamp, event.source_hash, event.auth_index));
  const symbol = (text: string) => symbols.idOf(text);
  const chosen = (text: string) => symbols.idOfCaller(text);
  // Written out instead of spread: this runs for every event.
  return {
    event_id: stored.id,
    timestamp_ms: event.timestamp_ms,
    provider: symbol(event.provider),
    auth_provider_snapshot: symbol(event.auth_provider_snapshot),
    executor_type: symbol(event.executor_type),
    model: symbol(event.model),
    requested_model: symbol(event.requested_model),
    resolved_model: symbol(event.resolved_model),
    analytics_model: symbol(analyticsModel(event)),
    endpoint: chosen(event.endpoint),
    method: symbol(event.method),
    path: chosen(event.path),
    auth_index: symbol(event.auth_index),
    source: symbol(event.source),
    source_hash: symbol(event.source_hash),
    api_key_hash: symbol(event.api_key_hash),
    account_snapshot: symbol(event.account_snapshot),
    auth_label_snapshot: symbol(event.auth_label_snapshot),
    auth_file_snapshot: symbol(event.auth_file_snapshot),
    auth_project_id_snapshot: symbol(event.auth_project_id_snapshot),
    reasoning_effort: symbol(event.reasoning_effort),
    service_tier: symbol(event.service_tier),
    client_ip: chosen(event.client_ip),
    x_forwarded_for: chosen(event.x_forwarded_for),
    user_agent: chosen(event.user_agent),
    header_quota_plan_type: headers.header_quota_plan_type,
    header_error_kind: headers.header_error_kind,
    header_error_code: headers.header_error_code,
    input_tokens: tokens.input_tokens,
    uncached_input_tokens: tokens.uncached_input_tokens,
    cached_tokens: tokens.cached_tokens,
    cache_read_tokens: tokens.cache_read_tokens,
    cache_creation_tokens: tokens.cache_creation_tokens,
    output_tokens: tokens.output_tokens,
    billable_output_tokens: tokens.billable_output_tokens,
    reasoning_tokens: tokens.reasoning_tokens,
    total_tokens: tokens.total_tokens,
    unclassified_tokens: tokens.unclassified_tokens,
    latency_ms: optional(event.latency_ms),
    ttft_ms: optional(event.ttft_ms),
    fail_status_code: optional(event.fail_status_code),
    flags: flagsOf(event, stored.receivedAtMs),
    task_key_high: task.high,
    task_key_low: task.low,
    event_hash: stored.key,
    request_id: event.request_id,
    header_trace_id: headers.header_trace_id,
    fail_summary: event.fail_summary,
    cache_write_1h_tokens: tokens.cache_write_1h_tokens,
  };
}

/** The token columns of a fact. */
export function factTokens(event: UsageEvent) {
  const read = positive(event.cache_read_tokens);
  const creation = positive(event.cache_creation_tokens);
  return {
    input_tokens: positive(event.normalized_total_input_tokens),
    uncached_input_tokens: positive(event.normalized_uncached_input_tokens),
    // The part of the legacy count beyond cache read and creation.
    cached_tokens: positive(Math.max(event.cached_tokens, event.cache_tokens) - read - creation),
    cache_read_tokens: read,
    cache_creation_tokens: creation,
    cache_write_1h_tokens: cacheWrite1hWithin(creation, event.cache_write_1h_tokens),
    output_tokens: positive(event.output_tokens),
    billable_output_tokens: positive(event.billable_output_tokens),
    reasoning_tokens: positive(event.reasoning_tokens),
    total_tokens: positive(event.total_tokens),
    unclassified_tokens: positive(event.unclassified_tokens),
  } satisfies Partial<Record<FactColumn, number>>;
}

/** The columns of a fact from response headers. */
export function factHeaders(event: UsageEvent, symbols: SymbolIds) {
  return {
    header_quota_plan_type: symbols.idOf(event.header_quota_plan_type),
    header_error_kind: symbols.idOf(event.header_error_kind),
    header_error_code: symbols.idOf(event.header_error_code),
    header_trace_id: event.header_trace_id,
  } satisfies Partial<Record<FactColumn, number | string>>;
}

/** The bits of `flags` that `tokenFlags` sets. */
export const TOKEN_FLAGS = FactFlag.cacheHit | FactFlag.inconsistent | FactFlag.unclassified;

/** The flags that follow from the token counts. */
export function tokenFlags(event: UsageEvent): number {
  const hit =
    event.cached_tokens > 0 || event.cache_tokens > 0 || event.cache_read_tokens > 0 || event.cache_creation_tokens > 0;
  const quality = { complete: 0, inconsistent: FactFlag.inconsistent, unclassified: FactFlag.unclassified, '': 0 };
  return (hit ? FactFlag.cacheHit : 0) | (quality[event.token_quality] ?? 0);
}

function flagsOf(event: UsageEvent, receivedAtMs: number): number {
  return (
    (event.failed ? FactFlag.failed : 0) |
    tokenFlags(event) |
    (isImplausibleTime(event.timestamp_ms, receivedAtMs) ? FactFlag.implausibleTime : 0)
  );
}

function positive(count: number): number {
  return Math.max(count, 0);
}

/** Unknown is 0, values are stored plus 1. A negative duration is invalid. */
function optional(value: number | null): number {
  return value === null || value < 0 ? 0 : value + 1;
}
