import type { CollectorTarget } from '../../gateway/collector.ts';
import type { Subscription, SubscriptionOptions } from '../../gateway/resp/subscription.ts';
import type { GapKeeper } from './gap-keeper.ts';
import type { Inserter } from './inserter.ts';
import type { Listening } from './listening.ts';
import type { PopSource } from './pop-source.ts';
import type { CollectorLogger } from './ports.ts';
import type { RunState } from './run-state.ts';
import type { CollectorTiming } from './timing.ts';
import type { Backoff } from './wait.ts';

/** Context that the transports of one run share. */
export interface RunContext {
  readonly target: CollectorTarget;
  readonly timing: CollectorTiming;
  readonly logger: CollectorLogger;
  readonly now: () => number;
  /** Aborts when the run is to end: nothing new is started, running work may finish. */
  readonly stopping: AbortSignal;
  /** Aborts when the time limit of the stop is over too. */
  readonly cutOff: AbortSignal;
  readonly state: RunState;
  readonly gaps: GapKeeper;
  readonly listening: Listening;
  readonly inserter: Inserter;
  readonly backoff: Backoff;
  /** How long before its arrival a record may have been sent. */
  readonly slackMs: () => number;
  readonly httpSource: PopSource;
  readonly respSource: PopSource;
  /** Bookkeeping for the heartbeat. */
  readonly flight: Flight;
  openSubscription(overrides?: Partial<SubscriptionOptions>): Promise<Subscription>;
  /** Waits after a failure; longer each time, and as long as the key is known to be refused. */
  waitAfter(error: unknown): Promise<void>;
  heartbeatSoon(): void;
  onReconnected(): void;
}

/** Records in flight outside the inserter. */
export interface Flight {
  /** When the current pop was sent; null = none. */
  popSentAtMs: number | null;
  subscription: Subscription | null;
}
