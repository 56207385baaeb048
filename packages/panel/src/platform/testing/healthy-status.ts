import type { CollectorStatusResponse, StatusResponse } from '@manager/core/contract/system/status';

export const NOW = 1_770_000_000_000;

/** `/status` of a manager without problems. */
export const healthy: StatusResponse = {
  service: 'cpa-manager-plus',
  version: '0.1.0',
  configured: true,
  dbPath: '/data/usage.sqlite',
  events: 1,
  eventCount: 1,
  deadLetters: 0,
  implausibleTimestamps: 0,
  lastConsumedAt: NOW,
  lastInsertedAt: NOW,
  collector: {
    collector: 'running',
    upstream: 'http://gateway:8317',
    mode: 'auto',
    transport: 'subscribe',
    queue: 'usage',
    lastConsumedAt: NOW,
    lastInsertedAt: NOW,
    totalInserted: 1,
    totalSkipped: 0,
    deadLetters: 0,
    totalRepaired: 0,
    lastError: '',
    starved: false,
    gaps: { count: 0, open: [] },
    spooledRecords: 0,
  },
  dataMigration: {
    name: 'usage_cache_accounting_v2',
    status: 'completed',
    lastEventId: 0,
    targetEventId: 0,
    processedRows: 0,
    changedRows: 0,
    appliedRows: 0,
    updatedAtMs: NOW,
  },
  databaseMaintenance: { required: false, performanceDegraded: false, deferredIndexes: 0, offlineJobs: 0, reasons: [] },
};

export const withCollector = (change: Partial<CollectorStatusResponse>): StatusResponse => ({
  ...healthy,
  collector: { ...healthy.collector, ...change },
});
