const PART = 1 / 3;

/**
 * Runs of a property that costs much: a third of them, and all with `MANAGER_FULL_FAULTS=1`. The values come from one seed, so each
 * run of the tests tries the same ones.
 */
export function propertyRuns(full: number): number {
  return process.env.MANAGER_FULL_FAULTS === '1' ? full : Math.ceil(full * PART);
}
