/** A stretch of time: from its first instant to its end. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * How much of a range spans cover, ms. Where they overlap it counts once.
 * @example coveredMs([{ fromMs: 0, toMs: 4 }, { fromMs: 2, toMs: 8 }], 1, 6) // 5
 */
export function coveredMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  let covered = 0;
  let reached = fromMs;
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const [from, to] = [Math.max(span.fromMs, reached), Math.min(span.toMs, toMs)];
    if (to <= from) continue;
    covered += to - from;
    reached = to;
  }
  return covered;
}
