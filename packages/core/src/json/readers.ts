import { isJsonObject, type JsonObject } from './json.ts';
import { trimText } from './text.ts';

/**
 * Readers for members of other programs' records. Spellings are tried in order; the first existing one counts, even
 * when its value is empty, null or of a wrong type.
 */
export type Spellings = readonly string[];

/** The value of the first spelling that exists, `undefined` when none does. */
export function firstExisting(item: JsonObject, spellings: Spellings): unknown {
  for (const name of spellings) {
    const value = item[name];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Text of one value: strings trimmed, numbers in decimal, `true`/`false`, everything else ''. */
export function textFrom(value: unknown): string {
  if (typeof value === 'string') return trimText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return '';
}

export function readText(item: JsonObject, spellings: Spellings): string {
  return textFrom(firstExisting(item, spellings));
}

const INTEGER = /^[+-]?\d+$/;

/** Integers beyond 2^53 are not supported; they read as 0 like any other wrong value. */
function supported(value: number): number {
  const whole = Math.trunc(value);
  // `+ 0` turns −0 into 0.
  return Number.isSafeInteger(whole) ? whole + 0 : 0;
}

/** Integer of one value: numbers truncated toward zero, decimal integer texts, everything else 0. */
export function integerFrom(value: unknown): number {
  if (typeof value === 'number') return supported(value);
  if (typeof value !== 'string') return 0;
  const text = trimText(value);
  return INTEGER.test(text) ? supported(Number(text)) : 0;
}

export function readInteger(item: JsonObject, spellings: Spellings): number {
  return integerFrom(firstExisting(item, spellings));
}

/** `null` when no spelling exists or the value is null; an explicit 0 stays 0. */
export function readOptionalInteger(item: JsonObject, spellings: Spellings): number | null {
  const value = firstExisting(item, spellings);
  return value === undefined || value === null ? null : integerFrom(value);
}

export function readObject(item: JsonObject, spellings: Spellings): JsonObject | null {
  const value = firstExisting(item, spellings);
  return isJsonObject(value) ? value : null;
}
