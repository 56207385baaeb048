import { styled } from '../../platform/format/format.ts';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const short = (value: number): string => styled(String(Number(value.toPrecision(3))));

/** Short axis values without trailing zeros. Counts: `2.4K`, `80M`. */
export const axisCount = (value: number): string => styled(compact.format(value));
/** US dollars: `$0.05`, `$80`, `$1.2K`. */
export const axisCost = (usd: number): string => `$${styled(compact.format(usd))}`;
/** Share between 0 and 1: `2.5%`. */
export const axisShare = (share: number): string => `${short(share * 100)}%`;
/** Milliseconds: `500 ms`, `15 s`, `2.5 min`. */
export function axisDuration(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 1_000) return `${short(ms)} ms`;
  return ms < 120_000 ? `${short(ms / 1_000)} s` : `${short(ms / 60_000)} min`;
}
