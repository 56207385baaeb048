import type { Database } from 'bun:sqlite';
import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import type { UsageEvent } from '@manager/core/usage/event';
import { type StoredEvent, testEvent } from '../../../facts/testing/test-database.ts';
import vectors from '../fixtures/analytics-vectors.json';

/** Requests with their answers, for every way of computing them. */
export interface VectorCase {
  readonly id: string;
  readonly events: EventSet;
  readonly op: string;
  readonly request: Readonly<Record<string, unknown>> & { readonly include?: Readonly<Record<string, unknown>> };
  readonly expect: Readonly<Record<string, unknown>>;
  readonly absent?: readonly string[];
  readonly expect_event_hashes?: readonly string[];
  readonly expect_drilldown_hashes?: readonly string[];
  readonly expect_event_rows?: Readonly<Record<string, Partial<EventRow>>>;
  readonly absent_in_rows?: Readonly<Record<string, readonly string[]>>;
  readonly absent_in_coverage?: readonly string[];
  readonly archived_before_ms?: number;
}

export interface VectorError {
  readonly op: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly code: string;
  /** Absent: any text. */
  readonly error?: string;
}

export type EventSet = keyof typeof vectors.event_sets;

export const VECTOR_CASES = vectors.cases as unknown as readonly VectorCase[];
export const VECTOR_ERRORS = vectors.error_cases as unknown as readonly VectorError[];

/** Numbers may differ by this much. */
const TOLERANCE = vectors.tolerance_abs;

/** Rows sealed into segments; the rest stays in the tail, so that every case also crosses their border. */
export const LAYOUTS = [
  ['all in the tail', []],
  ['all in one segment', ['all']],
  ['in segments and the tail', [3, 4]],
] as const;

/** The events of a set in normalized form. */
export function vectorEvents(name: EventSet): StoredEvent[] {
  const events = vectors.event_sets[name] as unknown as readonly (Partial<UsageEvent> & { readonly id: number })[];
  return events.map((event) => {
    const input = event.normalized_total_input_tokens ?? event.input_tokens ?? 0;
    const read = event.cache_read_tokens ?? 0;
    const creation = event.cache_creation_tokens ?? 0;
    const residual = Math.max(Math.max(event.cached_tokens ?? 0, event.cache_tokens ?? 0) - read - creation, 0);
    return testEvent(event.id, {
      ...event,
      normalized_total_input_tokens: input,
      normalized_uncached_input_tokens: Math.max(input - residual - read - creation, 0),
    });
  });
}

/** Stores the prices of the vectors. */
export function storeVectorPrices(db: Database): void {
  const insert = db.query(`INSERT INTO model_prices (model, source, price, updated_at_ms) VALUES (?, 'manual', ?, 0)`);
  for (const [model, price] of Object.entries(vectors.prices)) insert.run(model, JSON.stringify(price));
}

/**
 * Differences between an answer and a vector; empty = none. Objects are compared by the expected members, lists by length and
 * order, numbers within the tolerance.
 */
export function differences(actual: unknown, expected: unknown, path = ''): string[] {
  if (isRecord(expected)) {
    if ('$length' in expected) return sparseDifferences(actual, expected, path);
    if (!isRecord(actual)) return [`${path}: ${shown(actual)} instead of an object`];
    const derived: unknown = expected.$derived;
    return Object.entries(expected).flatMap(([name, value]) => {
      if (name === '$derived') return [];
      const found = Array.isArray(derived) && derived.includes(name) ? derive(name, actual) : actual[name];
      return differences(found, value, `${path}.${name}`);
    });
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: ${shown(actual)} instead of a list`];
    if (actual.length !== expected.length) return [`${path}: ${actual.length} rows instead of ${expected.length}`];
    return expected.flatMap((value, index) => differences(actual[index], value, `${path}[${index}]`));
  }
  const equal =
    typeof expected === 'number' && typeof actual === 'number'
      ? Math.abs(actual - expected) <= TOLERANCE
      : actual === expected;
  return equal ? [] : [`${path}: ${shown(actual)} instead of ${shown(expected)}`];
}

/** `{$length, $at, $others}`: some rows of a long list, and the common part of all others. */
function sparseDifferences(actual: unknown, expected: Readonly<Record<string, unknown>>, path: string): string[] {
  if (!Array.isArray(actual)) return [`${path}: ${shown(actual)} instead of a list`];
  if (actual.length !== expected.$length) return [`${path}: ${actual.length} rows instead of ${expected.$length}`];
  const at = isRecord(expected.$at) ? expected.$at : {};
  return actual.flatMap((row, index) => differences(row, at[index] ?? expected.$others ?? {}, `${path}[${index}]`));
}

/** Values of a vector that are derived from the answer. */
function derive(name: string, actual: Readonly<Record<string, unknown>>): unknown {
  if (name !== 'first_future_index') throw new Error(`unknown derived value ${name}`);
  const points = Array.isArray(actual.points) ? (actual.points as readonly unknown[]) : [];
  return points.findIndex((point) => isRecord(point) && point.future === true);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
