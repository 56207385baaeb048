import { NONE, styled } from '../format/format.ts';
import type { Translate } from '../i18n/index.ts';

/** Beyond this a percentage only shows that the earlier number was small; the numbers themselves are beside it. */
const MOST_SHOWN = 9.99;

/** How a number differs from an earlier one. */
export type Change =
  /** Nothing to compare: one of them is unknown, or both are 0. */
  | { readonly kind: 'none' }
  /** There was nothing before. */
  | { readonly kind: 'new' }
  | { readonly kind: 'relative'; readonly value: number }
  /** Of shares, in percentage points. */
  | { readonly kind: 'points'; readonly value: number };

export function relativeChange(current: number | null, previous: number | null): Change {
  if (current === null || previous === null) return { kind: 'none' };
  if (previous === 0) return { kind: current > 0 ? 'new' : 'none' };
  return { kind: 'relative', value: (current - previous) / previous };
}

export function pointChange(current: number | null, previous: number | null): Change {
  if (current === null || previous === null) return { kind: 'none' };
  return { kind: 'points', value: current - previous };
}

/** With a true minus, which is as wide as the plus. */
export const signed = (value: number, text: string): string => `${value < 0 ? '−' : value > 0 ? '+' : '±'}${text}`;

/** Hundredths to a tenth: `+0.5`; `±0.0` where both are the same. */
export function signedTenths(value: number): string {
  const digits = Math.abs(value * 100).toFixed(1);
  return signed(Number(digits) === 0 ? 0 : value, styled(digits));
}

/** `+16.9%`, `−0.5 pt`; `±0.0%` where both are the same, `>+999%` far above. */
export function changeNumber(change: Change): string {
  if (change.kind === 'none' || change.kind === 'new') return NONE;
  if (change.kind === 'relative' && change.value > MOST_SHOWN) return `>+${MOST_SHOWN * 100}%`;
  return `${signedTenths(change.value)}${change.kind === 'points' ? ' pt' : '%'}`;
}

/** The same as words where there was nothing before. */
export const changeText = (change: Change, t: Translate): string =>
  change.kind === 'new' ? t('change.new') : changeNumber(change);

/** Which direction of a measure is good; null = neither. */
export type GoodDirection = 'up' | 'down' | null;
