import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { analyticsModel, billingModel, effectiveRequestedModel } from '@manager/core/usage/models';
import type { StoredEvent } from '../../../facts/testing/test-database.ts';
import { accountOf, distinctTexts, providerOf } from './random-events.ts';

// Every list of an answer, computed from one event after the other. For clarity, not for speed.

export const PRICES = {
  Ann: { prompt: 1, completion: 3, cache: 0.5 },
  ann: { prompt: 2.5, completion: 10, cache: 0, cacheRead: 0.25, cacheCreation: 3.75, cacheWrite1h: 6 },
  x: {
    prompt: 0.3,
    completion: 0.7,
    cache: 0.1,
    contextTiers: [{ thresholdTokens: 1, prompt: 7, completion: 11, cache: 2 }],
  },
  a_b: { prompt: 0.1, completion: 0.2, cache: 0.3 },
};

/** +05:30 without clock changes. */
export const ZONE = { name: 'Asia/Kolkata', offsetMs: 19_800_000 };
const HOUR_MS = 3_600_000;

const book = createPriceBook(PRICES);

const planOf = (event: StoredEvent) =>
  book.plan({
    analyticsModel: analyticsModel(event),
    billingModel: billingModel(event),
    requestedModel: effectiveRequestedModel(event),
    serviceTier: event.service_tier,
  });

/** Integers of 10⁻¹⁵ USD. */
function costUnits(event: StoredEvent): bigint {
  const plan = planOf(event);
  const band = plan.bands[plan.thresholds.filter((limit) => event.normalized_total_input_tokens > limit).length];
  if (band === undefined) throw new Error('a price without rates');
  const part = (tokens: number, rate: number) => BigInt(tokens) * BigInt(Math.round(rate * 1e9));
  return (
    part(event.normalized_uncached_input_tokens, band.input) +
    part(residual(event) + event.cache_read_tokens, band.cacheRead) +
    part(event.cache_creation_tokens - event.cache_write_1h_tokens, band.cacheCreation) +
    part(event.cache_write_1h_tokens, band.cacheWrite1h) +
    part(event.billable_output_tokens, band.output)
  );
}

function residual(event: StoredEvent): number {
  const reported = Math.max(event.cached_tokens, event.cache_tokens);
  return Math.max(reported - event.cache_read_tokens - event.cache_creation_tokens, 0);
}

export function count(events: readonly StoredEvent[]) {
  const sum = (value: (event: StoredEvent) => number) => events.reduce((total, event) => total + value(event), 0);
  const units = events.reduce((total, event) => total + costUnits(event), 0n);
  const latencies = events.flatMap(({ latency_ms }) => (latency_ms === null || latency_ms === 0 ? [] : [latency_ms]));
  const failure = events.filter(({ failed }) => failed).length;
  const input = sum((event) => event.normalized_total_input_tokens);
  const hits = sum(residual) + sum((event) => event.cache_read_tokens);
  return {
    calls: events.length,
    success: events.length - failure,
    failure,
    success_rate: (events.length - failure) / events.length,
    failure_rate: failure / events.length,
    tokens: {
      input_tokens: input,
      output_tokens: sum((event) => event.output_tokens),
      cached_tokens: sum(residual),
      cache_read_tokens: sum((event) => event.cache_read_tokens),
      cache_creation_tokens: sum((event) => event.cache_creation_tokens),
    },
    reasoning: sum((event) => event.reasoning_tokens),
    total: sum((event) => event.total_tokens),
    hits: {
      cache_hit_tokens: hits,
      cache_hit_input_tokens: input,
      cache_hit_rate: input > 0 ? Math.min(1, hits / input) : 0,
    },
    unpriced: events.filter((event) => event.total_tokens > 0 && !planOf(event).priced).length || undefined,
    cost: Number(units / 10n ** 15n) + Number(units % 10n ** 15n) / 1e15,
    average_latency_ms: latencies.length > 0 ? latencies.reduce((a, b) => a + b, 0) / latencies.length : null,
    last_seen_ms: Math.max(...events.map(({ timestamp_ms }) => timestamp_ms)),
  };
}

type Field = (event: StoredEvent) => string;
const account: Field = (event) => event.account_snapshot;
const label: Field = (event) => event.auth_label_snapshot;
const file: Field = (event) => event.auth_file_snapshot;
const project: Field = (event) => event.auth_project_id_snapshot;
const source: Field = (event) => event.source;
const sourceHash: Field = (event) => event.source_hash;
const authIndex: Field = (event) => event.auth_index;

/** The value of the newest event that has one. */
function newest(events: readonly StoredEvent[], field: Field): string | undefined {
  return events
    .toSorted((a, b) => b.timestamp_ms - a.timestamp_ms || b.id - a.id)
    .map(field)
    .find((value) => value !== '');
}

function snapshots(events: readonly StoredEvent[]) {
  return {
    account_snapshot: newest(events, account),
    auth_label_snapshot: newest(events, label),
    auth_provider_snapshot: newest(events, providerOf),
  };
}

function sets(events: readonly StoredEvent[]) {
  const distinct = (field: Field) => {
    const values = distinctTexts(events.map(field));
    return values.length > 0 ? values : undefined;
  };
  return { auth_indices: distinct(authIndex), sources: distinct(source), source_hashes: distinct(sourceHash) };
}

function block(events: readonly StoredEvent[]) {
  const { calls, success, failure, success_rate, tokens, total, cost, unpriced, average_latency_ms, last_seen_ms } =
    count(events);
  return {
    calls,
    success_calls: success,
    failure_calls: failure,
    success_rate,
    ...tokens,
    total_tokens: total,
    cost,
    unpriced_calls: unpriced,
    average_latency_ms,
    last_seen_ms,
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Rows of groups, sorted by the given members: `-name` descending, texts by bytes. */
function grouped(
  events: readonly StoredEvent[],
  keyOf: (event: StoredEvent) => string,
  rowOf: (events: readonly StoredEvent[], key: string) => Row,
  order: readonly string[],
): Row[] {
  return [...Map.groupBy(events, keyOf)]
    .map(([key, members]) => ({ row: rowOf(members, key), key }))
    .sort((a, b) => {
      for (const name of order) {
        const member = name.replace('-', '');
        const difference = compare(a.row[member], b.row[member]) * (name.startsWith('-') ? -1 : 1);
        if (difference !== 0) return difference;
      }
      return compare(a.key, b.key);
    })
    .map(({ row }) => row);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function modelsOf(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[], model: string): Row => {
    const { average_latency_ms: _, ...kept } = block(members);
    return { model: model.trim() === '' ? '-' : model, ...kept, ...count(members).hits };
  };
  return grouped(events, analyticsModel, rowOf, ['-cost', '-calls', '-last_seen_ms']);
}

const dash = (text: string) => text.trim() || '-';
const orDash = (text: string) => (text === '' ? '-' : text);
const LAST_SEEN_FIRST = ['-last_seen_ms', '-calls', '-cost', 'id'];
const EXPENSIVE_FIRST = ['-cost', '-calls', '-last_seen_ms', 'id'];

export function listedOf(event: StoredEvent): string {
  return [file, authIndex, sourceHash, source].map((field) => field(event).trim()).find((text) => text !== '') ?? '-';
}

function keyOf(event: StoredEvent): string {
  const unknown = [sourceHash, authIndex, source, providerOf].map((field) => dash(field(event)));
  return event.api_key_hash.trim().toLowerCase() || `unknown-client-api-key:${unknown.join(':')}`;
}

function contextOf(event: StoredEvent): string {
  return [providerOf, account, label, authIndex, sourceHash, source].map((field) => dash(field(event))).join(':');
}

export function accountStats(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[], id: string) => ({
    id,
    ...snapshots(members),
    ...sets(members),
    ...block(members),
    models: modelsOf(members),
  });
  return grouped(events, (event) => accountOf(event) ?? '-', rowOf, LAST_SEEN_FIRST);
}

export function accountFields(members: readonly StoredEvent[]) {
  return {
    auth_file_snapshot: newest(members, file),
    auth_index: newest(members, authIndex),
    source: newest(members, source),
    source_hash: newest(members, sourceHash),
    ...snapshots(members),
    auth_project_id_snapshot: newest(members, project),
  };
}

export function credentialStats(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[], id: string) => ({
    id,
    ...accountFields(members),
    ...block(members),
    models: modelsOf(members),
  });
  return grouped(events, listedOf, rowOf, EXPENSIVE_FIRST);
}

export function apiKeyStats(events: readonly StoredEvent[]): Row[] {
  const contextRow = (members: readonly StoredEvent[], id: string) => {
    const { calls, success, failure, success_rate, failure_rate, total, ...rest } = count(members);
    return {
      id,
      ...snapshots(members),
      auth_index: newest(members, authIndex),
      source: newest(members, source),
      source_hash: newest(members, sourceHash),
      calls,
      success_calls: success,
      failure_calls: failure,
      success_rate,
      failure_rate,
      total_tokens: total,
      cost: rest.cost,
      unpriced_calls: rest.unpriced,
      average_latency_ms: rest.average_latency_ms,
      last_seen_ms: rest.last_seen_ms,
    };
  };
  const rowOf = (members: readonly StoredEvent[], id: string) => ({
    id,
    api_key_hash: id.startsWith('unknown-client-api-key:') ? '' : id,
    ...snapshots(members),
    ...sets(members),
    ...block(members),
    models: modelsOf(members),
    contexts: grouped(members, contextOf, contextRow, EXPENSIVE_FIRST),
  });
  return grouped(events, keyOf, rowOf, LAST_SEEN_FIRST);
}

/** Client keys without anything of accounts; requests without a key are one row. */
export function keysAlone(events: readonly StoredEvent[]): Row[] {
  const without = 'unknown-client-api-key:';
  const rowOf = (members: readonly StoredEvent[], id: string) => ({
    id,
    api_key_hash: id === without ? '' : id,
    ...block(members),
    models: modelsOf(members),
  });
  const idOf: Field = (event) => event.api_key_hash.trim().toLowerCase() || without;
  return grouped(events, idOf, rowOf, LAST_SEEN_FIRST);
}

export function channelShare(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[], index: string) => {
    const { calls, success, failure, total, cost, unpriced, average_latency_ms } = count(members);
    const shown = { auth_index: index, source: newest(members, source), ...snapshots(members) };
    return { ...shown, calls, success, failure, tokens: total, cost, unpriced_calls: unpriced, average_latency_ms };
  };
  return grouped(events, (event) => orDash(event.auth_index), rowOf, ['-calls', 'auth_index']);
}

export function failureSources(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[]) => {
    const { calls, failure, last_seen_ms, average_latency_ms } = count(members);
    const [first] = members;
    return {
      source: newest(members, source),
      source_hash: orDash(first?.source_hash ?? ''),
      auth_index: orDash(first?.auth_index ?? ''),
      ...snapshots(members),
      calls,
      failure,
      last_seen_ms,
      average_latency_ms,
    };
  };
  const pair: Field = (event) => JSON.stringify([orDash(event.source_hash), orDash(event.auth_index)]);
  const order = ['-failure', '-last_seen_ms', 'source_hash', 'auth_index'];
  return grouped(events, pair, rowOf, order).filter(({ failure }) => failure !== 0);
}

function bucketOf(event: StoredEvent): number {
  const local = event.timestamp_ms + ZONE.offsetMs;
  return Math.floor(local / HOUR_MS) * HOUR_MS - ZONE.offsetMs;
}

function point(members: readonly StoredEvent[]) {
  const { calls, success, failure, tokens, reasoning, total, cost, unpriced, average_latency_ms, ...rates } =
    count(members);
  const [first] = members;
  const start = first === undefined ? 0 : bucketOf(first);
  return {
    bucket_ms: start,
    bucket_label: new Date(start + ZONE.offsetMs).toISOString().slice(11, 16),
    calls,
    tokens: total,
    success,
    failure,
    ...tokens,
    reasoning_tokens: reasoning,
    total_tokens: total,
    cost,
    unpriced_calls: unpriced,
    average_latency_ms,
    success_rate: rates.success_rate,
    failure_rate: rates.failure_rate,
  };
}

export function accountTimeline(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[]) => {
    const id = members[0] === undefined ? '' : listedOf(members[0]);
    const labels = [label, account, file, source, authIndex].map((field) => newest(members, field));
    return {
      id,
      label: labels.find((text) => text !== undefined) ?? id,
      ...accountFields(members),
      ...point(members),
    };
  };
  return grouped(events, (event) => `${bucketOf(event)} ${listedOf(event)}`, rowOf, ['bucket_ms', 'id']);
}

export function apiKeyTimeline(events: readonly StoredEvent[]): Row[] {
  const id: Field = (event) => event.api_key_hash.trim().toLowerCase();
  const rowOf = (members: readonly StoredEvent[]) => ({
    api_key_hash: members[0] === undefined ? '' : id(members[0]),
    ...point(members),
  });
  const named = events.filter((event) => id(event) !== '');
  return grouped(named, (event) => `${bucketOf(event)} ${id(event)}`, rowOf, ['bucket_ms', 'api_key_hash']);
}

export function taskBuckets(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[], key: string) => {
    const { calls, success, failure, tokens, total, average_latency_ms, last_seen_ms } = count(members);
    const latencies = members.flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms]));
    const distinct = (field: Field) => [...new Set(members.map(field))].sort(compare);
    return {
      bucket_key: key,
      total: calls,
      success,
      failure,
      first_ms: last_seen_ms,
      last_ms: last_seen_ms,
      source: newest(members, source) ?? '',
      source_hash: members[0]?.source_hash,
      auth_index: members[0]?.auth_index,
      models: distinct(analyticsModel),
      endpoints: distinct((event) => event.endpoint),
      ...tokens,
      total_tokens: total,
      average_latency_ms,
      max_latency_ms: latencies.length > 0 ? Math.max(...latencies) : null,
    };
  };
  const key: Field = (event) => `${event.timestamp}|${event.source_hash}|${event.auth_index}`;
  return grouped(events, key, rowOf, ['-last_ms', 'bucket_key']).slice(0, 500);
}

export function modelStats(events: readonly StoredEvent[]): Row[] {
  const rowOf = (members: readonly StoredEvent[], model: string) => {
    const { last_seen_ms: _, average_latency_ms: __, ...kept } = block(members);
    return { model, ...kept, ...count(members).hits };
  };
  return grouped(events, analyticsModel, rowOf, ['-calls', 'model']);
}

/** In the form of an answer: empty lists and members without value are left out. */
export function asAnswered(rows: Readonly<Record<string, readonly Row[]>>): Partial<AnalyticsResponse> {
  const kept = Object.fromEntries(Object.entries(rows).filter(([, list]) => list.length > 0));
  return JSON.parse(JSON.stringify(kept)) as Partial<AnalyticsResponse>;
}
