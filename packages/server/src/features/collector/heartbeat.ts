import type { CollectorStore } from './ports.ts';
import type { Spool } from './spool.ts';
import type { Heartbeat } from './store.ts';
import type { CollectorTiming } from './timing.ts';

export type HeartbeatContent = Omit<Heartbeat, 'timeMs' | 'clean'>;

export interface HeartbeatWriter {
  /** Writes now instead of at the next tick: something changed that the next start must know. */
  soon(): void;
  /** Ends; a clean stop means that nothing was left. */
  stop(clean: boolean): Promise<void>;
}

/**
 * Writes the heartbeat by which the next start dates what a kill may have lost. A heartbeat covers 5 s, so it is written more
 * often; while the database is unavailable, the time of the spool file replaces it.
 */
export function startHeartbeat(deps: {
  readonly store: CollectorStore;
  readonly spool: Spool;
  readonly now: () => number;
  readonly timing: CollectorTiming;
  readonly content: () => HeartbeatContent;
  /** Time of the last record, for the pace. */
  readonly lastConsumedAtMs: () => number;
}): HeartbeatWriter {
  const { timing, now } = deps;
  /** Time of the last stored heartbeat; `begin` wrote the first one. */
  let storedAtMs = now();
  let triedAtMs = now();
  let writing: Promise<void> | null = null;
  let urgent = false;
  let touching: Promise<void> | null = null;
  let stopped = false;

  function write(): void {
    if (writing !== null) {
      urgent = true;
      return;
    }
    urgent = false;
    const timeMs = now();
    triedAtMs = timeMs;
    writing = deps.store
      .heartbeat({ ...deps.content(), timeMs, clean: false })
      .then(async () => {
        storedAtMs = timeMs;
        await deps.spool.removeEmpty();
      })
      .catch(() => {
        // Retried at the next tick; meanwhile the spool file counts.
      })
      .finally(() => {
        writing = null;
        if (urgent && !stopped) write();
      });
  }

  function turn(): void {
    const nowMs = now();
    const active = deps.lastConsumedAtMs() >= triedAtMs;
    const due = triedAtMs + (active ? timing.heartbeatMs : timing.idleHeartbeatMs);
    // A clock that was set back counts as due.
    if (nowMs >= due || nowMs < triedAtMs) write();
    const silentMs = nowMs - storedAtMs;
    if (silentMs > timing.idleHeartbeatMs + timing.heartbeatMs / 4) {
      touching ??= deps.spool
        .touch(nowMs)
        .catch(() => {})
        .finally(() => {
          touching = null;
        });
    }
  }

  const timer = setInterval(turn, Math.max(timing.heartbeatMs / 4, 5));
  return {
    soon: write,
    async stop(clean) {
      stopped = true;
      clearInterval(timer);
      await writing;
      await touching;
      if (!clean) return;
      try {
        await deps.store.heartbeat({ ...deps.content(), timeMs: now(), clean: true });
        await deps.spool.removeEmpty();
      } catch {
        // The next start then dates an unclean stop: a gap that is too long rather than too short.
      }
    },
  };
}
