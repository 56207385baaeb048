/** Whether something takes a share of the time, judged once a second. */
export interface Load {
  /** It took this long, until now. True at the end of a second in which it took the share. */
  isHigh(ms: number): boolean;
}

const WINDOW_MS = 1_000;

export function createLoad(share: number, now: () => number): Load {
  let sinceMs = now();
  let busyMs = 0;
  return {
    isHigh(ms) {
      busyMs += ms;
      const passedMs = now() - sinceMs;
      if (passedMs < WINDOW_MS) return false;
      const isHigh = busyMs >= share * passedMs;
      sinceMs += passedMs;
      busyMs = 0;
      return isHigh;
    },
  };
}
