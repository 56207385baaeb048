import type { PriceBook } from '@manager/core/pricing/price-book';
import type { FactColumn } from '../columns.ts';
import { isZero } from '../decode/numbers.ts';
import type { SelectedRows } from '../rows.ts';
import { CLASS_LIMITS } from '../sums/groupings.ts';
import type { SumRows } from '../sums/rows.ts';
import type { SymbolTable } from '../symbols.ts';
import { LARGEST_EXACT, type SumCosts } from './exact-cost.ts';

/**
 * Cost of single events as integers of 10⁻¹⁵ USD: a rate per 1,000,000 tokens times 10⁹ is the cost of one token in
 * that unit. Integers have the same sum in any order, so a total equals the sum of its parts, and the same rows have
 * the same cost wherever they are stored.
 */
const RATE_UNITS = 1e9;

/** What selects the price of an event, apart from its tokens. */
const PRICED_BY: readonly FactColumn[] = ['analytics_model', 'resolved_model', 'service_tier'];
/** Needed only for prices whose name has a reasoning suffix. */
const REQUESTED: readonly FactColumn[] = ['requested_model', 'model'];

const PRICED_TOKENS = [
  'input_tokens',
  'uncached_input_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'cache_write_1h_tokens',
  'billable_output_tokens',
] as const satisfies readonly FactColumn[];

/** The prices of one request: one price book for all of its sections. */
export interface Pricer {
  /** Changes with every change of a price. */
  readonly revision: number;
  /** The columns that a cost depends on. */
  readonly columns: readonly FactColumn[];
  /** Cost of each selected row in 10⁻¹⁵ USD. Valid until the next chunk. */
  costs(rows: SelectedRows): Float64Array;
  /**
   * Cost of each group of stored sums, exact. Valid until the next chunk. Null when a price changes at an amount of input that
   * the groups are not split by, or a sum is too large.
   */
  sumCosts(rows: SumRows): SumCosts | null;
  /** Price tuple of each selected row, and 1 for each tuple that has a price. */
  priced(rows: SelectedRows): { readonly codes: Uint32Array; readonly priced: Uint8Array };
}

/** Prices of the tuples of one chunk, laid out for the loop. */
interface Rates {
  /** Four rates per band: uncached input, cache read and residual, cache creation, output. */
  readonly rates: Float64Array;
  /** What a cache write for one hour costs beyond another one, per band. */
  readonly hourSurcharges: Float64Array;
  readonly firstBand: Uint32Array;
  /** For each tuple the lowest threshold, then the second, …; Infinity where there is none. */
  readonly thresholds: readonly Float64Array[];
  readonly priced: Uint8Array;
}

export function createPricer(book: PriceBook, revision: number, symbols: SymbolTable): Pricer {
  const columns = book.hasSuffixedNames ? [...PRICED_BY, ...REQUESTED] : PRICED_BY;
  let last: { readonly rows: SelectedRows; readonly rates: Rates; costs: Float64Array | null } | null = null;

  function stateOf(rows: SelectedRows) {
    if (last === null || last.rows !== rows) last = { rows, rates: ratesOf(rows), costs: null };
    return last;
  }

  function ratesOf(rows: SelectedRows): Rates {
    const { count, symbols: tuples } = rows.codes(columns);
    const rates: number[] = [];
    const hourSurcharges: number[] = [];
    const firstBand = new Uint32Array(count);
    const lists: (readonly number[])[] = [];
    const priced = new Uint8Array(count);
    for (let code = 0; code < count; code++) {
      const [analyticsModel = '', resolved = '', serviceTier = '', requested = '', model = ''] = tuples.map((column) =>
        symbols.text(column[code] ?? 0),
      );
      const plan = book.plan({
        analyticsModel,
        billingModel: resolved === '' ? analyticsModel : resolved,
        requestedModel: requested === '' ? model : requested,
        serviceTier,
      });
      priced[code] = plan.priced ? 1 : 0;
      firstBand[code] = rates.length / 4;
      lists.push(plan.thresholds);
      for (const band of plan.bands) {
        rates.push(
          costUnits(band.input),
          costUnits(band.cacheRead),
          costUnits(band.cacheCreation),
          costUnits(band.output),
        );
        hourSurcharges.push(costUnits(band.cacheWrite1h) - costUnits(band.cacheCreation));
      }
    }
    const most = lists.reduce((length, list) => Math.max(length, list.length), 0);
    const thresholds = Array.from({ length: most }, (_, place) =>
      Float64Array.from(lists, (list) => list[place] ?? Number.POSITIVE_INFINITY),
    );
    return {
      rates: Float64Array.from(rates),
      hourSurcharges: Float64Array.from(hourSurcharges),
      firstBand,
      thresholds,
      priced,
    };
  }

  function costs(rows: SelectedRows): Float64Array {
    const state = stateOf(rows);
    state.costs ??= computeCosts(rows, rows.codes(columns).codes, state.rates);
    return state.costs;
  }

  function sumCosts(rows: SumRows): SumCosts | null {
    return rows.once(`sum costs:${revision}`, () => costsOfSums(rows, rows.codes(columns).codes, stateOf(rows).rates));
  }

  return {
    revision,
    columns: [...columns, ...PRICED_TOKENS],
    costs,
    sumCosts,
    priced: (rows) => ({ codes: rows.codes(columns).codes, priced: stateOf(rows).rates.priced }),
  };
}

/** Of one token in 10⁻¹⁵ USD, from USD per 1,000,000 tokens. */
export function costUnits(rate: number): number {
  return Math.round(rate * RATE_UNITS);
}

function computeCosts(rows: SelectedRows, codes: Uint32Array, prices: Rates): Float64Array {
  const { rates, hourSurcharges, firstBand, thresholds } = prices;
  const costs = rows.workspace.doubles('costs', rows.chunk.rowCount);
  const bands = rows.workspace.words('price bands', rows.chunk.rowCount);
  takeBands(bands, codes, firstBand, rows.count);
  for (const limits of thresholds) moveToBands(bands, codes, limits, rows.numbers('input_tokens'), rows.count);
  multiply(
    costs,
    bands,
    rates,
    rows.numbers('uncached_input_tokens'),
    rows.numbers('cached_tokens'),
    rows.numbers('cache_read_tokens'),
    rows.numbers('cache_creation_tokens'),
    rows.numbers('billable_output_tokens'),
    rows.count,
  );
  // Nearly no segment has such writes.
  if (!isZero(rows.chunk.stored('cache_write_1h_tokens'))) {
    addSurcharges(costs, bands, hourSurcharges, rows.numbers('cache_write_1h_tokens'), rows.count);
  }
  return costs;
}

/** The part of a rate that is counted in `SumCosts.coarse`: most rates have no other. */
const COARSE = 1e6;

function costsOfSums(rows: SumRows, codes: Uint32Array, prices: Rates): SumCosts | null {
  const bands = rows.workspace.words('price bands', rows.chunk.rowCount);
  takeBands(bands, codes, prices.firstBand, rows.count);
  const classes = rows.sums('input_class');
  for (const limits of prices.thresholds) {
    // Mostly all requests are below all limits.
    const isSame = rows.isZero('input_class') && limits.every((limit) => limit >= (CLASS_LIMITS[0] ?? 0));
    if (!isSame && !moveClasses(bands, codes, limits, classes, rows.count)) return null;
  }
  const part = (name: string, partOf: (rate: number) => number) => {
    const costs = rows.workspace.doubles(name, rows.chunk.rowCount);
    multiply(
      costs,
      bands,
      prices.rates.map(partOf),
      rows.numbers('uncached_input_tokens'),
      rows.numbers('cached_tokens'),
      rows.numbers('cache_read_tokens'),
      rows.numbers('cache_creation_tokens'),
      rows.numbers('billable_output_tokens'),
      rows.count,
    );
    const isExact = allWithin(costs, LARGEST_EXACT, rows.count);
    if (!isZero(rows.chunk.stored('cache_write_1h_tokens'))) {
      const surcharges = prices.hourSurcharges.map(partOf);
      addSurcharges(costs, bands, surcharges, rows.numbers('cache_write_1h_tokens'), rows.count);
    }
    return isExact && allWithin(costs, LARGEST_EXACT, rows.count) ? costs : null;
  };
  // Surcharges may be below 0.
  const coarse = part('coarse costs', (rate) => Math.trunc(rate / COARSE));
  const fine = part('fine costs', (rate) => rate % COARSE);
  return coarse === null || fine === null ? null : { coarse, fine };
}

function allWithin(values: Float64Array, limit: number, count: number): boolean {
  for (let index = 0; index < count; index++) if (Math.abs(values[index] ?? 0) > limit) return false;
  return true;
}

/** False when a price changes within a class of input. */
function moveClasses(
  bands: Uint32Array,
  codes: Uint32Array,
  limits: Float64Array,
  classes: Float64Array,
  count: number,
): boolean {
  for (let index = 0; index < count; index++) {
    const limit = limits[codes[index] ?? 0] ?? 0;
    const inputClass = classes[index] ?? 0;
    if (limit <= (CLASS_LIMITS[inputClass - 1] ?? -1)) bands[index] = (bands[index] ?? 0) + 1;
    else if (limit < (CLASS_LIMITS[inputClass] ?? Number.POSITIVE_INFINITY)) return false;
  }
  return true;
}

function addSurcharges(
  costs: Float64Array,
  bands: Uint32Array,
  surcharges: Float64Array,
  writes: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    costs[index] = (costs[index] ?? 0) + (writes[index] ?? 0) * (surcharges[bands[index] ?? 0] ?? 0);
  }
}

function takeBands(bands: Uint32Array, codes: Uint32Array, firstBand: Uint32Array, count: number): void {
  for (let index = 0; index < count; index++) bands[index] = firstBand[codes[index] ?? 0] ?? 0;
}

/** A band starts strictly above its threshold. */
function moveToBands(
  bands: Uint32Array,
  codes: Uint32Array,
  limits: Float64Array,
  inputs: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    const isAbove = (inputs[index] ?? 0) > (limits[codes[index] ?? 0] ?? 0) ? 1 : 0;
    bands[index] = (bands[index] ?? 0) + isAbove;
  }
}

function multiply(
  costs: Float64Array,
  bands: Uint32Array,
  rates: Float64Array,
  uncached: Float64Array,
  cached: Float64Array,
  read: Float64Array,
  creation: Float64Array,
  output: Float64Array,
  count: number,
): void {
  for (let index = 0; index < count; index++) {
    const at = (bands[index] ?? 0) * 4;
    costs[index] =
      (uncached[index] ?? 0) * (rates[at] ?? 0) +
      ((cached[index] ?? 0) + (read[index] ?? 0)) * (rates[at + 1] ?? 0) +
      (creation[index] ?? 0) * (rates[at + 2] ?? 0) +
      (output[index] ?? 0) * (rates[at + 3] ?? 0);
  }
}
