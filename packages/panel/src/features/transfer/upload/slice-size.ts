/** No proxy should refuse this. */
const SMALLEST_BYTES = 64 * 1024;

/** Size of one request: the server's limit, halved whenever a proxy refused it. */
export interface SliceSize {
  /** @param offered bytes that would be sent without a limit */
  readonly fit: (offered: number) => number;
  /** A slice of this many bytes was refused. False when no smaller one is worth trying. */
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
