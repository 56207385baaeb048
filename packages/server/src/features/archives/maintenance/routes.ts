import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { jsonResponse } from '../../../http/json.ts';
import type { MaintenanceService } from './service.ts';

/** The router answers HEAD, by which a panel detects archives. */
export function createMaintenanceRoutes(service: MaintenanceService): FeatureRoutes {
  return new Hono<ManagerEnv>().get('/v0/management/usage/maintenance', async () => jsonResponse(await service.read()));
}
