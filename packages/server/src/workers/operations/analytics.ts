import type { AnalyticsContext } from '../../facts/context.ts';
import { withinSnapshot } from '../../facts/reader.ts';
import { answerHeaderSnapshots } from '../../features/accounts/header-snapshots/queries/header-snapshots.ts';
import { answerAccountHistory } from '../../features/accounts/queries/account-history.ts';
import { answerAccountWindowUsage } from '../../features/accounts/queries/account-window-usage.ts';
import { answerBudgetSpent } from '../../features/budgets/queries/budget-spent.ts';
import { answerBudgetUse } from '../../features/budgets/queries/budget-use.ts';
import { answerDashboard } from '../../features/dashboard/queries/summary.ts';
import { requestExportPage, startRequestExport } from '../../features/monitoring/export/queries/request-pages.ts';
import { answerAnalytics } from '../../features/monitoring/queries/analytics.ts';
import type { AnalyticsInput } from '../../features/monitoring/request.ts';
import { usageSummary } from '../../features/prices/queries/usage-summary.ts';
import { answerViewer } from '../../features/viewer-links/answer.ts';
import type { ViewerQuestion } from '../../features/viewer-links/question.ts';
import { entityTag, type TaggedPieces } from '../../http/entity-tag.ts';
import { Transfer } from '../../sqlite/worker/transfer.ts';

/** Every operation of the analytics worker. */
export const ANALYTICS_OPERATIONS = {
  analytics,
  viewerAnalytics,
  dashboard: answerDashboard,
  accountHistory: answerAccountHistory,
  accountWindowUsage: answerAccountWindowUsage,
  headerSnapshots: answerHeaderSnapshots,
  budgetUse: answerBudgetUse,
  budgetSpent: answerBudgetSpent,
  usageSummary,
  startRequestExport,
  requestExportPage,
} as const;

export type AnalyticsOperations = typeof ANALYTICS_OPERATIONS;

/** With its tag: hashing a long body would block the main thread. */
function analytics(context: AnalyticsContext, input: AnalyticsInput): Transfer<TaggedPieces> {
  const pieces = answerAnalytics(context, input);
  return new Transfer(
    { pieces, tag: entityTag(pieces) },
    pieces.map(({ buffer }) => buffer),
  );
}

/** The usual answer to a question that the link of the viewer limits, reduced to what a viewer may see. */
function viewerAnalytics(context: AnalyticsContext, question: ViewerQuestion): Transfer<TaggedPieces> {
  // Sums and the cost of each request with the same prices.
  const answer = context.facts.read((snapshot) => {
    const within = { ...context, facts: withinSnapshot(snapshot) };
    return answerViewer(question, context.prices().book, (body) => answerAnalytics(within, { body }));
  });
  return new Transfer({ pieces: [answer], tag: entityTag([answer]) }, [answer.buffer]);
}
