/** Too fast to read above this, px/ms. */
const TAKE_OFF = 6;
/** Readable again below this. */
const LANDING = 4;
/** Two steps further apart than this are two jumps, not one movement, ms. */
const PAUSE_MS = 250;
/** Steps in quick succession belong to frames, which are at least this far apart, ms. */
const FRAME_MS = 8;

/** How a list is being scrolled. */
export interface Flight {
  /** Too fast to read: rows need not be drawn. */
  readonly flying: boolean;
  /** Of the last step. */
  readonly offset: number;
  readonly atMs: number;
  /** px/ms */
  readonly speed: number;
}

export const AT_REST: Flight = { flying: false, offset: 0, atMs: Number.NEGATIVE_INFINITY, speed: 0 };

/** The state after a step to `offset`. A single jump, however far, does not count: its end is meant to be read. */
export function fly(before: Flight, offset: number, atMs: number, isScrolling: boolean): Flight {
  const passedMs = atMs - before.atMs;
  if (!isScrolling || passedMs > PAUSE_MS) return { flying: false, offset, atMs, speed: 0 };
  const speed = Math.abs(offset - before.offset) / Math.max(passedMs, FRAME_MS);
  const mean = (speed + before.speed) / 2;
  return { flying: mean > (before.flying ? LANDING : TAKE_OFF), offset, atMs, speed };
}
