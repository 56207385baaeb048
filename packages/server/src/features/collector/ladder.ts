import { UpstreamError } from '../../gateway/errors.ts';
import type { Subscription } from '../../gateway/resp/subscription.ts';
import { collectByPops } from './pops.ts';
import type { RunContext } from './run-context.ts';
import { stageOf } from './run-state.ts';
import { collectBySubscription } from './subscribe.ts';

const NO_TRANSPORT =
  '; Pub/Sub and the HTTP queue are not available either: the gateway is older than v6.9.38, or its management API is off';

/** Runs the configured mode until the run ends. */
export async function collect(run: RunContext): Promise<void> {
  switch (run.target.settings.collectorMode) {
    case 'subscribe':
      return collectBySubscription(run, null);
    case 'http':
      await collectByPops(run, run.httpSource, { auto: false });
      return;
    case 'resp':
      await collectByPops(run, run.respSource, { auto: false });
      return;
    case 'auto':
      return tryTransports(run);
  }
}

/** Pub/Sub, else the HTTP queue, else RESP pops. When the gateway is down, nothing is known about its transports. */
async function tryTransports(run: RunContext): Promise<void> {
  while (!run.stopping.aborted) {
    let subscription: Subscription | null = null;
    try {
      subscription = await run.openSubscription();
    } catch (error) {
      if (run.stopping.aborted) return;
      if (endsRound(error)) {
        run.state.failed(stageOf(error, 'connect'), error);
        await run.waitAfter(error);
        continue;
      }
    }
    if (subscription !== null) return collectBySubscription(run, subscription);

    let end = await collectByPops(run, run.httpSource, { auto: true });
    if (end.why === 'unsupported') {
      end = await collectByPops(run, run.respSource, { auto: true, hint: NO_TRANSPORT });
    }
    if (end.why === 'subscribed') return collectBySubscription(run, end.subscription);
    if (end.why === 'stopped') return;
  }
}

/** A refused key is not a transport problem, and more attempts would lead to a ban. */
function endsRound(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return false;
  return error.down || error.kind === 'key_refused' || error.kind === 'gate_shut';
}
