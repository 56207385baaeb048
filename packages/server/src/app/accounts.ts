import { setTimeout as waitFor } from 'node:timers/promises';
import type { StartupPolicy } from '@manager/core/accounts/processing-policy';
import type { InspectionConfig } from '@manager/core/contract/inspection/config';
import { zoneNamed } from '@manager/core/time/zone-named';
import { randomUUIDv7 } from 'bun';
import { type AccountFeed, createAccountFeed } from '../events/account-feed/feed.ts';
import { createAutoDisableWorker } from '../features/account-actions/auto-disable.ts';
import { createConfirmations } from '../features/account-actions/confirm.ts';
import { createAccountActionRoutes } from '../features/account-actions/routes.ts';
import { createAccountActions } from '../features/account-actions/service.ts';
import { createQuotaCooldownRoutes } from '../features/cooldowns/routes.ts';
import { createCooldownWorker } from '../features/cooldowns/worker.ts';
import { createInspection } from '../features/inspection/create-inspection.ts';
import type { InspectionLogger } from '../features/inspection/runner.ts';
import { createInspectionWork } from '../features/inspection/work.ts';
import { createQuotaSnapshotPruner } from '../features/quotas/pruner.ts';
import { createQuotaSnapshotRoutes } from '../features/quotas/routes.ts';
import { createQuotaSnapshotService } from '../features/quotas/service.ts';
import { createProcessingPolicyRoutes } from '../features/settings/routes.ts';
import { createProcessingPolicy } from '../features/settings/service.ts';
import type { AccountClientDeps } from '../gateway/accounts/client.ts';
import { createGatewayAccounts, type GatewayAccounts } from '../gateway/accounts/gateway-accounts.ts';
import { createWakingLoop } from '../gateway/accounts/waking-loop.ts';
import { createClaimClock } from '../gateway/claims/clock.ts';
import type { FeatureRoutes } from '../http/environment.ts';
import type { Store } from '../workers/store.ts';

export interface AccountsDeps extends AccountClientDeps {
  readonly store: Store;
  readonly inspectionSettings: () => InspectionConfig;
  readonly startupPolicy: StartupPolicy;
  readonly now: () => number;
  readonly log: InspectionLogger;
}

export interface Accounts {
  readonly gatewayAccounts: GatewayAccounts;
  readonly inspection: FeatureRoutes;
  readonly quotaSnapshots: FeatureRoutes;
  readonly quotaCooldowns: FeatureRoutes;
  readonly accountActions: FeatureRoutes;
  readonly processingPolicy: FeatureRoutes;
  /** Events were collected. */
  readonly onEvents: () => void;
  /** The gateway or its key changed, so failed work may succeed now. */
  readonly onConnection: () => void;
  start(): void;
  /** Starts nothing more and waits for running work, with a time limit. */
  stop(): Promise<void>;
}

/** Retry interval for changes that a crash left open, while the gateway is unreachable. */
const OPEN_CHANGES_MS = 5_000;
/** Interval of the check for open changes: a change without an answer may be added at any time. */
const OPEN_CHANGES_TICK_MS = 15_000;

const serverZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Everything that manages the accounts of the gateway; part of the composition root. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const { store, now, log } = deps;
  const plainLog = {
    info: (message: string) => log.info({}, message),
    warn: (message: string) => log.warn({}, message),
  };
  const gatewayAccounts = createGatewayAccounts({
    ...deps,
    claims: store,
    log: plainLog,
  });
  const quotaSnapshots = createQuotaSnapshotService({ reader: store.reader, writer: store.writer, now });
  const quotaSnapshotPruner = createQuotaSnapshotPruner({
    prune: (args) => store.writer.run('pruneQuotaSnapshots', args, { priority: 'background' }),
    now,
    log: plainLog,
  });
  const work = createInspectionWork({
    gatewayAccounts,
    writeInspectionEvidence: quotaSnapshots.writeInspectionEvidence,
    now,
    random: Math.random,
    wait: (ms, signal) => waitFor(ms, undefined, { signal, ref: false }),
    zone: zoneNamed(serverZone()),
    onFault: (error) => log.error({ err: error }, 'an action of an inspection failed'),
    log: plainLog,
  });
  const inspection = createInspection({
    reader: store.reader,
    writer: store.writer,
    work,
    actions: work,
    configured: gatewayAccounts.client.configured,
    settings: deps.inspectionSettings,
    serverZone,
    newId: () => randomUUIDv7().replaceAll('-', ''),
    now,
    log,
  });
  const policy = createProcessingPolicy({
    startup: deps.startupPolicy,
    read: (keys) => store.reader.run('getSettings', keys),
    write: (changes) => store.writer.run('putSettings', changes),
    now,
  });
  const { client, claims } = gatewayAccounts;
  const common = {
    gatewayAccounts,
    clock: createClaimClock({ now, elapsed: deps.elapsed, gatewayNow: client.gatewayNow }),
    reader: store.reader,
    writer: store.writer,
    configured: gatewayAccounts.client.configured,
    now,
    log: plainLog,
  };
  const cooldowns = createCooldownWorker(common);
  const autoDisables = createAutoDisableWorker({
    ...common,
    effective: async () => (await policy.current()).authIssueAutoDisable.enabled,
  });
  const confirmations = createConfirmations({ ...common, client, onSuperseded: autoDisables.wake });
  const feed: AccountFeed = createAccountFeed({
    derive: (args) => store.reader.run('deriveAccountEffects', args, { priority: 'background' }),
    apply: (args) => store.writer.run('applyAccountEffects', args, { priority: 'background' }),
    async policy() {
      const { codexQuotaCooldown, authIssueQueue, authIssueAutoDisable } = await policy.current();
      return {
        cooldowns: codexQuotaCooldown.enabled,
        accountActions: authIssueQueue.enabled,
        autoDisable: authIssueAutoDisable.enabled,
      };
    },
    onCooldowns: cooldowns.wake,
    onFailures() {
      confirmations.wake();
      autoDisables.wake();
    },
    onSuccesses: autoDisables.wake,
    now,
    elapsed: deps.elapsed,
    log: plainLog,
  });
  const openChanges = createWakingLoop({
    name: 'changes of accounts',
    async pass(stopping) {
      if (!client.configured()) return null;
      const { found, left } = await claims.settleAll(stopping);
      // An account that was not disabled in the end may be requested again.
      if (found > left) wakeWorkers();
      return left === 0 ? null : OPEN_CHANGES_MS;
    },
    tickMs: OPEN_CHANGES_TICK_MS,
    log: plainLog,
  });
  function wakeWorkers(): void {
    cooldowns.wake();
    confirmations.wake();
    autoDisables.wake();
  }
  const loops = [openChanges, inspection, quotaSnapshotPruner, cooldowns, confirmations, autoDisables];
  return {
    gatewayAccounts,
    inspection: inspection.routes,
    quotaSnapshots: createQuotaSnapshotRoutes(quotaSnapshots),
    quotaCooldowns: createQuotaCooldownRoutes(claims.store),
    accountActions: createAccountActionRoutes(createAccountActions(common)),
    processingPolicy: createProcessingPolicyRoutes(policy),
    onEvents: feed.wake,
    onConnection() {
      openChanges.wake();
      wakeWorkers();
    },
    start() {
      for (const loop of loops) loop.start();
      feed.wake();
    },
    async stop() {
      await feed.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
