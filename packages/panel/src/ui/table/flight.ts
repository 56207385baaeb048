/** Faster than this nobody reads, px/ms. */
const TAKE_OFF = 6;
/** Slower than this rows can be read again. */
const LANDING = 4;
/** Two steps further apart than this are two jumps, not one movement, ms. */
const PAUSE_MS = 250;
/** Steps that come together belong to frames, which are no closer, ms. */
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

/** The flight after a step to `offset`. One jump, however far, is none: who jumps wants to read where it ends. */
export function fly(before: Flight, offset: number, atMs: number, isScrolling: boolean): Flight {
  const passedMs = atMs - before.atMs;
  if (!isScrolling || passedMs > PAUSE_MS) return { flying: false, offset, atMs, speed: 0 };
  const speed = Math.abs(offset - before.offset) / Math.max(passedMs, FRAME_MS);
  const mean = (speed + before.speed) / 2;
  return { flying: mean > (before.flying ? LANDING : TAKE_OFF), offset, atMs, speed };
}
