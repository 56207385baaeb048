/**
 * The slowest files, and folders whose files share a process, the longest first; they start first, so that none is left over at the end. Only an order: unlisted files run
 * after these. `npm test` prints what each file took.
 */
export const LONG_FILES: readonly string[] = [
  'test/e2e/monitoring-requests.test.ts',
  'test/faults/sealing-disk-full.test.ts',
  'test/attacks/bans.test.ts',
  'test/e2e/accounts.test.ts',
  'test/e2e/transfer.test.ts',
  'test/faults/hostile-gateway.test.ts',
  'test/faults/killed-while-collecting.test.ts',
  'test/faults/archive-stages.test.ts',
  'test/e2e/monitoring.test.ts',
  'test/e2e/gateway.test.ts',
  'test/e2e/logs.test.ts',
  'test/e2e/provider-sign-in.test.ts',
  'test/e2e/analytics.test.ts',
  'test/e2e/inspection.test.ts',
  'test/faults/account-automation-kills.test.ts',
  'test/faults/import-sessions.test.ts',
  'test/faults/offline-commands.test.ts',
  'test/faults/disk-full.test.ts',
  'test/faults/power-loss.test.ts',
  'test/faults/schema-upgrade.test.ts',
  'test/faults/archive-runs.test.ts',
  'test/accounts/claims.test.ts',
  'test/accounts/account-actions.test.ts',
  'test/faults/flooding-gateway.test.ts',
  'test/e2e/panel.test.ts',
  'test/e2e/account-actions.test.ts',
  'test/e2e/archives.test.ts',
  'test/e2e/system.test.ts',
  'test/e2e/providers.test.ts',
  'test/e2e/settings.test.ts',
  'test/e2e/panel-parts.test.ts',
  'test/e2e/dashboard.test.ts',
  'test/e2e/same-numbers.test.ts',
  'test/e2e/prices.test.ts',
  'packages/server/src/app/commands/import-damaged.test.ts',
  'packages/server/src/workers/store.test.ts',
  'packages/server/src/features/transfer/import/imports.test.ts',
  'packages/server/src/features/collector/transports.test.ts',
  'packages/server/src/features/monitoring/',
  'packages/server/src/features/prices/',
  'packages/server/src/features/inspection/',
  'packages/server/src/gateway/',
  'test/history/history.test.ts',
];

/** Files that mostly wait for real time, the longest first: two of them at once, beside the queue, because they hardly need a core. */
export const WAITING_FILES: readonly string[] = [
  'packages/server/src/features/collector/second-consumer.test.ts',
  'test/faults/second-consumer.test.ts',
  'packages/server/src/features/collector/wire-faults.test.ts',
  'test/faults/unfinished-requests.test.ts',
  'test/faults/killed-while-draining.test.ts',
  'test/faults/callers-without-key.test.ts',
  'test/accounts/quota-cooldowns.test.ts',
  'test/faults/held-decisions.test.ts',
  'test/accounts/confirmations.test.ts',
  'test/accounts/cooldown-clock.test.ts',
  'test/faults/wrong-clock.test.ts',
  'test/faults/checkpoint-disk-full.test.ts',
  'test/accounts/decisions.test.ts',
  'test/conformance/connections.test.ts',
];

/** Files that measure the product's speed: they run at the end, two at once, so that each has a core of the smallest machine. */
export const MEASURING_FILES: readonly string[] = [
  'test/faults/large-import.test.ts',
  'test/faults/slow-export.test.ts',
  'test/accounts/inspection.test.ts',
];
