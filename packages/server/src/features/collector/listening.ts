import type { GapKeeper } from './gap-keeper.ts';

/** How often the loss at the old end of a lasting backlog is evaluated. */
const EVALUATE_EVERY_MS = 5_000;

/**
 * The time since which events of the gateway were not received. The gateway keeps a queued event for its retention, so events
 * from a time of silence can be fetched until then; older ones are lost at the time of a pop, and are dated as `away`.
 */
export interface Listening {
  /** Subscribed: events arrive from now on, and only the earlier queue must be drained. */
  onSubscribed(atMs: number): void;
  /** A pop was answered; `more` = as many as requested, so that others may follow. */
  onPop(sentAtMs: number, answeredAtMs: number, more: boolean): void;
  /** No transport can fetch the queue before the subscription. */
  onUndrainable(): void;
  /** `heardUntilMs`: everything before it was received. */
  onSubscriptionOver(heardUntilMs: number): void;
  /** Opens a gap when the silence is longer than the retention. */
  tick(): void;
  /** Retention as read from the gateway; also called when it could not be read. */
  onRetention(retentionMs: number | null): void;
  retentionMs(): number;
  /** null = nothing is missing. */
  heardUntilMs(): number | null;
}

export interface ListeningDeps {
  readonly gaps: GapKeeper;
  readonly now: () => number;
  readonly heardUntilMs: number;
  /** The last known one. */
  readonly retentionMs: number;
  /** Events from a time longer than the retention are lost. */
  readonly onAway: () => void;
}

export function createListening(deps: ListeningDeps): Listening {
  let since: number | null = deps.heardUntilMs;
  let liveSince: number | null = null;
  let retentionMs = deps.retentionMs;
  /** Pops wait for the first reading of the retention, because a wrong one would date a loss wrongly. */
  let retentionKnown = false;
  let deferred: { readonly fromMs: number; answeredAtMs: number; readonly liveSinceMs: number | null } | null = null;
  let evaluatedAtMs = 0;

  /** Events queued in the silence that were older than the retention at the pop. */
  function evaluate(fromMs: number, answeredAtMs: number, liveSinceMs: number | null): number {
    const gone = Math.min(answeredAtMs - retentionMs, liveSinceMs ?? Number.POSITIVE_INFINITY);
    if (gone <= fromMs) {
      deps.gaps.close('away', fromMs);
      return fromMs;
    }
    if (deps.gaps.openSince('away') === null) deps.gaps.record('away', fromMs, gone);
    else deps.gaps.close('away', gone);
    deps.onAway();
    return gone;
  }

  return {
    onSubscribed(atMs) {
      liveSince = atMs;
    },
    onPop(sentAtMs, answeredAtMs, more) {
      if (since === null) return;
      if (!retentionKnown) {
        deferred ??= { fromMs: since, answeredAtMs, liveSinceMs: liveSince };
        deferred.answeredAtMs = answeredAtMs;
      } else if (!more || answeredAtMs - evaluatedAtMs >= EVALUATE_EVERY_MS) {
        since = evaluate(since, answeredAtMs, liveSince);
        evaluatedAtMs = answeredAtMs;
      }
      if (!more) since = liveSince === null ? sentAtMs : null;
    },
    onUndrainable() {
      if (since === null || liveSince === null) return;
      if (deps.gaps.openSince('away') === null) deps.gaps.record('away', since, liveSince);
      else deps.gaps.close('away', liveSince);
      deps.onAway();
      since = null;
    },
    onSubscriptionOver(heardUntilMs) {
      since ??= heardUntilMs;
      liveSince = null;
    },
    tick() {
      if (retentionKnown && since !== null && deps.now() - since > retentionMs) deps.gaps.open('away', since);
    },
    onRetention(value) {
      if (value !== null) retentionMs = value;
      retentionKnown = true;
      if (deferred === null) return;
      const { fromMs, answeredAtMs, liveSinceMs } = deferred;
      deferred = null;
      evaluate(fromMs, answeredAtMs, liveSinceMs);
    },
    retentionMs: () => retentionMs,
    heardUntilMs: () => (deferred === null ? since : Math.min(deferred.fromMs, since ?? deferred.fromMs)),
  };
}
