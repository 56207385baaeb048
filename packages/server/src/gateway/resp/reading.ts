/** After so long without a pause, everything that waited in the socket has been read. */
const CATCH_UP_MS = 1_000;

/** The reading side of a socket, which can be paused so that the other side has to wait. */
export interface Reading {
  received(): void;
  /** Reads nothing more until then. Without effect during a pause. */
  pauseUntil(ready: Promise<unknown>): void;
  lastByteAtMs(): number;
  /** Since when nothing was received although it was read; null during a pause. */
  silentSinceMs(): number | null;
  /** Bytes may have waited in the socket since then, because nothing was read; null = none have. */
  unreadSinceMs(): number | null;
}

export function createReading(socket: { pause(): unknown; resume(): unknown }, now: () => number): Reading {
  let lastByteAtMs = now();
  let resumedAtMs = lastByteAtMs;
  let unreadSinceMs: number | null = null;
  let isPaused = false;

  /** Silence is measured by the clock of today, also after it was set back. */
  function followClock(): void {
    const nowMs = now();
    lastByteAtMs = Math.min(lastByteAtMs, nowMs);
    resumedAtMs = Math.min(resumedAtMs, nowMs);
    if (unreadSinceMs !== null) unreadSinceMs = Math.min(unreadSinceMs, nowMs);
  }

  function unreadSince(): number | null {
    followClock();
    if (!isPaused && now() - resumedAtMs >= CATCH_UP_MS) unreadSinceMs = null;
    return unreadSinceMs;
  }

  return {
    received() {
      lastByteAtMs = now();
    },
    pauseUntil(ready) {
      if (isPaused) return;
      unreadSinceMs = unreadSince() ?? now();
      isPaused = true;
      socket.pause();
      void ready.finally(() => {
        isPaused = false;
        resumedAtMs = now();
        socket.resume();
      });
    },
    lastByteAtMs() {
      followClock();
      return lastByteAtMs;
    },
    silentSinceMs() {
      followClock();
      return isPaused ? null : Math.max(lastByteAtMs, resumedAtMs);
    },
    unreadSinceMs: unreadSince,
  };
}
