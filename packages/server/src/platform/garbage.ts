const EVERY_BYTES = 32 * 1024 * 1024;

/**
 * The runtime notices late how much memory large texts, received bytes and buffers from workers take: garbage is collected after so
 * many of them.
 */
export function createGarbageCollector(): (bytes: number) => void {
  let bytes = 0;
  return (more) => {
    bytes += more;
    if (bytes < EVERY_BYTES) return;
    bytes = 0;
    Bun.gc(true);
  };
}
