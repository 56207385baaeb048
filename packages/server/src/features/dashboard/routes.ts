import { DASHBOARD_PATH } from '@manager/core/contract/constants';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonBytes } from '../../http/json.ts';
import { queryParameter } from '../../http/query.ts';
import { type DashboardQuery, parseDashboardQuery } from './request.ts';

export interface DashboardDeps {
  readonly analytics: {
    /** JSON. */
    dashboard(query: DashboardQuery, options: { readonly signal: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>;
  };
  readonly now: () => number;
}

/** One day of the gateway. */
export function dashboardRoutes(deps: DashboardDeps): FeatureRoutes {
  return new Hono<ManagerEnv>().get(DASHBOARD_PATH, async (c) => {
    const query = parseDashboardQuery((name) => queryParameter(c, name), deps.now());
    return jsonBytes(await deps.analytics.dashboard(query, { signal: c.req.raw.signal }));
  });
}
