import { ANALYTICS_PATH } from '@manager/core/contract/monitoring/analytics';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { answerJson, type JsonQuestion } from '../../http/json-question.ts';
import { type AnalyticsQuery, parseAnalyticsRequest } from './request.ts';

export interface MonitoringDeps {
  readonly analytics: { readonly analytics: JsonQuestion<AnalyticsQuery>['ask'] };
}

/** Request monitoring and usage analytics. */
export function monitoringRoutes({ analytics }: MonitoringDeps): FeatureRoutes {
  const routes: FeatureRoutes = new Hono<ManagerEnv>();
  answerJson(routes, { path: ANALYTICS_PATH, parse: parseAnalyticsRequest, ask: analytics.analytics });
  return routes;
}
