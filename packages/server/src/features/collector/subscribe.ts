import { GatewayError } from '../../gateway/errors.ts';
import type { Subscription } from '../../gateway/resp/subscription.ts';
import { isTlsFailure } from '../../gateway/tls-failure.ts';
import { createErrorLog } from '../../platform/logging/error-log.ts';
import { popOnce } from './pops.ts';
import type { RunContext } from './run-context.ts';
import { stageOf } from './run-state.ts';
import { aborted, createBackoff, pause } from './wait.ts';

/**
 * A drain leaves the rest in the gateway's queue while this many records wait in the spool file: they would only be twice on the disk.
 */
const MAX_SPOOLED = 5_000;
/** How often a waiting drain looks whether the queue is about to lose its oldest events. */
const LOOK_AGAIN_MS = 1_000;

/** In mode `auto`: failed attempts after which another transport must be tried. */
const MAX_ATTEMPTS = 3;

/**
 * Collects over Pub/Sub until the run ends; `first` is an existing subscription. In mode `auto` it also ends when Pub/Sub does not
 * come back: at once after an answer that will not change, else after the third attempt.
 */
export async function collectBySubscription(
  run: RunContext,
  first: Subscription | null,
  { auto }: { readonly auto: boolean },
): Promise<void> {
  run.state.setTransport('subscribe');
  let subscription = first;
  let attempts = 0;
  while (!run.stopping.aborted) {
    if (subscription === null) {
      // Without room for new events, the gateway's own queue is the better place.
      await run.inserter.ready(run.stopping);
      if (run.stopping.aborted) return;
      try {
        subscription = await run.openSubscription();
      } catch (error) {
        if (run.stopping.aborted) return;
        run.state.failed(stageOf(error, 'subscribe'), error);
        if (isAboutTransport(error)) attempts += 1;
        if (auto && (willNotChange(error) || attempts === MAX_ATTEMPTS)) return;
        await run.waitAfter(error);
        continue;
      }
    }
    attempts = 0;
    await runSubscription(run, subscription);
    subscription = null;
  }
  await subscription?.unsubscribe(run.timing.stopPatienceMs);
}

/** False while the gateway is down or refuses the key: then other transports fail as well, and attempts lead to a ban. */
export function isAboutTransport(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return true;
  return !error.down && error.kind !== 'key_refused' && error.kind !== 'gate_shut';
}

/** Another version of the gateway, or a proxy that speaks HTTP only. */
function willNotChange(error: unknown): boolean {
  return error instanceof GatewayError && (error.kind === 'unsupported' || error.kind === 'protocol');
}

/** One subscription from its confirmation to its end. */
async function runSubscription(run: RunContext, subscription: Subscription): Promise<void> {
  const atMs = run.now();
  run.flight.subscription = subscription;
  run.listening.onSubscribed(atMs);
  run.gaps.close('dropped', atMs);
  run.backoff.reset();
  run.state.working();
  run.onReconnected();
  run.heartbeatSoon();

  const over = new AbortController();
  const drained = drain(run, AbortSignal.any([over.signal, run.stopping]));
  const reason = await Promise.race([
    subscription.ended,
    aborted(run.stopping).then(() => 'stopping' as const),
    run.inserter.whenFull(over.signal).then(() => 'full' as const),
  ]);
  over.abort();

  if (typeof reason === 'string') await endSubscription(run, subscription, reason);
  else recordLostConnection(run, subscription);
  await drained;
  run.flight.subscription = null;
  run.heartbeatSoon();
  if (reason instanceof GatewayError) {
    run.state.failed('subscribe', reason);
    await run.waitAfter(reason);
  }
}

/** Ended by us: the gateway confirms, what it sent before is read, and from then on it queues. */
async function endSubscription(run: RunContext, subscription: Subscription, why: 'stopping' | 'full'): Promise<void> {
  if (why === 'full') {
    run.logger.warn('memory and spool file are full: ending the subscription so that the gateway keeps new events');
  }
  const askedAtMs = run.now();
  const clean = await subscription.unsubscribe(run.timing.stopPatienceMs);
  if (clean) {
    run.listening.onSubscriptionOver(askedAtMs);
    return;
  }
  const sinceMs = Math.min(subscription.receivedUntilMs(), askedAtMs) - run.slackMs();
  run.gaps.record('dropped', sinceMs, run.now());
  run.listening.onSubscriptionOver(sinceMs);
}

/**
 * Ended by the other side: events in its buffer or in transit are lost. The gap is closed when the next subscription is
 * confirmed.
 */
function recordLostConnection(run: RunContext, subscription: Subscription): void {
  const sinceMs = subscription.receivedUntilMs() - run.slackMs();
  run.gaps.open('dropped', sinceMs);
  run.listening.onSubscriptionOver(sinceMs);
}

/**
 * Fetches the queue from before the subscription, over HTTP, or over RESP if there is no HTTP queue. The records go to the spool file,
 * because the pushed ones need the memory.
 */
async function drain(run: RunContext, until: AbortSignal): Promise<void> {
  const backoff = createBackoff(run.timing.backoffMs);
  const log = createErrorLog(run.logger, run.now);
  let source = run.httpSource;
  while (!until.aborted) {
    try {
      const patience = AbortSignal.any([until, AbortSignal.timeout(LOOK_AGAIN_MS)]);
      const answer = await popOnce(run, source, patience, maxSpooled(run));
      if (answer === null) continue;
      backoff.reset();
      if (answer.elements === 0) break;
    } catch (error) {
      if (until.aborted) break;
      const known = error instanceof GatewayError ? error : null;
      const closedToUs =
        known !== null && (known.kind === 'unsupported' || known.kind === 'key_refused' || isTlsFailure(known.kind));
      if (closedToUs && source === run.httpSource) {
        source = run.respSource;
        continue;
      }
      if (known?.kind === 'unsupported') {
        run.logger.warn('the events queued before the subscription cannot be fetched over any transport');
        run.listening.onUndrainable();
        break;
      }
      log.report(`collector: fetching the queued events failed (${known?.message ?? 'unexpected error'})`);
      await pause(backoff.next(), until);
    }
  }
  run.respSource.close();
  run.heartbeatSoon();
}

/** Near the retention the gateway's queue is no better place any more. */
function maxSpooled(run: RunContext): number {
  const heardUntilMs = run.listening.heardUntilMs();
  const urgent = heardUntilMs !== null && run.now() - heardUntilMs > run.listening.retentionMs() / 2;
  return urgent ? Number.POSITIVE_INFINITY : MAX_SPOOLED;
}
