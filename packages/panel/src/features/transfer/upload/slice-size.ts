/** Nothing on the way should refuse this. */
const SMALLEST_BYTES = 64 * 1024;

/** How much goes in one request: what the server takes, halved as often as something in between refused it. */
export interface SliceSize {
  /** @param offered bytes that would be sent without a limit */
  readonly fit: (offered: number) => number;
  /** A slice of so many bytes was refused. False when no smaller one is worth a try. */
  readonly halve: (refusedBytes: number) => boolean;
}

export function createSliceSize(): SliceSize {
  let limit = Number.POSITIVE_INFINITY;
  return {
    fit: (offered) => Math.min(limit, offered),
    halve: (refusedBytes) => {
      if (refusedBytes <= SMALLEST_BYTES) return false;
      limit = Math.max(SMALLEST_BYTES, Math.floor(refusedBytes / 2));
      return true;
    },
  };
}
