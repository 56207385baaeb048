/** Steps of a scale whose half is a round value too. */
const TOPS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];
/** A lower lane has no room for its middle label, px. */
const LOW_LANE = 44;
const TITLE_HEIGHT = 20;
const LANE_GAP = 8;

/** Top of a scale from 0: the next value above `max` that is round, as is half of it. */
export function niceTop(max: number, whole = false, limit = Number.POSITIVE_INFINITY): number {
  if (!(max > 0)) return Math.min(whole ? 2 : 1, limit);
  const power = 10 ** Math.floor(Math.log10(max));
  for (const scale of [power, power * 10]) {
    for (const step of TOPS) {
      // Keeps 0.30000000000000004 out of the labels.
      const top = Number((step * scale).toPrecision(6));
      if (top < max || (whole && !Number.isInteger(top / 2))) continue;
      return Math.min(top, limit);
    }
  }
  return Math.min(max, limit);
}

/** Three values of a scale, two where there is little room. */
export function laneTicks(top: number, height: number): readonly number[] {
  return height < LOW_LANE ? [0, top] : [0, top / 2, top];
}

export interface Band {
  /** px from the top of the plot; the title is right above `top`. */
  readonly top: number;
  readonly bottom: number;
}

/** Divides the height of a plot among its lanes, without titles and gaps. */
export function laneBands(
  lanes: readonly { readonly title: string; readonly weight?: number }[],
  height: number,
): readonly Band[] {
  const titles = lanes.reduce((sum, lane) => sum + (lane.title === '' ? 0 : TITLE_HEIGHT), 0);
  const room = Math.max(0, height - titles - LANE_GAP * Math.max(0, lanes.length - 1));
  const weights = lanes.reduce((sum, lane) => sum + (lane.weight ?? 1), 0);
  let y = 0;
  return lanes.map((lane) => {
    const top = y + (lane.title === '' ? 0 : TITLE_HEIGHT);
    const bottom = top + (room * (lane.weight ?? 1)) / weights;
    y = bottom + LANE_GAP;
    return { top, bottom };
  });
}

/** px of a value between 0 and `top`; values outside are clamped. */
export function valueY(value: number, top: number, band: Band): number {
  const share = Math.max(0, Math.min(1, value / top));
  return band.bottom - share * (band.bottom - band.top);
}
