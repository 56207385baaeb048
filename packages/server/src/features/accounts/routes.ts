import {
  ACCOUNT_HISTORY_PATH,
  ACCOUNT_WINDOW_USAGE_PATH,
  HEADER_SNAPSHOTS_PATH,
} from '@manager/core/contract/constants';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonBytes } from '../../http/json.ts';
import { answerJson, type JsonQuestion } from '../../http/json-question.ts';
import { queryParameter } from '../../http/query.ts';
import { type HeaderSnapshotsQuery, parseHeaderSnapshots } from './header-snapshots/request.ts';
import { type AccountHistoryQuery, parseAccountHistory } from './history-request.ts';
import { parseWindowUsage, type WindowUsageQuery } from './window-request.ts';

export interface AccountDeps {
  readonly analytics: {
    readonly accountHistory: JsonQuestion<AccountHistoryQuery>['ask'];
    readonly accountWindowUsage: JsonQuestion<WindowUsageQuery>['ask'];
    /** JSON. */
    headerSnapshots(
      query: HeaderSnapshotsQuery,
      options: { readonly signal: AbortSignal },
    ): Promise<Uint8Array<ArrayBuffer>>;
  };
  readonly now: () => number;
}

/** The usage of accounts, and the newest response headers of each. */
export function accountRoutes({ analytics, now }: AccountDeps): FeatureRoutes {
  const routes: FeatureRoutes = new Hono<ManagerEnv>();
  answerJson(routes, { path: ACCOUNT_HISTORY_PATH, parse: parseAccountHistory, ask: analytics.accountHistory });
  answerJson(routes, { path: ACCOUNT_WINDOW_USAGE_PATH, parse: parseWindowUsage, ask: analytics.accountWindowUsage });
  routes.get(HEADER_SNAPSHOTS_PATH, async (c) => {
    const query = parseHeaderSnapshots((name) => queryParameter(c, name), now());
    return jsonBytes(await analytics.headerSnapshots(query, { signal: c.req.raw.signal }));
  });
  return routes;
}
