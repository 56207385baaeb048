/** One measured number. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar?: Bar;
  readonly note?: string;
}

/** What the design asks for. */
export type Bar = { readonly atLeast: number } | { readonly atMost: number };

/** Figures of many things of one kind, one line each. */
export interface FigureTable {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface MeasureResult {
  readonly figures: readonly Figure[];
  readonly tables?: readonly FigureTable[];
  /** Everything else worth keeping in report.json. */
  readonly details?: unknown;
}

export function isMet({ value, bar }: Figure): boolean | null {
  if (bar === undefined) return null;
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

export function barText({ bar, unit }: Figure): string {
  if (bar === undefined) return '';
  return 'atLeast' in bar ? `≥ ${formatValue(bar.atLeast, unit)}` : `≤ ${formatValue(bar.atMost, unit)}`;
}

export function formatValue(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const number = value.toLocaleString('en', { maximumFractionDigits: digits });
  return unit === '' ? number : `${number} ${unit}`;
}

/** The value below which a share of the samples lies, nearest rank; 0 without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  const rank = Math.max(Math.ceil(sorted.length * share), 1);
  return sorted[rank - 1] ?? 0;
}

export function maximum(samples: readonly number[]): number {
  return samples.reduce((most, sample) => Math.max(most, sample), 0);
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}
