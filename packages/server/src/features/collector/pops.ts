import { GatewayError, type GatewayErrorKind } from '../../gateway/errors.ts';
import type { Subscription } from '../../gateway/resp/subscription.ts';
import type { Reservation } from './inserter.ts';
import { type PopSource, popMayHaveLost, salvagedFrom } from './pop-source.ts';
import type { RunContext } from './run-context.ts';
import { stageOf } from './run-state.ts';
import { createPollPause, pause } from './wait.ts';

export type PopsEnd =
  | { readonly why: 'stopped' }
  /** Mode `auto`: the gateway has no such queue. */
  | { readonly why: 'unsupported' }
  /** Mode `auto`: no connection at all, so nothing is known about the transports. */
  | { readonly why: 'down' }
  /** Mode `auto`: Pub/Sub works now. */
  | { readonly why: 'subscribed'; readonly subscription: Subscription };

/**
 * Waits for room, pops one answer and passes its records on. Dates the loss when the answer did not arrive.
 *
 * @param until null is returned when it aborts before the pop
 * @param maxSpooled see `Inserter.reserve`
 */
export async function popOnce(
  run: RunContext,
  source: PopSource,
  until: AbortSignal,
  maxSpooled?: number,
): Promise<{ elements: number } | null> {
  const reservation = await run.inserter.reserve(until, maxSpooled);
  if (reservation === null) return null;
  try {
    await source.prepare(run.cutOff);
    return await pop(run, source, reservation);
  } finally {
    reservation.end();
  }
}

async function pop(run: RunContext, source: PopSource, reservation: Reservation): Promise<{ elements: number }> {
  const sentAtMs = run.now();
  run.flight.popSentAtMs = sentAtMs;
  try {
    const answer = await source.pop(run.cutOff);
    for (const record of answer.records) reservation.offer(record, sentAtMs);
    run.listening.onPop(sentAtMs, run.now(), answer.elements >= run.target.settings.batchSize);
    return { elements: answer.elements };
  } catch (error) {
    for (const record of salvagedFrom(error)) reservation.offer(record, sentAtMs);
    if (popMayHaveLost(error)) run.gaps.record('answer_lost', sentAtMs, Math.max(run.now(), sentAtMs + 1));
    throw error;
  } finally {
    // The records are in the inserter, which is responsible for them now.
    run.flight.popSentAtMs = null;
  }
}

/** Collects by pops until the run ends, or, in mode `auto`, until another transport must be tried. */
export async function collectByPops(
  run: RunContext,
  source: PopSource,
  ladder: { readonly auto: boolean; readonly hint?: string },
): Promise<PopsEnd> {
  const { timing, state, target } = run;
  const stage = source.transport === 'http' ? 'http' : 'consume';
  state.setTransport(source.transport);
  let subscribeTriedAtMs = run.now();
  const polls = createPollPause(target.settings.pollIntervalMs, () =>
    Math.min(timing.longestPollMs, run.listening.retentionMs() / 4),
  );
  let worked = false;
  while (!run.stopping.aborted) {
    if (ladder.auto && Math.abs(run.now() - subscribeTriedAtMs) >= timing.resubscribeEveryMs) {
      subscribeTriedAtMs = run.now();
      await run.inserter.ready(run.stopping);
      if (run.stopping.aborted) break;
      const subscription = await trySubscription(run);
      if (subscription !== null) {
        source.close();
        return { why: 'subscribed', subscription };
      }
    }
    try {
      const answer = await popOnce(run, source, run.stopping);
      if (answer === null) break;
      if (!worked) run.onReconnected();
      worked = true;
      run.backoff.reset();
      run.gaps.close('dropped', run.now());
      state.working();
      if (answer.elements > 0) polls.reset();
      else await pause(polls.next(), run.stopping);
    } catch (error) {
      if (run.stopping.aborted) break;
      worked = false;
      const known = error instanceof GatewayError ? error : null;
      if (ladder.auto && source.transport === 'http' && known?.kind === 'unsupported') return { why: 'unsupported' };
      state.failed(stageOf(error, stage), error, hintFor(known, ladder.hint));
      await run.waitAfter(error);
      if (ladder.auto && known?.down === true) return { why: 'down' };
    }
  }
  source.close();
  return { why: 'stopped' };
}

const NO_QUEUE: ReadonlySet<GatewayErrorKind> = new Set([
  'unsupported',
  'dial_closed',
  'closed',
  'not_http',
  'protocol',
]);

/** At the end of the ladder, a failing transport means that none works. */
function hintFor(error: GatewayError | null, hint: string | undefined): string {
  return hint !== undefined && error !== null && NO_QUEUE.has(error.kind) ? hint : '';
}

async function trySubscription(run: RunContext): Promise<Subscription | null> {
  const { resubscribeTimeoutMs } = run.timing;
  try {
    return await run.openSubscription({ dialTimeoutMs: resubscribeTimeoutMs, commandTimeoutMs: resubscribeTimeoutMs });
  } catch {
    return null;
  }
}
