export interface ClaimClockDeps {
  readonly now: () => number;
  /** Ms that have passed, whatever becomes of the clock. */
  readonly elapsed: () => number;
  /** By the clock of the upstream; null = not known. */
  readonly upstreamNow: () => number | null;
}

/**
 * The clock may be set forward while the manager runs. Mostly it was wrong before: corrected by the network after a start
 * without one, or by the host after a sleep. Then what is due is due. But it may be wrong now, and what rests would end early.
 * Which of the two it is, the clock of the upstream tells; where there is none, the own one is trusted.
 */
export interface ClaimClock {
  /** Set forward since it was last found right: the upstream should be heard before anything is ended. */
  isInDoubt(): boolean;
  /** Ms by which the clock is ahead, so far as is known. */
  aheadMs(): number;
}

/** Clocks that differ by less agree; upstreams round, and few clocks are right to the second. */
const TOLERANCE_MS = 60_000;

export function createClaimClock({ now, elapsed, upstreamNow }: ClaimClockDeps): ClaimClock {
  let rightMs = now() - elapsed();

  const jumpMs = () => now() - elapsed() - rightMs;
  const isInDoubt = () => jumpMs() > TOLERANCE_MS;

  return {
    isInDoubt,
    aheadMs() {
      if (!isInDoubt()) return 0;
      const theirs = upstreamNow();
      const differenceMs = theirs === null ? 0 : now() - theirs;
      if (differenceMs > TOLERANCE_MS) return Math.min(differenceMs, jumpMs());
      rightMs = now() - elapsed();
      return 0;
    },
  };
}
