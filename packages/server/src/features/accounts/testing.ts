import { accountHistoryResponseSchema } from '@manager/core/contract/accounts/history';
import { accountWindowUsageResponseSchema } from '@manager/core/contract/accounts/window-usage';
import { ACCOUNT_HISTORY_PATH, ACCOUNT_WINDOW_USAGE_PATH } from '@manager/core/contract/constants';
import type { TestDatabase } from '../../facts/testing/test-database.ts';
import { openSite, post, type Site } from '../monitoring/testing/site.ts';
import { accountRoutes } from './routes.ts';

/** By the operation of a vector. */
export const PATHS: Readonly<Record<string, string>> = {
  account_history: ACCOUNT_HISTORY_PATH,
  account_window_usage: ACCOUNT_WINDOW_USAGE_PATH,
};

export function openAccounts(prepare: (database: TestDatabase) => void): Site {
  return openSite((analytics) => accountRoutes({ analytics, now: Date.now }), prepare);
}

/** @throws when the answer is an error or has another shape */
export async function historyOf(site: Site, body: unknown) {
  return accountHistoryResponseSchema.parse((await post(site, ACCOUNT_HISTORY_PATH, body)).body);
}

/** @throws when the answer is an error or has another shape */
export async function usageOf(site: Site, body: unknown) {
  return accountWindowUsageResponseSchema.parse((await post(site, ACCOUNT_WINDOW_USAGE_PATH, body)).body);
}
