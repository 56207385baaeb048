import type { PriceBook, PricePlan } from '@manager/core/pricing/price-book';
import { withoutReasoningSuffix } from '@manager/core/usage/models';
import { costUnits } from '../facts/kernels/cost.ts';
import { addTotals, NO_TOTALS, type Totals, totalsOfCost } from '../facts/kernels/totals.ts';
import type { FactQuery } from '../facts/query.ts';
import type { FactSnapshot } from '../facts/reader.ts';
import { readCounter } from './ingest/counters.ts';
import { SUM_COLUMNS } from './ingest/hourly-rollup.ts';

/**
 * Sums by model from the hourly rollup: far fewer rows than events, so that a long range without cached results is
 * answered without reading its columns. Only where they equal a scan of the facts.
 */
export interface RollupSums {
  /** By symbol of the analytics model. Without the newest event, which an hour does not have. */
  readonly models: ReadonlyMap<number, Totals>;
  /** The parts of the range before its first and after its last complete hour: they are read from facts. */
  readonly edges: readonly TimeRange[];
}

interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;
/** Hours per statement, so that it returns few rows. */
const HOURS_AT_ONCE = 48;

/** More than the number of symbols; two of them and a flag still fit one exact number. */
const SYMBOLS = 2 ** 26;

/** Positions in a row of the statement, key first. */
const KEY_WIDTH = 5;
type SumAt = (column: (typeof SUM_COLUMNS)[number]) => number;

/** Events with one price. */
interface Tuple {
  readonly analyticsModel: number;
  readonly billingModel: number;
  readonly serviceTier: number;
  readonly failed: boolean;
  readonly sums: Float64Array;
}

/** By analytics model, then by the rest. */
type Tuples = Map<number, Map<number, Tuple>>;

/**
 * @returns null where the hourly rollup has no answer: a search or another filter than models and success, no complete
 * hour, a rollup that is behind, prices that depend on the size of single requests or on the requested name
 */
export function readRollupSums(
  snapshot: FactSnapshot,
  query: FactQuery,
  book: PriceBook,
  checkStopped: () => void,
): RollupSums | null {
  const { symbols } = snapshot;
  const complete: TimeRange = {
    fromMs: Math.ceil(query.fromMs / HOUR_MS) * HOUR_MS,
    toMs: Math.floor(query.toMs / HOUR_MS) * HOUR_MS,
  };
  if (complete.fromMs >= complete.toMs || !canAnswer(query) || book.hasSuffixedNames || !isCurrent(snapshot))
    return null;

  const { text } = symbols;
  const planOf = ({ analyticsModel, billingModel, serviceTier }: Tuple): PricePlan =>
    book.plan({
      analyticsModel: text(analyticsModel),
      billingModel: text(billingModel),
      requestedModel: text(analyticsModel),
      serviceTier: text(serviceTier),
    });
  const isTold = (tuple: Tuple) => pricesSums(planOf(tuple));
  const tuples = readTuples(snapshot, complete, wantedBy(snapshot, query), isTold, checkStopped);
  if (tuples === null) return null;
  const parts = new Map<number, Totals[]>();
  for (const tuple of [...tuples.values()].flatMap((ofModel) => [...ofModel.values()])) {
    const totals = totalsOf(tuple, planOf(tuple));
    if (totals === null) return null;
    const known = parts.get(tuple.analyticsModel) ?? [];
    known.push(totals);
    parts.set(tuple.analyticsModel, known);
  }
  const models = new Map([...parts].map(([model, list]) => [model, addTotals(list)]));
  const edges = [
    { fromMs: query.fromMs, toMs: complete.fromMs },
    { fromMs: complete.toMs, toMs: query.toMs },
  ];
  return { models, edges: edges.filter(({ fromMs, toMs }) => fromMs < toMs) };
}

/** The hourly rollup can filter only by models and success. */
function canAnswer({ filters, search }: FactQuery): boolean {
  if (search.query !== '' || search.apiKeyHash !== '') return false;
  if (filters === null) return true;
  const { models, include_failed, failed_only, min_latency_ms, cache_status, plausible_only, ...lists } = filters;
  if (min_latency_ms !== 0 || cache_status !== null || plausible_only === true) return false;
  return Object.values(lists).every((values) => values.length === 0);
}

/** It is written together with the events, except after it was disabled for a time. */
function isCurrent({ db, chunks }: FactSnapshot): boolean {
  const newest = chunks.reduce((id, chunk) => Math.max(id, chunk.lastEventId), 0);
  return readCounter(db, 'hourly_core_event_id') >= newest;
}

function wantedBy({ symbols }: FactSnapshot, { filters }: FactQuery): (model: number, failed: boolean) => boolean {
  if (filters === null) return () => true;
  const names = new Set(filters.models.map(withoutReasoningSuffix));
  const matches = names.size === 0 ? null : symbols.match((name) => names.has(name));
  return (model, failed) =>
    (failed ? filters.include_failed : !filters.failed_only) && (matches === null || matches[model] === 1);
}

/** @returns null at the first tuple that sums cannot answer */
function readTuples(
  { db }: FactSnapshot,
  { fromMs, toMs }: TimeRange,
  isWanted: (model: number, failed: boolean) => boolean,
  isTold: (tuple: Tuple) => boolean,
  checkStopped: () => void,
): Tuples | null {
  // Reads a range of the primary key.
  const hours = db.query<never, [number, number]>(
    `SELECT hour_ms, analytics_model, billing_model, service_tier, failed, ${SUM_COLUMNS.join(', ')}
     FROM hourly_core
     WHERE hour_ms >= ? AND hour_ms < ?`,
  );
  // Events may have any time: only stretches with rows are visited.
  const nextHour = db.query<{ hour: number | null }, [number, number]>(
    'SELECT min(hour_ms) AS hour FROM hourly_core WHERE hour_ms >= ? AND hour_ms < ?',
  );
  const tuples: Tuples = new Map();
  for (let from = fromMs; ; ) {
    const start = nextHour.get(from, toMs)?.hour ?? null;
    if (start === null) return tuples;
    checkStopped();
    from = Math.min(start + HOURS_AT_ONCE * HOUR_MS, toMs);
    for (const row of hours.values(start, from) as unknown as readonly (readonly number[])[]) {
      const [, analyticsModel = 0, , , failed = 0] = row;
      if (!isWanted(analyticsModel, failed === 1)) continue;
      let tuple = tupleOf(tuples, row);
      if (tuple === null) {
        tuple = addTuple(tuples, row);
        if (!isTold(tuple)) return null;
      }
      addToTuple(tuple, row);
    }
  }
}

function tupleOf(tuples: Tuples, row: readonly number[]): Tuple | null {
  const [, analyticsModel = 0] = row;
  return tuples.get(analyticsModel)?.get(keyOf(row)) ?? null;
}

function addTuple(tuples: Tuples, row: readonly number[]): Tuple {
  const [, analyticsModel = 0, billingModel = 0, serviceTier = 0, failed = 0] = row;
  const ofModel = tuples.get(analyticsModel) ?? new Map<number, Tuple>();
  tuples.set(analyticsModel, ofModel);
  const sums = new Float64Array(SUM_COLUMNS.length);
  const tuple: Tuple = { analyticsModel, billingModel, serviceTier, failed: failed === 1, sums };
  ofModel.set(keyOf(row), tuple);
  return tuple;
}

function keyOf([, , billingModel = 0, serviceTier = 0, failed = 0]: readonly number[]): number {
  return (billingModel * SYMBOLS + serviceTier) * 2 + failed;
}

function addToTuple({ sums }: Tuple, row: readonly number[]): void {
  for (let column = 0; column < SUM_COLUMNS.length; column++) {
    sums[column] = (sums[column] ?? 0) + (row[KEY_WIDTH + column] ?? 0);
  }
}

/** Whether sums are enough: any other threshold than that of long requests needs every request. */
function pricesSums({ thresholds, longOnly }: PricePlan): boolean {
  return thresholds.length === 0 || longOnly;
}

/** @returns null where single events would be needed */
function totalsOf({ failed, sums }: Tuple, plan: PricePlan): Totals | null {
  const sumAt: SumAt = (column) => sums[SUM_COLUMNS.indexOf(column)] ?? 0;
  const calls = sumAt('calls');
  const tokens = sumAt('total_tokens');
  // For failed requests it is unknown how many have tokens.
  if (!plan.priced && failed && tokens > 0) return null;
  return {
    ...NO_TOTALS,
    calls,
    failures: failed ? calls : 0,
    inputTokens: sumAt('input_tokens'),
    outputTokens: sumAt('output_tokens'),
    cachedTokens: sumAt('cached_tokens'),
    cacheReadTokens: sumAt('cache_read_tokens'),
    cacheCreationTokens: sumAt('cache_creation_tokens'),
    reasoningTokens: sumAt('reasoning_tokens'),
    totalTokens: tokens,
    latencySumMs: sumAt('latency_sum_ms'),
    latencySamples: sumAt('latency_samples'),
    zeroTokenCalls: sumAt('zero_token_calls'),
    unpricedCalls: plan.priced || failed ? 0 : calls - sumAt('zero_token_calls'),
    ...totalsOfCost(costOf(plan, sumAt)),
  };
}

type BilledColumn =
  | 'uncached_input_tokens'
  | 'cached_tokens'
  | 'cache_read_tokens'
  | 'cache_creation_tokens'
  | 'billable_output_tokens';

/** In 10⁻¹⁵ USD, exact: the sum of the costs of the events. */
function costOf(plan: PricePlan, sumAt: SumAt): bigint {
  const cost = (band: number, countOf: (column: BilledColumn) => number): bigint => {
    const rates = plan.bands[band];
    if (rates === undefined) return 0n;
    return (
      BigInt(countOf('uncached_input_tokens')) * BigInt(costUnits(rates.input)) +
      BigInt(countOf('cached_tokens') + countOf('cache_read_tokens')) * BigInt(costUnits(rates.cacheRead)) +
      BigInt(countOf('cache_creation_tokens')) * BigInt(costUnits(rates.cacheCreation)) +
      BigInt(countOf('billable_output_tokens')) * BigInt(costUnits(rates.output))
    );
  };
  if (!plan.longOnly) return cost(0, sumAt);
  return cost(0, (column) => sumAt(column) - sumAt(`long_${column}`)) + cost(1, (column) => sumAt(`long_${column}`));
}
