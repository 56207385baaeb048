import type { AnalyticsInclude } from '@manager/core/contract/monitoring/analytics';

/** Of the indices and sources of a client key: a row without a key is named by the first ones. */
export const FIRST_IDENTITY: AnalyticsInclude = { identities_limit: 1 };

/** Client keys with their models; requests without a key are one row. Sums by key and account take much longer. */
export const WITHOUT_ACCOUNTS: AnalyticsInclude = { contexts_limit: 0, identities_limit: 0 };
/** Rows without their models and accounts, which are most of an answer where many keys use many accounts. */
export const WITHOUT_PARTS: AnalyticsInclude = { models_limit: 0, ...WITHOUT_ACCOUNTS };
/** Client keys with as many models and accounts as can be looked through. */
export const MOST_PARTS: AnalyticsInclude = { models_limit: 20, contexts_limit: 20, ...FIRST_IDENTITY };

/** Rows with all their models and accounts. */
export const wholeRows = (ids: readonly string[]): AnalyticsInclude => ({ row_ids: [...ids] });
