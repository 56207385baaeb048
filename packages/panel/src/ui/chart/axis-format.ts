const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** Values of a scale in short forms without trailing zeros. Counts: `2.4K`, `80M`. */
export const axisCount = (value: number): string => compact.format(value);
/** US dollars: `$0.05`, `$80`, `$1.2K`. */
export const axisCost = (usd: number): string => `$${compact.format(usd)}`;
/** Share between 0 and 1: `2.5%`. */
export const axisShare = (share: number): string => `${Number((share * 100).toPrecision(3))}%`;
/** Milliseconds: `500 ms`, `15 s`, `2.5 min`. */
export function axisDuration(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 1_000) return `${Number(ms.toPrecision(3))} ms`;
  return ms < 120_000 ? `${Number((ms / 1_000).toPrecision(3))} s` : `${Number((ms / 60_000).toPrecision(3))} min`;
}
