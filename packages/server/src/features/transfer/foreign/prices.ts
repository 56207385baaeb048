import type { Database } from 'bun:sqlite';
import type { ContextTier, ModelPrice } from '@manager/core/pricing/price';
import { type SourceShape, selectable } from './format.ts';
import type { CellReader, ForeignRow } from './values.ts';

export interface ForeignPrice {
  readonly model: string;
  readonly price: ModelPrice;
}

/** USD per 1,000,000 tokens, as in prices here. */
const RATES_A = {
  prompt: 'prompt_per_1m',
  completion: 'completion_per_1m',
  cache: 'cache_per_1m',
  cacheRead: 'cache_read_per_1m',
  cacheCreation: 'cache_creation_per_1m',
} as const;

const FLAGS_A = {
  promptConfigured: 'prompt_configured',
  completionConfigured: 'completion_configured',
  cacheReadConfigured: 'cache_read_configured',
  cacheCreationConfigured: 'cache_creation_configured',
} as const;

const PRICE_COLUMNS_A = [
  'model',
  ...Object.values(RATES_A),
  ...Object.values(FLAGS_A),
  'source',
  'source_model_id',
  'updated_at_ms',
  'synced_at_ms',
] as const;

const TIER_COLUMNS_A = ['model', 'threshold_tokens', ...Object.values(RATES_A), ...Object.values(FLAGS_A)] as const;

const RATES_B = {
  prompt: 'prompt_price_per1_m',
  completion: 'completion_price_per1_m',
  cacheRead: 'cache_read_price_per1_m',
  cacheCreation: 'cache_creation_price_per1_m',
} as const;

const PRICE_COLUMNS_B = ['model', ...Object.values(RATES_B), 'price_multiplier'] as const;

/** Exact digits after the multiplication of two decimal prices. */
const PRICE_DIGITS = 12;

/** The unchecked prices of a source, by model. */
export function readForeignPrices(db: Database, shape: SourceShape, cells: CellReader): ForeignPrice[] {
  return shape.format === 'A' ? pricesOfA(db, shape, cells) : pricesOfB(db, shape, cells);
}

function rowsOf(db: Database, shape: SourceShape, table: string, columns: readonly string[]): ForeignRow[] {
  const present = shape.columns(table);
  if (!present.has('model')) return [];
  return db.query<ForeignRow, []>(`SELECT ${selectable(present, columns)} FROM ${table} ORDER BY model`).all();
}

function pricesOfA(db: Database, shape: SourceShape, cells: CellReader): ForeignPrice[] {
  const tiers = Map.groupBy(rowsOf(db, shape, 'model_price_context_tiers', TIER_COLUMNS_A), (row) =>
    cells.text(row, 'model'),
  );
  return rowsOf(db, shape, 'model_prices', PRICE_COLUMNS_A).map((row) => {
    const model = cells.text(row, 'model');
    const contextTiers = (tiers.get(model) ?? []).map((tier) => tierOfA(tier, cells)).filter((tier) => tier !== null);
    const updatedAtMs = cells.integer(row, 'updated_at_ms');
    const syncedAtMs = cells.integer(row, 'synced_at_ms');
    const price: ModelPrice = {
      ...ratesOfA(row),
      ...flagsOfA(row),
      source: cells.text(row, 'source'),
      sourceModelId: cells.text(row, 'source_model_id'),
      ...(contextTiers.length === 0 ? {} : { contextTiers }),
      ...(updatedAtMs > 0 ? { updatedAtMs } : {}),
      ...(syncedAtMs > 0 ? { syncedAtMs } : {}),
    };
    return { model, price };
  });
}

function ratesOfA(row: ForeignRow) {
  return {
    prompt: numberOf(row[RATES_A.prompt]),
    completion: numberOf(row[RATES_A.completion]),
    cache: numberOf(row[RATES_A.cache]),
    cacheRead: numberOf(row[RATES_A.cacheRead]),
    cacheCreation: numberOf(row[RATES_A.cacheCreation]),
  };
}

function flagsOfA(row: ForeignRow) {
  return {
    promptConfigured: isSet(row[FLAGS_A.promptConfigured]),
    completionConfigured: isSet(row[FLAGS_A.completionConfigured]),
    cacheReadConfigured: isSet(row[FLAGS_A.cacheReadConfigured]),
    cacheCreationConfigured: isSet(row[FLAGS_A.cacheCreationConfigured]),
  };
}

/** A tier has flags for its rates; without flags those that are not 0 count. null when none does. */
function tierOfA(row: ForeignRow, cells: CellReader): ContextTier | null {
  const rates = ratesOfA(row);
  const flags = flagsOfA(row);
  const tier = {
    thresholdTokens: cells.integer(row, 'threshold_tokens'),
    ...rates,
    promptConfigured: flags.promptConfigured || rates.prompt > 0,
    completionConfigured: flags.completionConfigured || rates.completion > 0,
    cacheConfigured: rates.cache > 0,
    cacheReadConfigured: flags.cacheReadConfigured || rates.cacheRead > 0,
    cacheCreationConfigured: flags.cacheCreationConfigured || rates.cacheCreation > 0,
  };
  const counts = Object.values(tier).some((value) => value === true);
  return counts ? tier : null;
}

function pricesOfB(db: Database, shape: SourceShape, cells: CellReader): ForeignPrice[] {
  return rowsOf(db, shape, 'model_price_settings', PRICE_COLUMNS_B).map((row) => {
    const multiplier = row.price_multiplier === null ? 1 : numberOf(row.price_multiplier);
    const rate = (column: string) => Number((numberOf(row[column]) * multiplier).toPrecision(PRICE_DIGITS));
    const cacheRead = rate(RATES_B.cacheRead);
    const price: ModelPrice = {
      prompt: rate(RATES_B.prompt),
      completion: rate(RATES_B.completion),
      cache: cacheRead,
      cacheRead,
      cacheCreation: rate(RATES_B.cacheCreation),
      // Every value in that table was entered; 0 is a price of 0.
      promptConfigured: true,
      completionConfigured: true,
      source: 'manual',
    };
    return { model: cells.text(row, 'model'), price };
  });
}

/** NaN for a value that is no number, which the price check refuses. */
function numberOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return typeof value === 'number' ? value : Number(value);
}

function isSet(value: unknown): boolean {
  return value === 1 || value === true;
}
