/** The result of one section over sealed segments that are completely inside the range of a query. */
interface Partial {
  readonly segments: ReadonlySet<number>;
  readonly state: unknown;
  readonly bytes: number;
}

/**
 * Results over sealed segments. Segments never change, so their results stay valid: a repeated query, with a later end
 * or after new events, only reads the rest.
 */
export interface PartialResults {
  /** The largest result for `key` over a subset of the given segments. */
  find(
    key: string,
    segments: ReadonlySet<number>,
  ): { readonly segments: ReadonlySet<number>; readonly state: unknown } | null;
  /** Takes ownership of `state`, which must not change any more. */
  keep(key: string, segments: ReadonlySet<number>, state: unknown, bytes: number): void;
  bytes(): number;
}

export const DEFAULT_PARTIAL_BYTES = 24 * 1024 * 1024;

/** Ranges per query: the page's own, the comparison, the last half hour. */
const RANGES_PER_KEY = 3;
const ENTRY_BYTES = 512;
/** One result must not evict all others. */
const LARGEST_SHARE = 0.5;

/** Least recently used out first, bounded by bytes. */
export function createPartialResults(limitBytes: number = DEFAULT_PARTIAL_BYTES): PartialResults {
  const entries = new Map<string, Partial[]>();
  let bytes = 0;

  function find(key: string, segments: ReadonlySet<number>): Partial | null {
    const known = entries.get(key);
    if (known === undefined) return null;
    entries.delete(key);
    entries.set(key, known);
    let best: Partial | null = null;
    for (const partial of known) {
      if (best !== null && partial.segments.size <= best.segments.size) continue;
      if (partial.segments.isSubsetOf(segments)) best = partial;
    }
    return best;
  }

  function keep(key: string, segments: ReadonlySet<number>, state: unknown, stateBytes: number): void {
    const size = stateBytes + ENTRY_BYTES + segments.size * 16;
    if (size > limitBytes * LARGEST_SHARE) return;
    const known = entries.get(key) ?? [];
    // A result that the new one continues is not needed again.
    const others = known.filter((partial) => !partial.segments.isSubsetOf(segments)).slice(-(RANGES_PER_KEY - 1));
    for (const partial of known) bytes -= partial.bytes;
    const kept = [...others, { segments, state, bytes: size }];
    for (const partial of kept) bytes += partial.bytes;
    entries.delete(key);
    entries.set(key, kept);
    for (const [oldest, partials] of entries) {
      if (bytes <= limitBytes) break;
      entries.delete(oldest);
      for (const partial of partials) bytes -= partial.bytes;
    }
  }

  return { find, keep, bytes: () => bytes };
}
