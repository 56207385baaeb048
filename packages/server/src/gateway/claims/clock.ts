export interface ClaimClockDeps {
  readonly now: () => number;
  /** Monotonic time in ms, independent of the clock. */
  readonly elapsed: () => number;
  /** By the gateway's clock; null = unknown. */
  readonly gatewayNow: () => number | null;
}

/**
 * The clock may be set forward while the manager runs. Mostly it was wrong before: corrected by the network after a start
 * without one, or by the host after a sleep. Then due claims are due. But it may be wrong now, and cooldowns would end early.
 * The gateway's clock shows which case it is; without one, the local clock is trusted.
 */
export interface ClaimClock {
  /** Set forward since it was last found correct: read the gateway's time before ending anything. */
  isInDoubt(): boolean;
  /** Known ms by which the clock is ahead. */
  aheadMs(): number;
}

/** Clocks that differ by less agree; gateways round, and few clocks are exact to the second. */
const TOLERANCE_MS = 60_000;

export function createClaimClock({ now, elapsed, gatewayNow }: ClaimClockDeps): ClaimClock {
  let rightMs = now() - elapsed();

  const jumpMs = () => now() - elapsed() - rightMs;
  const isInDoubt = () => jumpMs() > TOLERANCE_MS;

  return {
    isInDoubt,
    aheadMs() {
      if (!isInDoubt()) return 0;
      const theirs = gatewayNow();
      const differenceMs = theirs === null ? 0 : now() - theirs;
      if (differenceMs > TOLERANCE_MS) return Math.min(differenceMs, jumpMs());
      rightMs = now() - elapsed();
      return 0;
    },
  };
}
