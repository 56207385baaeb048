import { answerHeaderSnapshots } from '../../features/accounts/header-snapshots/queries/header-snapshots.ts';
import { answerAccountHistory } from '../../features/accounts/queries/account-history.ts';
import { answerAccountWindowUsage } from '../../features/accounts/queries/account-window-usage.ts';
import { answerDashboard } from '../../features/dashboard/queries/summary.ts';
import { answerAnalytics } from '../../features/monitoring/queries/analytics.ts';
import { usageSummary } from '../../features/prices/queries/usage-summary.ts';

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
