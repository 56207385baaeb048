/** What a cached value is for eviction: `bulk` values are long texts and hashes, which one search reads from end to end. */
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
  /** The cached value, or what `load` makes. `sizeOf` tells the bytes it holds. */
  get<Value>(key: string, kind: CacheClass, load: () => Value, sizeOf: (value: Value) => number): Value;
  statistics(): ColumnCacheStatistics;
  clear(): void;
}

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
  readonly kind: CacheClass;
}

export const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

/** Part of the cache that bulk values may fill. */
const BULK_SHARE = 0.25;
const GARBAGE_BYTES = 16 * 1024 * 1024;
/** For the entry itself: key, map node, object headers. */
const ENTRY_BYTES = 256;

/**
 * Decoded columns, least recently used out first, bounded by bytes. A search that reads more bulk than fits would push out
 * everything just before it is needed again; so bulk is admitted only while there is room for it and never evicts: a stable
 * part of it stays, the rest is decoded again.
 *
 * @param onGarbage called whenever about 32 MB were decoded and not kept: the runtime does not notice by itself how much
 *   memory hangs on few objects
 */
export function createColumnCache(
  limitBytes: number = DEFAULT_CACHE_BYTES,
  onGarbage: () => void = () => {},
): ColumnCache {
  const entries = new Map<string, Entry>();
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
      return known.value as Value;
    }
    misses++;
    const value = load();
    const size = sizeOf(value) + ENTRY_BYTES;
    // The packed bytes it was made of.
    garbageBytes += size;
    if (garbageBytes > GARBAGE_BYTES) {
      garbageBytes = 0;
      onGarbage();
    }
    admit(key, { value, kind, bytes: size });
    return value;
  }

  function admit(key: string, entry: Entry): void {
    if (entry.kind === 'bulk') {
      if (bulkBytes + entry.bytes > limitBytes * BULK_SHARE || bytes + entry.bytes > limitBytes) {
        garbageBytes += entry.bytes;
        return;
      }
      bulkBytes += entry.bytes;
    } else if (entry.bytes > limitBytes) {
      return;
    }
    entries.set(key, entry);
    bytes += entry.bytes;
    for (const [oldest, { bytes: freed, kind }] of entries) {
      if (bytes <= limitBytes) break;
      entries.delete(oldest);
      bytes -= freed;
      garbageBytes += freed;
      if (kind === 'bulk') bulkBytes -= freed;
      evictions++;
    }
  }

  return {
    get,
    statistics: () => ({ limitBytes, bytes, entries: entries.size, hits, misses, evictions }),
    clear: () => {
      entries.clear();
      bytes = 0;
      bulkBytes = 0;
    },
  };
}
