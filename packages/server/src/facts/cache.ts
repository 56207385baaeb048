/**
 * The class of a cached value for eviction: `bulk` values are long texts and hashes, which one search reads completely.
 */
export type CacheClass = 'column' | 'bulk';

export interface ColumnCacheStatistics {
  readonly limitBytes: number;
  readonly bytes: number;
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
}

export interface ColumnCache {
  /** The cached value, or the result of `load`. `sizeOf` returns its bytes. */
  get<Value>(key: string, kind: CacheClass, load: () => Value, sizeOf: (value: Value) => number): Value;
  statistics(): ColumnCacheStatistics;
  /** A new query: values of earlier ones may be evicted. */
  beginQuestion(): void;
  clear(): void;
}

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  readonly kind: CacheClass;
  /** The last query that used it. */
  question: number;
}

const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

/** Share of the cache for bulk values. */
const BULK_SHARE = 0.25;
const GARBAGE_BYTES = 16 * 1024 * 1024;
/** Overhead of an entry: key, map node, object headers. */
const ENTRY_BYTES = 256;

/** Values that were not admitted stay available for a while: several columns are sums of others. */
const RECENT_BYTES = 8 * 1024 * 1024;

/**
 * Decoded columns, least recently used out first, bounded by bytes. A query that reads more than fits would evict everything
 * just before it is needed again, so it never evicts what it has used itself: a stable part stays, the rest is decoded again.
 * Bulk is admitted only into free space and evicts nothing.
 *
 * @param onGarbage called whenever about 16 MB were decoded: the runtime does not notice how much memory a few objects hold
 */
export function createColumnCache(
  limitBytes: number = DEFAULT_CACHE_BYTES,
  onGarbage: () => void = () => {},
): ColumnCache {
  const entries = new Map<string, Entry>();
  const recent = new Map<string, Entry>();
  let question = 0;
  let recentBytes = 0;
  let bytes = 0;
  let bulkBytes = 0;
  let hits = 0;
  let misses = 0;
  let evictions = 0;
  let garbageBytes = 0;

  function get<Value>(key: string, kind: CacheClass, load: () => Value, sizeOf: (value: Value) => number): Value {
    const known = entries.get(key);
    if (known !== undefined) {
      hits++;
      entries.delete(key);
      entries.set(key, known);
      known.question = question;
      return known.value as Value;
    }
    const atHand = recent.get(key);
    if (atHand !== undefined) return atHand.value as Value;
    misses++;
    const value = load();
    const size = sizeOf(value) + ENTRY_BYTES;
    // The bytes that long texts were decoded from; other columns release theirs.
    if (kind === 'bulk') garbageBytes += size;
    if (garbageBytes > GARBAGE_BYTES) {
      garbageBytes = 0;
      onGarbage();
    }
    const entry = { value, kind, bytes: size, question };
    if (hasRoomFor(entry)) {
      entries.set(key, entry);
      bytes += size;
      if (kind === 'bulk') bulkBytes += size;
    } else {
      keepAtHand(key, entry);
    }
    return value;
  }

  function hasRoomFor(entry: Entry): boolean {
    if (entry.kind === 'bulk') {
      return bulkBytes + entry.bytes <= limitBytes * BULK_SHARE && bytes + entry.bytes <= limitBytes;
    }
    if (entry.bytes > limitBytes) return false;
    for (const [oldest, { bytes: freed, kind, question: lastUse }] of entries) {
      if (bytes + entry.bytes <= limitBytes) return true;
      // Entries are in the order of their use: all later ones were used by this query too.
      if (lastUse === question) return false;
      entries.delete(oldest);
      bytes -= freed;
      garbageBytes += freed;
      if (kind === 'bulk') bulkBytes -= freed;
      evictions++;
    }
    return bytes + entry.bytes <= limitBytes;
  }

  function keepAtHand(key: string, entry: Entry): void {
    recent.set(key, entry);
    recentBytes += entry.bytes;
    for (const [oldest, { bytes: freed }] of recent) {
      if (recentBytes <= RECENT_BYTES) break;
      recent.delete(oldest);
      recentBytes -= freed;
      garbageBytes += freed;
    }
  }

  return {
    get,
    statistics: () => ({ limitBytes, bytes, entries: entries.size, hits, misses, evictions }),
    beginQuestion: () => {
      question++;
      recent.clear();
      recentBytes = 0;
    },
    clear: () => {
      entries.clear();
      recent.clear();
      recentBytes = 0;
      bytes = 0;
      bulkBytes = 0;
    },
  };
}
