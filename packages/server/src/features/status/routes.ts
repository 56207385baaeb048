import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { StatusService } from './service.ts';

export function createStatusRoutes(service: StatusService): FeatureRoutes {
  return new Hono<ManagerEnv>().get('/status', async (c) =>
    jsonResponse(
      c.req.query('scope') === 'database-maintenance' ? await service.maintenanceStatus() : await service.status(),
    ),
  );
}
