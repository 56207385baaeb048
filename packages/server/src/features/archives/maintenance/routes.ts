import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { jsonResponse } from '../../../http/json.ts';
import type { MaintenanceService } from './service.ts';

/** HEAD, by which a panel finds out whether there are archives, is answered by the router. */
export function createMaintenanceRoutes(service: MaintenanceService): FeatureRoutes {
  return new Hono<ManagerEnv>().get('/v0/management/usage/maintenance', async () => jsonResponse(await service.read()));
}
