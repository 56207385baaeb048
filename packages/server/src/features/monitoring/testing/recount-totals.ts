import type { Granularity } from '@manager/core/contract/monitoring/analytics';
import { costOfEvent } from '@manager/core/pricing/cost';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { analyticsModel, billingModel, effectiveRequestedModel } from '@manager/core/usage/models';
import type { StoredEvent } from '../../../facts/testing/test-database.ts';
import { providerOf } from './random-events.ts';
import { PRICES } from './recount-rows.ts';

// The sums of an answer over time, computed from one event after the other, with local times from `Temporal`.

const book = createPriceBook(PRICES);
const HALF_HOUR_MS = 1_800_000;
const MINUTES: Readonly<Record<Exclude<Granularity, 'day'>, number>> = { '5m': 5, '15m': 15, hour: 60 };

function identityOf(event: StoredEvent) {
  return {
    analyticsModel: analyticsModel(event),
    billingModel: billingModel(event),
    requestedModel: effectiveRequestedModel(event),
    serviceTier: event.service_tier,
  };
}

function costOf(event: StoredEvent): number {
  return costOfEvent(book, identityOf(event), {
    totalInput: event.normalized_total_input_tokens,
    uncachedInput: event.normalized_uncached_input_tokens,
    cached: residual(event),
    cacheRead: event.cache_read_tokens,
    cacheCreation: event.cache_creation_tokens,
    cacheWrite1h: event.cache_write_1h_tokens,
    billableOutput: event.billable_output_tokens,
  });
}

function residual(event: StoredEvent): number {
  const reported = Math.max(event.cached_tokens, event.cache_tokens);
  return Math.max(reported - event.cache_read_tokens - event.cache_creation_tokens, 0);
}

function sum(events: readonly StoredEvent[], value: (event: StoredEvent) => number): number {
  return events.reduce((total, event) => total + value(event), 0);
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function positives(events: readonly StoredEvent[], member: 'latency_ms' | 'ttft_ms'): number[] {
  return events.flatMap((event) => ((event[member] ?? 0) > 0 ? [event[member] ?? 0] : []));
}

function percentile(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.ceil(0.95 * values.length - 1e-9) - 1] ?? null;
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

export function failuresOf(events: readonly StoredEvent[]): number {
  return events.filter(({ failed }) => failed).length;
}

function isImplausible({ timestamp_ms, created_at_ms }: StoredEvent): boolean {
  return timestamp_ms < Date.UTC(2000, 0, 1) || timestamp_ms > created_at_ms + 86_400_000;
}

function taskOf({ timestamp, source_hash, auth_index }: StoredEvent): string {
  return `${timestamp}|${source_hash}|${auth_index}`;
}

function unpricedOf(events: readonly StoredEvent[]): StoredEvent[] {
  return events.filter((event) => event.total_tokens > 0 && !book.plan(identityOf(event)).priced);
}

function namesOf(events: readonly StoredEvent[]): string[] {
  const names = new Set(events.map(analyticsModel).filter((name) => name.trim() !== ''));
  return [...names].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

function tokensOf(events: readonly StoredEvent[]) {
  return {
    input_tokens: sum(events, (event) => event.normalized_total_input_tokens),
    output_tokens: sum(events, (event) => event.output_tokens),
    cached_tokens: sum(events, residual),
    cache_read_tokens: sum(events, (event) => event.cache_read_tokens),
    cache_creation_tokens: sum(events, (event) => event.cache_creation_tokens),
    reasoning_tokens: sum(events, (event) => event.reasoning_tokens),
    total_tokens: sum(events, (event) => event.total_tokens),
  };
}

function hitRate(events: readonly StoredEvent[]): number {
  const { cached_tokens, cache_read_tokens, input_tokens } = tokensOf(events);
  return Math.min(1, share(cached_tokens + cache_read_tokens, input_tokens));
}

/** @param around events of the same filters at any time, for the last half hour */
export function summary(
  events: readonly StoredEvent[],
  around: readonly StoredEvent[],
  nowMs: number,
  zone: string,
): object {
  const failures = failuresOf(events);
  const tokens = tokensOf(events);
  const recent = around.filter(
    (event) => event.timestamp_ms >= nowMs - HALF_HOUR_MS && event.timestamp_ms < nowMs && !isImplausible(event),
  );
  const dates = new Set(events.map((event) => local(zone, event.timestamp_ms).toPlainDate().toString()));
  const tasks = new Set(events.map(taskOf)).size;
  const failedTasks = new Set(events.filter(({ failed }) => failed).map(taskOf)).size;
  const empty = events.filter(({ failed, total_tokens }) => !failed && total_tokens === 0);
  const unpriced = unpricedOf(events);
  return {
    total_calls: events.length,
    success_calls: events.length - failures,
    failure_calls: failures,
    success_rate: share(events.length - failures, events.length),
    ...tokens,
    cache_hit_rate: hitRate(events),
    total_cost: sum(events, costOf),
    average_cost_per_call: share(sum(events, costOf), events.length),
    average_latency_ms: average(positives(events, 'latency_ms')),
    p95_latency_ms: percentile(positives(events, 'latency_ms')),
    p95_ttft_ms: percentile(positives(events, 'ttft_ms')),
    rpm_30m: recent.length / 30,
    tpm_30m: sum(recent, (event) => event.total_tokens) / 30,
    avg_daily_requests: events.length / Math.max(dates.size, 1),
    avg_daily_tokens: tokens.total_tokens / Math.max(dates.size, 1),
    approx_tasks: tasks,
    approx_task_failures: failedTasks,
    approx_task_success_rate: share(tasks - failedTasks, tasks),
    zero_token_calls: empty.length,
    zero_token_models: namesOf(empty),
    unpriced_calls: unpriced.length,
    unpriced_models: namesOf(unpriced),
    inconsistent_calls: events.filter(({ token_quality }) => token_quality === 'inconsistent').length,
    unclassified_tokens: sum(events, (event) => event.unclassified_tokens),
    implausible_time_calls: events.filter(isImplausible).length,
  };
}

export function comparison(events: readonly StoredEvent[], fromMs: number, toMs: number): object {
  const failures = failuresOf(events);
  const unpriced = unpricedOf(events).length;
  return {
    from_ms: fromMs,
    to_ms: toMs,
    total_calls: events.length,
    success_calls: events.length - failures,
    failure_calls: failures,
    success_rate: share(events.length - failures, events.length),
    total_tokens: sum(events, (event) => event.total_tokens),
    total_cost: sum(events, costOf),
    ...(unpriced === 0 ? {} : { unpriced_calls: unpriced }),
  };
}

export function timeline(events: readonly StoredEvent[], zone: string, granularity: Granularity): object[] {
  const buckets = Map.groupBy(events, (event) => bucketStart(zone, granularity, event.timestamp_ms));
  return [...buckets]
    .sort(([left], [right]) => left - right)
    .map(([bucketMs, inside]) => {
      const failures = failuresOf(inside);
      const tokens = tokensOf(inside);
      return {
        bucket_ms: bucketMs,
        calls: inside.length,
        tokens: tokens.total_tokens,
        success: inside.length - failures,
        failure: failures,
        ...tokens,
        cache_hit_rate: hitRate(inside),
        cost: sum(inside, costOf),
        unpriced_calls: unpricedOf(inside).length || undefined,
        average_latency_ms: average(positives(inside, 'latency_ms')),
        p95_latency_ms: percentile(positives(inside, 'latency_ms')),
        p95_ttft_ms: percentile(positives(inside, 'ttft_ms')),
        success_rate: share(inside.length - failures, inside.length),
        failure_rate: share(failures, inside.length),
      };
    });
}

export function hourlyDistribution(events: readonly StoredEvent[], zone: string): object[] {
  const hours = Map.groupBy(events, (event) => local(zone, event.timestamp_ms).hour);
  return [...hours]
    .sort(([left], [right]) => left - right)
    .map(([hour, inside]) => ({ hour, calls: inside.length, tokens: sum(inside, (event) => event.total_tokens) }));
}

export function heatmap(events: readonly StoredEvent[], zone: string): object[] {
  const cells = Map.groupBy(events, (event) => {
    const { dayOfWeek, hour } = local(zone, event.timestamp_ms);
    return (dayOfWeek % 7) * 24 + hour;
  });
  return [...cells]
    .sort(([left], [right]) => left - right)
    .map(([cell, inside]) => ({
      weekday: Math.floor(cell / 24),
      hour: cell % 24,
      ...activity(inside),
      model_contributors: contributors(inside, (event) => nameOr(analyticsModel(event))),
      api_key_contributors: contributors(inside, (event) => event.api_key_hash),
      provider_contributors: contributors(inside, (event) => nameOr(providerOf(event))),
    }));
}

function contributors(events: readonly StoredEvent[], keyOf: (event: StoredEvent) => string): object[] | undefined {
  const named = Map.groupBy(events, keyOf);
  const rows = [...named]
    .filter(([key]) => key.trim() !== '')
    .map(([key, inside]) => ({ key, label: key, ...activity(inside), share: inside.length / events.length }))
    .sort(
      (left, right) =>
        right.calls - left.calls ||
        (Math.abs(right.cost - left.cost) < 1e-12 ? 0 : right.cost - left.cost) ||
        Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)),
    );
  return rows.length === 0 ? undefined : rows.slice(0, 5);
}

function activity(events: readonly StoredEvent[]) {
  const failure = failuresOf(events);
  return {
    calls: events.length,
    success: events.length - failure,
    failure,
    tokens: sum(events, (event) => event.total_tokens),
    cost: sum(events, costOf),
    unpriced_calls: unpricedOf(events).length || undefined,
    failure_rate: share(failure, events.length),
  };
}

function nameOr(name: string): string {
  return name.trim() === '' ? 'Unknown' : name;
}

function local(zone: string, ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}

/** By the contract: the previous even local time, cut where the offset changed since. */
function bucketStart(zone: string, granularity: Granularity, ms: number): number {
  const at = local(zone, ms);
  if (granularity === 'day') return at.startOfDay().epochMilliseconds;
  const width = MINUTES[granularity] * 60_000;
  const offset = at.offsetNanoseconds / 1e6;
  const even = ms - ((((ms + offset) % width) + width) % width);
  if (local(zone, even).offsetNanoseconds === at.offsetNanoseconds) return even;
  return local(zone, ms + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? even;
}
