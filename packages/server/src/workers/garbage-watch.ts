/**
 * The runtime collects garbage when the heap has doubled. With a cache that is mostly live, that is far more than all answers
 * need, so it is collected whenever memory has grown by a fixed amount.
 */
export interface GarbageWatch {
  /** Cheap; collects when due. */
  check(): void;
}

export interface GarbageWatchOptions {
  /** Resident memory of the process, cheap to read. */
  readonly residentBytes: () => number;
  readonly collect: () => void;
  /** Growth between two collections. */
  readonly growthBytes: number;
}

export function createGarbageWatch({ residentBytes, collect, growthBytes }: GarbageWatchOptions): GarbageWatch {
  let leastBytes = residentBytes();
  return {
    check() {
      const now = residentBytes();
      if (now - leastBytes < growthBytes) {
        leastBytes = Math.min(leastBytes, now);
        return;
      }
      collect();
      leastBytes = residentBytes();
    },
  };
}
