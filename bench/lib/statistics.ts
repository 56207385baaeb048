/** Nearest-rank percentile; 0 without samples. */
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
