import type { JsonObject } from '../../json/json.ts';
import type { OverlayRates } from '../price.ts';
import { decimalText, shiftDecimal } from './decimal.ts';

/** Member names of the rates; of several names the first existing one counts. */
export interface RateNames {
  readonly prompt: readonly string[];
  readonly completion: readonly string[];
  readonly cacheRead: readonly string[];
  readonly cacheCreation: readonly string[];
  readonly cacheWrite1h: readonly string[];
  /** Decimal places from its unit to USD per 1,000,000 tokens: 6 for dollars per token, 0 for dollars per million. */
  readonly places: number;
}

/** The rates of an entry; null when none is a number. */
export function readRates(entry: JsonObject, names: RateNames): OverlayRates | null {
  const prompt = readRate(entry, names.prompt, names.places);
  const completion = readRate(entry, names.completion, names.places);
  const cacheRead = readRate(entry, names.cacheRead, names.places);
  const cacheCreation = readRate(entry, names.cacheCreation, names.places);
  const cacheWrite1h = readRate(entry, names.cacheWrite1h, names.places);
  const hasNumber = [prompt, completion, cacheRead, cacheCreation, cacheWrite1h].some(
    (rate) => rate !== undefined && !Number.isNaN(rate),
  );
  if (!hasNumber) return null;
  return {
    prompt: prompt ?? 0,
    completion: completion ?? 0,
    cache: cacheRead ?? 0,
    ...(prompt === undefined ? {} : { promptConfigured: true }),
    ...(completion === undefined ? {} : { completionConfigured: true }),
    ...(cacheRead === undefined ? {} : { cacheRead, cacheReadConfigured: true }),
    ...(cacheCreation === undefined ? {} : { cacheCreation, cacheCreationConfigured: true }),
    ...(cacheWrite1h === undefined ? {} : { cacheWrite1h, cacheWrite1hConfigured: true }),
  };
}

/** Rates that override those of the model; there the older price of cached input has a flag too. */
export function readOverlayRates(entry: JsonObject, names: RateNames): OverlayRates | null {
  const rates = readRates(entry, names);
  if (rates === null) return null;
  return rates.cacheReadConfigured === true ? { ...rates, cacheConfigured: true } : rates;
}

/**
 * Undefined when missing. NaN for a value that is no number: read as "not set" it would make the model too cheap, so
 * the whole price is refused.
 */
function readRate(entry: JsonObject, names: readonly string[], places: number): number | undefined {
  const value = names.map((name) => entry[name]).find(isThere);
  if (value === undefined) return undefined;
  const text = decimalText(value);
  return text === null ? Number.NaN : shiftDecimal(text, places);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}
