/**
 * The runtime collects garbage when the heap has doubled. Beside a cache that is mostly live, that is far more than all
 * answers need, so it is collected whenever memory has grown by a fixed amount.
 */
export interface GarbageWatch {
  /** Cheap; collects when it is time to. */
  check(): void;
}

export interface GarbageWatchOptions {
  /** Resident memory of the process, cheap to ask. */
  readonly residentBytes: () => number;
  readonly collect: () => void;
  /** What may come between two collections. */
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

const LONG_BODY_BYTES = 1024 * 1024;
const BODIES_BYTES = 24 * 1024 * 1024;
/** When no further body comes. */
const QUIET_MS = 500;

/**
 * For the thread that sends bodies: each is one small object with much memory behind it, which the runtime would keep until
 * it has reason to look.
 *
 * @returns call it before a body of so many bytes is made
 */
export function createBodyWatch(collect: () => void): (bytes: number) => void {
  let sinceBytes = 0;
  let timer: Timer | null = null;

  function collectNow(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sinceBytes = 0;
    collect();
  }

  return (bytes) => {
    if (bytes < LONG_BODY_BYTES) return;
    if (sinceBytes + bytes > BODIES_BYTES) collectNow();
    sinceBytes += bytes;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(collectNow, QUIET_MS);
    timer.unref();
  };
}
