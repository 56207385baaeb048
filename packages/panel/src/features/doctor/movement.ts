/** A sample of `/status`. */
export interface Sample {
  /** Time of the request, ms of this browser. */
  readonly atMs: number;
  /** Times of the last event received and of the last one written, ms; null = none since the manager started. */
  readonly consumedAt: number | null;
  readonly insertedAt: number | null;
}

/** Two samples this far apart show whether events move, ms. */
const WINDOW_MS = 10_000;
/** While all is well, an event is written at most this long after it was received, ms. */
const WRITTEN_WITHIN_MS = 2_000;
/** Older samples are dropped, ms. */
const KEPT_MS = 25_000;

/**
 * `watching` = not observed long enough; `idle` = no events; `flowing` = events are received and written; `stuck` = received but
 * not written.
 */
export type Movement = 'watching' | 'idle' | 'flowing' | 'stuck';

/** Adds a sample and drops the old ones. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const recent = samples.filter((one) => one.atMs < sample.atMs && one.atMs >= sample.atMs - KEPT_MS);
  return [...recent, sample];
}

const after = (a: number | null, b: number | null): boolean => a !== null && (b === null || a > b);

export function movementOf(samples: readonly Sample[]): Movement {
  const last = samples.at(-1);
  const first = samples.findLast((one) => last !== undefined && last.atMs - one.atMs >= WINDOW_MS);
  if (last === undefined || first === undefined) return 'watching';
  if (after(last.insertedAt, first.insertedAt)) return 'flowing';
  // A just received event may not be written yet, so an earlier sample must already show a new one.
  const waits = samples.some(
    (one) =>
      one.atMs > first.atMs && one.atMs <= last.atMs - WRITTEN_WITHIN_MS && after(one.consumedAt, first.consumedAt),
  );
  if (waits) return 'stuck';
  return after(last.consumedAt, first.consumedAt) ? 'watching' : 'idle';
}
