import { formatCount } from '../format/format.ts';
import type { TextKey, TextValues } from '../i18n/index.ts';

/** What a number field takes. */
export interface NumberRange {
  readonly least: number;
  /** Absent = no limit that a person meets. */
  readonly most?: number;
  /** Digits after the point; default 0. */
  readonly decimals?: number;
}

/** @param value null and NaN stand for a field that holds no number */
export function fitsRange(value: number | null, { least, most, decimals = 0 }: NumberRange): boolean {
  if (value === null || !Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return value >= least && (most === undefined || value <= most) && Number(value.toFixed(decimals)) === value;
}

/** What a field says about a number that it does not take. */
export function rangeText({ least, most, decimals = 0 }: NumberRange): {
  readonly key: TextKey;
  readonly values: TextValues;
} {
  const shown = (value: number) => (Number.isInteger(value) ? formatCount(value) : String(value));
  if (most === undefined) return { key: 'common.numberLeast', values: { least: shown(least) } };
  return {
    key: decimals === 0 ? 'common.wholeNumberRange' : 'common.numberRange',
    values: { least: shown(least), most: shown(most) },
  };
}
