/** What `/status` said at one moment. */
export interface Sample {
  /** When it was asked, ms of this browser. */
  readonly atMs: number;
  /** Times of the last event received and of the last one written, ms; null = none since the start of the manager. */
  readonly consumedAt: number | null;
  readonly insertedAt: number | null;
}

/** Two samples this far apart say whether events move, ms. */
const WINDOW_MS = 10_000;
/** An event is written this long after it was received at the latest, while all is well, ms. */
const WRITTEN_WITHIN_MS = 2_000;
/** Older samples say nothing about now, ms. */
const KEPT_MS = 25_000;

/**
 * `watching` = not seen long enough; `idle` = nothing came; `flowing` = events come and are written; `stuck` = they come and
 * none is written.
 */
export type Movement = 'watching' | 'idle' | 'flowing' | 'stuck';

/** A sample at the end; those that are too old go. */
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
  // What came only just now may not be written yet, so it takes a sample between both that already held something new.
  const waits = samples.some(
    (one) =>
      one.atMs > first.atMs && one.atMs <= last.atMs - WRITTEN_WITHIN_MS && after(one.consumedAt, first.consumedAt),
  );
  if (waits) return 'stuck';
  return after(last.consumedAt, first.consumedAt) ? 'watching' : 'idle';
}
