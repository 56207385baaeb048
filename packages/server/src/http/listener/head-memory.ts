import type { Guest } from './admission.ts';
import type { HeadMemory } from './serve-connection.ts';

const HEADS_BYTES = 16 * 1024 * 1024;

/**
 * Bounds the memory of unfinished heads. Nobody is known before his head is read, so the one that waits longest is closed, and what the
 * operator sends in one go passes.
 */
export function createHeadMemory(limit = HEADS_BYTES): HeadMemory {
  const sizes = new Map<Guest, number>();
  let used = 0;

  function release(guest: Guest): void {
    used -= sizes.get(guest) ?? 0;
    sizes.delete(guest);
  }

  return {
    grow(guest, bytes) {
      release(guest);
      sizes.set(guest, bytes);
      used += bytes;
      // Insertion order: who grew last is last.
      for (const other of sizes.keys()) {
        if (used <= limit || other === guest) return;
        release(other);
        other.peer.reset();
      }
    },
    release,
  };
}
