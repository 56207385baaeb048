import type { AnalyticsInclude } from '@manager/core/contract/monitoring/analytics';

/** Rows without their models and accounts, which are most of an answer where many keys use many accounts. */
export const WITHOUT_PARTS: AnalyticsInclude = { models_limit: 0, contexts_limit: 0 };

/** One row with all its models and accounts. */
export const wholeRow = (id: string): AnalyticsInclude => ({ row_ids: [id] });
