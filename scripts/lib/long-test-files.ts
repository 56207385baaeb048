/**
 * Files that take longest alone, the longest first; they start first, so that none is left over at the end. Only an order: a
 * file that is not listed runs after these.
 */
export const LONG_FILES: readonly string[] = [
  'accounts/quota-cooldowns.test.ts',
  'faults/killed-while-collecting.test.ts',
  'faults/archive-stages.test.ts',
  'faults/account-automation-kills.test.ts',
  'faults/import-sessions.test.ts',
  'accounts/cooldown-clock.test.ts',
  'e2e/imports.test.ts',
  'e2e/monitoring-requests.test.ts',
  'e2e/accounts.test.ts',
  'faults/offline-commands.test.ts',
  'faults/disk-full.test.ts',
  'faults/power-loss.test.ts',
  'faults/schema-upgrade.test.ts',
  'accounts/decisions.test.ts',
  'faults/archive-runs.test.ts',
  'accounts/claims.test.ts',
  'accounts/account-actions.test.ts',
  'e2e/analytics.test.ts',
  'e2e/monitoring.test.ts',
  'collector/wire-faults.test.ts',
  'e2e/panel.test.ts',
  'e2e/account-actions.test.ts',
  'e2e/gateway.test.ts',
  'e2e/archives.test.ts',
  'e2e/system.test.ts',
  'e2e/settings.test.ts',
  'e2e/health.test.ts',
  'e2e/panel-parts.test.ts',
  'e2e/dashboard.test.ts',
  'e2e/same-numbers.test.ts',
  'e2e/model-prices.test.ts',
  'workers/store.test.ts',
  'import/imports.test.ts',
  'collector/transports.test.ts',
];

/** Files that judge how fast the product answers: they run at the end, one after the other and beside nothing else. */
export const ALONE_FILES: readonly string[] = [
  'accounts/inspection.test.ts',
  'faults/large-import.test.ts',
  'faults/slow-export.test.ts',
];
