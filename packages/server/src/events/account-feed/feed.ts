import { messageOf } from '../../platform/logging/error-text.ts';
import { createLoop, type Pause, pauseFor } from '../../platform/loop.ts';
import type { AccountEffects, DeriveArgs } from './derive.ts';

/** Which automations are enabled; existing cooldowns and candidates are processed anyway. */
export interface FeedPolicy {
  readonly cooldowns: boolean;
  readonly accountActions: boolean;
  readonly autoDisable: boolean;
}

export interface FeedDeps {
  readonly derive: (args: DeriveArgs) => Promise<AccountEffects | null>;
  readonly apply: (args: { readonly effects: AccountEffects; readonly autoDisable: boolean }) => Promise<boolean>;
  /** Called for every batch. */
  readonly policy: () => Promise<FeedPolicy>;
  /** New work was stored for a worker. */
  readonly onCooldowns: () => void;
  readonly onFailures: () => void;
  readonly onSuccesses: () => void;
  readonly now: () => number;
  /** ms of a clock that nobody sets. */
  readonly elapsed: () => number;
  readonly log: { warn(message: string): void };
  readonly maxEvents?: number;
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

/** What a step found: nothing, some events, or so many that more of the same range are left. */
type Step = 'idle' | 'some' | 'behind';

/** Reads collected events in order and stores their effects, independently of the collector. */
export interface AccountFeed {
  /** New events were stored, or may be left over. */
  wake(): void;
  /** Ends after the current batch. */
  stop(): Promise<void>;
}

const MAX_EVENTS = 500;
/** After this many failures in a row events are processed one by one; after twice as many the first one is skipped. */
const PATIENCE = 4;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export function createAccountFeed(deps: FeedDeps): AccountFeed {
  let failures = 0;
  const loop = createLoop({
    async round() {
      let state: Step = 'some';
      while (state !== 'idle' && !loop.stopping.aborted) {
        const beganMs = deps.elapsed();
        state = await step();
        failures = 0;
        if (state === 'behind') await restFor(deps.elapsed() - beganMs);
      }
      return null;
    },
    failed(error, count) {
      if (count === 1) deps.log.warn(`account automation waits: ${messageOf(error)}; retrying`);
      failures += 1;
      return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
    },
    // Events keep arriving while the database fails.
    restsInFull: true,
    wait: deps.wait,
  });

  /** Behind, it takes half of a core: questions and new events may have only this one. */
  async function restFor(ms: number): Promise<void> {
    try {
      await (deps.wait ?? pauseFor)(ms, loop.stopping);
    } catch (error) {
      if (!loop.stopping.aborted) throw error;
    }
  }

  async function step(): Promise<Step> {
    const policy = await deps.policy();
    const effects = await deps.derive({
      maxEvents: failures >= PATIENCE ? 1 : (deps.maxEvents ?? MAX_EVENTS),
      cooldowns: policy.cooldowns,
      failures: policy.accountActions,
      nowMs: deps.now(),
    });
    if (effects === null) return 'idle';
    try {
      if (await deps.apply({ effects, autoDisable: policy.autoDisable })) logEffects(effects);
    } catch (error) {
      if (failures < 2 * PATIENCE) throw error;
      await giveUp(effects);
    }
    return effects.hasMore ? 'behind' : 'some';
  }

  /** Also a write, right after the failed one: it succeeds only when the event is the cause, not the database. */
  async function giveUp(effects: AccountEffects): Promise<void> {
    await deps.apply({
      effects: { ...effects, observations: [], cooldowns: [], failures: [], successes: [] },
      autoDisable: false,
    });
    deps.log.warn(`account automation: skipped event ${effects.range.firstEventId}, which cannot be used`);
  }

  function logEffects({ cooldowns, failures, successes, unreadable, withoutAuthFile }: AccountEffects): void {
    if (cooldowns.length > 0) deps.onCooldowns();
    if (failures.length > 0) deps.onFailures();
    if (successes.length > 0) deps.onSuccesses();
    if (unreadable > 0) deps.log.warn(`account automation: skipped ${unreadable} stored events that cannot be read`);
    if (withoutAuthFile > 0) {
      deps.log.warn(`account automation: skipped ${withoutAuthFile} failures without an auth file`);
    }
  }

  return {
    wake() {
      loop.wake();
      loop.start();
    },
    stop: () => loop.stop(),
  };
}
