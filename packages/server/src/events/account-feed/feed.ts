import type { AccountEffects, DeriveArgs } from './derive.ts';

/** Which new work is wanted; existing cooldowns and candidates are looked after all the same. */
export interface FeedPolicy {
  readonly cooldowns: boolean;
  readonly accountActions: boolean;
  readonly autoDisable: boolean;
}

export interface FeedDeps {
  readonly derive: (args: DeriveArgs) => Promise<AccountEffects | null>;
  readonly apply: (args: { readonly effects: AccountEffects; readonly autoDisable: boolean }) => Promise<boolean>;
  /** Asked for every batch. */
  readonly policy: () => Promise<FeedPolicy>;
  /** Something was stored for the workers that act on it. */
  readonly onCooldowns: () => void;
  readonly onFailures: () => void;
  readonly now: () => number;
  readonly log: { warn(message: string): void };
  readonly maxEvents?: number;
  /** Waits after a failure; replaced in tests. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Reads collected events in their order and stores what follows from them, always behind the collector, never before it. */
export interface AccountFeed {
  /** New events were stored, or may have been left over. */
  wake(): void;
  /** Ends after the batch in hand. */
  stop(): Promise<void>;
}

const MAX_EVENTS = 500;
/** After so many failures in a row events are taken one by one, after twice as many the first one is given up. */
const PATIENCE = 4;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export function createAccountFeed(deps: FeedDeps): AccountFeed {
  const wait = deps.wait ?? ((ms) => Bun.sleep(ms));
  let stopped = false;
  let woken = false;
  let running: Promise<void> | null = null;
  let lastFailure = '';

  async function run(): Promise<void> {
    let failures = 0;
    while (woken && !stopped) {
      woken = false;
      try {
        while (!stopped && (await step(failures))) failures = 0;
        failures = 0;
        lastFailure = '';
      } catch (error) {
        report(error);
        woken = true;
        await Promise.race([wait(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS)), stopping.promise]);
        failures += 1;
      }
    }
  }

  /** True when there may be more. */
  async function step(failures: number): Promise<boolean> {
    const policy = await deps.policy();
    const effects = await deps.derive({
      maxEvents: failures >= PATIENCE ? 1 : (deps.maxEvents ?? MAX_EVENTS),
      cooldowns: policy.cooldowns,
      failures: policy.accountActions,
      nowMs: deps.now(),
    });
    if (effects === null) return false;
    try {
      if (await deps.apply({ effects, autoDisable: policy.autoDisable })) tell(effects);
    } catch (error) {
      if (failures < 2 * PATIENCE) throw error;
      await giveUp(effects);
    }
    return true;
  }

  /** A write as well, and right after the one that failed: it succeeds only when the event is at fault, not the database. */
  async function giveUp(effects: AccountEffects): Promise<void> {
    await deps.apply({ effects: { ...effects, observations: [], cooldowns: [], failures: [] }, autoDisable: false });
    deps.log.warn(`account automation: event ${effects.range.firstEventId} cannot be used and is left out`);
  }

  function tell({ cooldowns, failures, unreadable, withoutAuthFile }: AccountEffects): void {
    if (cooldowns.length > 0) deps.onCooldowns();
    if (failures.length > 0) deps.onFailures();
    if (unreadable > 0)
      deps.log.warn(`account automation: ${unreadable} stored events cannot be read and are left out`);
    if (withoutAuthFile > 0) {
      deps.log.warn(`account automation: ${withoutAuthFile} failures name no auth file and are left out`);
    }
  }

  /** The same failure again and again is one failure. */
  function report(error: unknown): void {
    const failure = error instanceof Error ? error.message : 'unknown error';
    if (failure !== lastFailure) deps.log.warn(`account automation waits: ${failure}; it is tried again`);
    lastFailure = failure;
  }

  const stopping = Promise.withResolvers<void>();

  function wake(): void {
    woken = true;
    if (stopped || running !== null) return;
    running = run().finally(() => {
      running = null;
      // Woken between the last look and here.
      if (woken) wake();
    });
  }

  return {
    wake,
    async stop() {
      stopped = true;
      stopping.resolve();
      await running;
    },
  };
}
