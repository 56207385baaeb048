import type { DashboardResponse } from '@manager/core/contract/dashboard';
import { costOfEvent } from '@manager/core/pricing/cost';
import type { PriceBook } from '@manager/core/pricing/price-book';
import { analyticsModel, billingModel, effectiveRequestedModel } from '@manager/core/usage/models';
import { failureRow } from '../../../facts/answers/event-row.ts';
import type { StoredEvent } from '../../../facts/testing/test-database.ts';
import type { DashboardQuery } from '../request.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface Arrived {
  readonly event: StoredEvent;
  readonly receivedAtMs: number;
}

/** The dashboard recounted from the events, one rule after the other. */
export function recount(known: readonly Arrived[], query: DashboardQuery, book: PriceBook): Partial<DashboardResponse> {
  const plausible = known.filter((one) => one.event.timestamp_ms <= one.receivedAtMs + DAY_MS).map((one) => one.event);
  const { todayStartMs: start, nowMs: now } = query;
  const within = (from: number, to: number) =>
    plausible.filter((event) => event.timestamp_ms >= from && event.timestamp_ms < Math.min(to, now));
  const today = within(start, now);
  const rolling = within(now - 30 * MINUTE_MS, now);
  const models = [...Map.groupBy(today, analyticsModel)].map(([model, events]) => ({
    model,
    calls: events.length,
    tokens: sum(events, total),
    cost: sum(events, costIn(book)),
    ...unpriced(events, book),
    success_rate: ratio(events.length - failures(events), events.length),
  }));
  const highest = Math.max(0, ...models.map(({ cost }) => cost));
  const hours = slots(24, (index) => within(start + index * HOUR_MS, start + (index + 1) * HOUR_MS));
  const points = slots(144, (index) => within(start + index * 10 * MINUTE_MS, start + (index + 1) * 10 * MINUTE_MS));
  const mostCalls = Math.max(...hours.map((events) => events.length));
  const mostTokens = Math.max(...hours.map((events) => sum(events, total)));
  return {
    today: {
      total_calls: today.length,
      success_calls: today.length - failures(today),
      failure_calls: failures(today),
      success_rate: ratio(today.length - failures(today), today.length),
      input_tokens: sum(today, (event) => event.normalized_total_input_tokens),
      output_tokens: sum(today, (event) => event.output_tokens),
      cached_tokens: sum(today, residual),
      cache_read_tokens: sum(today, (event) => event.cache_read_tokens),
      cache_creation_tokens: sum(today, (event) => event.cache_creation_tokens),
      reasoning_tokens: sum(today, (event) => event.reasoning_tokens),
      total_tokens: sum(today, total),
      total_cost: sum(today, costIn(book)),
      average_latency_ms: averageLatency(today),
      zero_token_calls: today.filter((event) => !event.failed && event.total_tokens === 0).length,
      unpriced_calls: unpriced(today, book).unpriced_calls ?? 0,
    },
    rolling_30m: {
      rpm: rolling.length / 30,
      tpm: sum(rolling, total) / 30,
      total_calls: rolling.length,
      total_tokens: sum(rolling, total),
    },
    top_models_today: models
      .toSorted((a, b) => b.calls - a.calls || (a.model < b.model ? -1 : 1))
      .slice(0, query.topModels),
    model_cost_rank: models
      .toSorted((a, b) => exact(b.cost) - exact(a.cost) || b.calls - a.calls || (a.model < b.model ? -1 : 1))
      .slice(0, query.topModels)
      .map((model) => ({ ...model, cost_share: ratio(model.cost, highest) })),
    traffic_timeline: hours.map((events, index) => ({
      bucket_ms: start + index * HOUR_MS,
      calls: events.length,
      tokens: sum(events, total),
      success: events.length - failures(events),
      failure: failures(events),
      calls_share: ratio(events.length, mostCalls),
      tokens_share: ratio(sum(events, total), mostTokens),
      failure_rate: ratio(failures(events), events.length),
    })),
    today_request_health_timeline: {
      from_ms: start,
      to_ms: start + DAY_MS,
      bucket_ms: 600_000,
      total_calls: sum(points, (events) => events.length),
      failure_calls: sum(points, failures),
      success_calls: sum(points, (events) => events.length - failures(events)),
      success_rate: ratio(
        sum(points, (events) => events.length - failures(events)),
        sum(points, (events) => events.length),
      ),
      points: points.map((events, index) => ({
        bucket_ms: start + index * 600_000,
        calls: events.length,
        tokens: sum(events, total),
        success: events.length - failures(events),
        failure: failures(events),
        success_rate: ratio(events.length - failures(events), events.length),
        failure_rate: ratio(failures(events), events.length),
        tone: toneOf(events, start + index * 600_000 > now),
        intensity: ratio(events.length, Math.max(...points.map((other) => other.length))),
        future: start + index * 600_000 > now,
      })),
    },
    ...channels(today, book),
    failure_sources: sources(today),
    recent_failures: today
      .filter((event) => event.failed)
      .toSorted(newestFirst)
      .slice(0, query.recentFailures)
      .map(failureRow),
  };
}

/** Empty when every request is priced. */
function unpriced(events: readonly StoredEvent[], book: PriceBook): { readonly unpriced_calls?: number } {
  const calls = events.filter((event) => event.total_tokens > 0 && !book.plan(identityOf(event)).priced).length;
  return calls === 0 ? {} : { unpriced_calls: calls };
}

function channels(
  events: readonly StoredEvent[],
  book: PriceBook,
): Pick<DashboardResponse, 'channel_health' | 'failing_channels'> {
  const order = ['bad', 'warn', 'good'];
  const rows = [...Map.groupBy(events, (event) => event.auth_index || '-')]
    .map(([auth_index, group]) => {
      const average = averageLatency(group);
      const failed = failures(group);
      const success = (group.length - failed) / group.length;
      const isBad = success < 0.85 || failed >= 5 || (average ?? 0) >= 30_000;
      const isWarn = success < 0.95 || failed > 0 || (average ?? 0) >= 15_000;
      return {
        auth_index,
        ...names(group),
        calls: group.length,
        failures: failed,
        failure_rate: failed / group.length,
        success_rate: success,
        tokens: sum(group, total),
        cost: sum(group, costIn(book)),
        ...unpriced(group, book),
        average_latency_ms: average,
        tone: isBad ? ('bad' as const) : isWarn ? ('warn' as const) : ('good' as const),
      };
    })
    .sort(
      (a, b) =>
        order.indexOf(a.tone) - order.indexOf(b.tone) ||
        b.failures - a.failures ||
        b.calls - a.calls ||
        (a.auth_index < b.auth_index ? -1 : 1),
    );
  const often = rows.filter((row) => row.success_rate < 0.85);
  const hidden = often.some((row) => rows.indexOf(row) >= 5);
  return { channel_health: rows.slice(0, 5), ...(hidden ? { failing_channels: often.slice(0, 5) } : {}) };
}

function sources(events: readonly StoredEvent[]): DashboardResponse['failure_sources'] {
  const key = (event: StoredEvent) => JSON.stringify([event.source_hash || '-', event.auth_index || '-']);
  return [...Map.groupBy(events, key).values()]
    .filter((group) => failures(group) > 0)
    .map((group) => ({
      source_hash: group[0]?.source_hash || '-',
      auth_index: group[0]?.auth_index || '-',
      ...names(group),
      calls: group.length,
      failures: failures(group),
      failure_rate: failures(group) / group.length,
      last_seen_ms: Math.max(...group.map((event) => event.timestamp_ms)),
      average_latency_ms: averageLatency(group),
      tone: failures(group) / group.length >= 0.5 || failures(group) >= 5 ? ('bad' as const) : ('warn' as const),
    }))
    .sort(
      (a, b) =>
        b.failures - a.failures ||
        b.last_seen_ms - a.last_seen_ms ||
        compare(a.source_hash, b.source_hash) ||
        compare(a.auth_index, b.auth_index),
    )
    .slice(0, 5);
}

function names(events: readonly StoredEvent[]) {
  const newest = events.toSorted(newestFirst);
  const first = (value: (event: StoredEvent) => string) => newest.map(value).find((text) => text !== '');
  const found = {
    source: first((event) => event.source),
    account_snapshot: first((event) => event.account_snapshot),
    auth_label_snapshot: first((event) => event.auth_label_snapshot),
    auth_provider_snapshot: first((event) => event.auth_provider_snapshot || event.provider),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function slots<Value>(length: number, at: (index: number) => Value): Value[] {
  return Array.from({ length }, (_, index) => at(index));
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((all, item) => all + value(item), 0);
}

function total(event: StoredEvent): number {
  return event.total_tokens;
}

function failures(events: readonly StoredEvent[]): number {
  return events.filter((event) => event.failed).length;
}

function residual(event: StoredEvent): number {
  return Math.max(event.cached_tokens - event.cache_read_tokens - event.cache_creation_tokens, 0);
}

function averageLatency(events: readonly StoredEvent[]): number | null {
  const known = events.map((event) => event.latency_ms ?? 0).filter((latency) => latency > 0);
  return known.length === 0 ? null : sum(known, (latency) => latency) / known.length;
}

function toneOf(events: readonly StoredEvent[], isFuture: boolean) {
  if (isFuture) return 'future';
  if (events.length === 0) return 'empty';
  const rate = failures(events) / events.length;
  return rate >= 0.1 ? 'bad' : rate > 0 ? 'warn' : 'good';
}

function identityOf(event: StoredEvent) {
  return {
    analyticsModel: analyticsModel(event),
    billingModel: billingModel(event),
    requestedModel: effectiveRequestedModel(event),
    serviceTier: event.service_tier,
  };
}

function costIn(book: PriceBook): (event: StoredEvent) => number {
  return (event) =>
    costOfEvent(book, identityOf(event), {
      totalInput: event.normalized_total_input_tokens,
      uncachedInput: event.normalized_uncached_input_tokens,
      cached: residual(event),
      cacheRead: event.cache_read_tokens,
      cacheCreation: event.cache_creation_tokens,
      cacheWrite1h: event.cache_write_1h_tokens,
      billableOutput: event.billable_output_tokens,
    });
}

/** Rounded, so that equal costs are equal. */
function exact(cost: number): number {
  return Math.round(cost * 1e12);
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function newestFirst(left: StoredEvent, right: StoredEvent): number {
  return right.timestamp_ms - left.timestamp_ms || right.id - left.id;
}
