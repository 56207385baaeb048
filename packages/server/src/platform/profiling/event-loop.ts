import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Delays of timers of one thread, ms. The runtime reports no utilization. */
export interface DelayReport {
  readonly samples: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

export interface DelayProbe {
  report(): DelayReport;
  stop(): void;
}

const RESOLUTION_MS = 10;

/** Measures the current thread from now on. */
export function startDelayProbe(): DelayProbe {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return {
    report: () => ({
      samples: histogram.count,
      mean: milliseconds(histogram.mean),
      p50: milliseconds(histogram.percentile(50)),
      p90: milliseconds(histogram.percentile(90)),
      p99: milliseconds(histogram.percentile(99)),
      max: milliseconds(histogram.max),
    }),
    stop: () => void histogram.disable(),
  };
}

/** From nanoseconds; a histogram without samples has no number. */
function milliseconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.round(nanoseconds / 1000) / 1000 : 0;
}
