import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { jsonResponse } from '../../../http/json.ts';
import { queryParameter } from '../../../http/query.ts';
import type { StatusService } from './service.ts';

export function createStatusRoutes(service: StatusService): FeatureRoutes {
  return new Hono<ManagerEnv>().get('/status', async (c) =>
    jsonResponse(
      queryParameter(c, 'scope') === 'database-maintenance'
        ? await service.maintenanceStatus()
        : await service.status(),
    ),
  );
}
