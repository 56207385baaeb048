import type { UsageEvent } from '@manager/core/usage/event';
import { analyticsModel, billingModel } from '@manager/core/usage/models';
import { FACT_COLUMNS, type FactColumn, FactFlag } from '../../facts/columns.ts';
import { taskKey, taskKeyHash } from '../../facts/task-key.ts';
import type { SymbolWriter } from './symbols.ts';

/** What the facts and the hourly core keep of one event. */
export interface Fact {
  /** Values in the order of `FACT_COLUMNS`. */
  readonly row: readonly (number | string | Uint8Array)[];
  readonly sums: FactSums;
}

export interface FactSums {
  readonly analyticsModel: number;
  readonly billingModel: number;
  readonly serviceTier: number;
  readonly failed: boolean;
  readonly inputTokens: number;
  readonly uncachedInputTokens: number;
  readonly cachedTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
  readonly outputTokens: number;
  readonly billableOutputTokens: number;
  readonly reasoningTokens: number;
  readonly totalTokens: number;
  readonly latencyMs: number;
}

const EARLIEST_PLAUSIBLE_MS = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

/** Outside of `[2000-01-01, arrival + 1 day]`: kept, but no part of "latest" and "today". */
export function isImplausibleTime(timestampMs: number, receivedAtMs: number): boolean {
  return timestampMs < EARLIEST_PLAUSIBLE_MS || timestampMs > receivedAtMs + DAY_MS;
}

/** @param key the key under which the event's hash stands in the ledger */
export function buildFact(
  event: UsageEvent,
  key: string | Uint8Array,
  receivedAtMs: number,
  symbols: SymbolWriter,
): Fact {
  const tokens = factTokens(event);
  const headers = factHeaders(event, symbols);
  const analytics = symbols.idOf(analyticsModel(event));
  const tier = symbols.idOf(event.service_tier);
  const sums: FactSums = {
    analyticsModel: analytics,
    billingModel: symbols.idOf(billingModel(event)),
    serviceTier: tier,
    failed: event.failed,
    inputTokens: tokens.input_tokens,
    uncachedInputTokens: tokens.uncached_input_tokens,
    cachedTokens: tokens.cached_tokens,
    cacheReadTokens: tokens.cache_read_tokens,
    cacheCreationTokens: tokens.cache_creation_tokens,
    outputTokens: tokens.output_tokens,
    billableOutputTokens: tokens.billable_output_tokens,
    reasoningTokens: tokens.reasoning_tokens,
    totalTokens: tokens.total_tokens,
    latencyMs: event.latency_ms ?? 0,
  };
  const task = taskKeyHash(taskKey(event.timestamp, event.source_hash, event.auth_index));
  const symbol = (text: string) => symbols.idOf(text);
  const row = [
    event.timestamp_ms,
    symbol(event.provider),
    symbol(event.auth_provider_snapshot),
    symbol(event.executor_type),
    symbol(event.model),
    symbol(event.requested_model),
    symbol(event.resolved_model),
    analytics,
    symbol(event.endpoint),
    symbol(event.method),
    symbol(event.path),
    symbol(event.auth_index),
    symbol(event.source),
    symbol(event.source_hash),
    symbol(event.api_key_hash),
    symbol(event.account_snapshot),
    symbol(event.auth_label_snapshot),
    symbol(event.auth_file_snapshot),
    symbol(event.auth_project_id_snapshot),
    symbol(event.reasoning_effort),
    tier,
    symbol(event.client_ip),
    symbol(event.x_forwarded_for),
    symbol(event.user_agent),
    headers.header_quota_plan_type,
    headers.header_error_kind,
    headers.header_error_code,
    tokens.input_tokens,
    tokens.uncached_input_tokens,
    tokens.cached_tokens,
    tokens.cache_read_tokens,
    tokens.cache_creation_tokens,
    tokens.output_tokens,
    tokens.billable_output_tokens,
    tokens.reasoning_tokens,
    tokens.total_tokens,
    tokens.unclassified_tokens,
    optional(event.latency_ms),
    optional(event.ttft_ms),
    optional(event.fail_status_code),
    flagsOf(event, receivedAtMs),
    task.high,
    task.low,
    key,
    event.request_id,
    headers.header_trace_id,
    event.fail_summary,
  ];
  return { row, sums };
}

/** The token columns of a fact. */
export function factTokens(event: UsageEvent) {
  const read = positive(event.cache_read_tokens);
  const creation = positive(event.cache_creation_tokens);
  return {
    input_tokens: positive(event.normalized_total_input_tokens),
    uncached_input_tokens: positive(event.normalized_uncached_input_tokens),
    // The part of the legacy count that read and creation do not explain.
    cached_tokens: positive(Math.max(event.cached_tokens, event.cache_tokens) - read - creation),
    cache_read_tokens: read,
    cache_creation_tokens: creation,
    output_tokens: positive(event.output_tokens),
    billable_output_tokens: positive(event.billable_output_tokens),
    reasoning_tokens: positive(event.reasoning_tokens),
    total_tokens: positive(event.total_tokens),
    unclassified_tokens: positive(event.unclassified_tokens),
  } satisfies Partial<Record<FactColumn, number>>;
}

/** The columns of a fact that copy what response headers said. */
export function factHeaders(event: UsageEvent, symbols: Pick<SymbolWriter, 'idOf'>) {
  return {
    header_quota_plan_type: symbols.idOf(event.header_quota_plan_type),
    header_error_kind: symbols.idOf(event.header_error_kind),
    header_error_code: symbols.idOf(event.header_error_code),
    header_trace_id: event.header_trace_id,
  } satisfies Partial<Record<FactColumn, number | string>>;
}

/** The bits of `flags` that `qualityFlags` gives. */
export const QUALITY_FLAGS = FactFlag.inconsistent | FactFlag.unclassified;

export function qualityFlags(event: UsageEvent): number {
  if (event.token_quality === 'inconsistent') return FactFlag.inconsistent;
  return event.token_quality === 'unclassified' ? FactFlag.unclassified : 0;
}

/** Columns of `facts_tail` behind `event_id`, in the order of `Fact.row`. */
export const FACT_COLUMN_NAMES = Object.keys(FACT_COLUMNS);

function flagsOf(event: UsageEvent, receivedAtMs: number): number {
  const hit =
    event.cached_tokens > 0 || event.cache_tokens > 0 || event.cache_read_tokens > 0 || event.cache_creation_tokens > 0;
  return (
    (event.failed ? FactFlag.failed : 0) |
    (hit ? FactFlag.cacheHit : 0) |
    qualityFlags(event) |
    (isImplausibleTime(event.timestamp_ms, receivedAtMs) ? FactFlag.implausibleTime : 0)
  );
}

function positive(count: number): number {
  return Math.max(count, 0);
}

/** Unknown is 0, a value is stored one higher. A negative duration is no measurement. */
function optional(value: number | null): number {
  return value === null || value < 0 ? 0 : value + 1;
}
