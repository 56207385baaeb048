import type { PriceBook } from '@manager/core/pricing/price-book';
import type { UsageEvent } from '@manager/core/usage/event';
import { answerDashboard } from '../features/dashboard/queries/summary.ts';
import { answerAccountHistory } from '../features/monitoring/accounts/queries/account-history.ts';
import { answerAccountWindowUsage } from '../features/monitoring/accounts/queries/account-window-usage.ts';
import { answerHeaderSnapshots } from '../features/monitoring/header-snapshots/queries/header-snapshots.ts';
import { answerAnalytics } from '../features/monitoring/queries/analytics.ts';
import { usageSummary } from '../features/prices/queries/usage-summary.ts';
import type { FactReader } from './reader.ts';

/** What a question to the analytics worker gets. */
export interface AnalyticsContext {
  readonly facts: FactReader;
  /** Unpacks the detail of a raw event; its original item only when asked to, which takes longer. */
  readonly decode: (detail: Uint8Array, withRaw?: boolean) => UsageEvent;
  /** The current prices; inside the read transaction of a request, so that one answer has one set of prices. */
  readonly prices: () => { readonly revision: number; readonly book: PriceBook };
  /**
   * Events that a scan would have to read at least before sums are taken from the hourly core instead; absent = never.
   * What is kept of earlier scans answers faster than it, and short ranges are scanned at once.
   */
  readonly hourlyCoreFromEvents?: number | undefined;
  readonly now: () => number;
  /** Throws once nobody waits for the answer; call it between chunks and batches. */
  readonly checkStopped: () => void;
}

/** Every question the analytics worker answers. */
export const ANALYTICS_OPERATIONS = {
  analytics: answerAnalytics,
  dashboard: answerDashboard,
  accountHistory: answerAccountHistory,
  accountWindowUsage: answerAccountWindowUsage,
  headerSnapshots: answerHeaderSnapshots,
  usageSummary,
} as const;

export type AnalyticsOperations = typeof ANALYTICS_OPERATIONS;
