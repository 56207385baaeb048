import { ACCOUNT_HISTORY_PATH } from '@manager/core/contract/account-history';
import { ACCOUNT_WINDOW_USAGE_PATH } from '@manager/core/contract/account-window-usage';
import { HEADER_SNAPSHOTS_PATH } from '@manager/core/contract/header-snapshots';
import { ANALYTICS_PATH } from '@manager/core/contract/monitoring';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonBytes } from '../../http/json.ts';
import { answerJson } from '../../http/json-question.ts';
import { queryParameter } from '../../http/query.ts';
import type { AnalyticsClient } from '../../workers/analytics-client.ts';
import { parseHeaderSnapshots } from '../accounts/header-snapshots/request.ts';
import { parseAccountHistory } from '../accounts/history-request.ts';
import { parseWindowUsage } from '../accounts/window-request.ts';
import { parseAnalyticsRequest } from './request.ts';

export interface MonitoringDeps {
  readonly analytics: Pick<AnalyticsClient, 'analytics' | 'accountHistory' | 'accountWindowUsage' | 'headerSnapshots'>;
  readonly now: () => number;
}

/** Request monitoring, usage analytics and usage of accounts. */
export function monitoringRoutes({ analytics, now }: MonitoringDeps): FeatureRoutes {
  const routes: FeatureRoutes = new Hono<ManagerEnv>();
  answerJson(routes, { path: ANALYTICS_PATH, parse: parseAnalyticsRequest, ask: analytics.analytics });
  answerJson(routes, { path: ACCOUNT_HISTORY_PATH, parse: parseAccountHistory, ask: analytics.accountHistory });
  answerJson(routes, { path: ACCOUNT_WINDOW_USAGE_PATH, parse: parseWindowUsage, ask: analytics.accountWindowUsage });
  routes.get(HEADER_SNAPSHOTS_PATH, async (c) => {
    const query = parseHeaderSnapshots((name) => queryParameter(c, name), now());
    return jsonBytes(await analytics.headerSnapshots(query, { signal: c.req.raw.signal }));
  });
  return routes;
}
