import type { Subscription } from '../../gateway/resp/subscription.ts';
import { collectByPops } from './pops.ts';
import type { RunContext } from './run-context.ts';
import { stageOf } from './run-state.ts';
import { collectBySubscription, isAboutTransport } from './subscribe.ts';

const NO_TRANSPORT =
  '; Pub/Sub and the HTTP queue are not available either: the gateway is older than v6.9.38, or its management API is off';

/** Runs the configured mode until the run ends. */
export async function collect(run: RunContext): Promise<void> {
  switch (run.target.settings.collectorMode) {
    case 'subscribe':
      return collectBySubscription(run, null, { auto: false });
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

/**
 * Pub/Sub, else the HTTP queue, else RESP pops. When the gateway is down, nothing is known about its transports. A subscription that
 * does not come back starts it again, because the gateway may be another version now.
 */
async function tryTransports(run: RunContext): Promise<void> {
  while (!run.stopping.aborted) {
    let subscription: Subscription | null = null;
    try {
      subscription = await run.openSubscription();
    } catch (error) {
      if (run.stopping.aborted) return;
      if (!isAboutTransport(error)) {
        run.state.failed(stageOf(error, 'connect'), error);
        await run.waitAfter(error);
        continue;
      }
    }
    if (subscription !== null) {
      await collectBySubscription(run, subscription, { auto: true });
      continue;
    }

    let end = await collectByPops(run, run.httpSource, { auto: true });
    if (end.why === 'unsupported') {
      end = await collectByPops(run, run.respSource, { auto: true, hint: NO_TRANSPORT });
    }
    if (end.why === 'subscribed') await collectBySubscription(run, end.subscription, { auto: true });
  }
}
