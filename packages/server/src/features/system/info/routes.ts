import { type HealthResponse, SERVICE_NAME } from '@manager/core/contract/system/info';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { jsonResponse } from '../../../http/json.ts';
import type { InfoService } from './service.ts';

export function createInfoRoutes(service: InfoService): FeatureRoutes {
  const health: HealthResponse = { ok: true, service: SERVICE_NAME };
  return new Hono<ManagerEnv>()
    .get('/health', () => jsonResponse(health))
    .get('/usage-service/info', () => jsonResponse(service.info()));
}
