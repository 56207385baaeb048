import { archiveRetentionPatchSchema } from '@manager/core/contract/archives/retention';
import { RETENTION_PATH } from '@manager/core/contract/constants';
import { Hono } from 'hono';
import { readJson } from '../../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { jsonResponse } from '../../../http/json.ts';
import type { RetentionSettings } from '../retention-settings.ts';
import type { MaintenanceService } from './service.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

/** The router answers HEAD, by which a panel detects archives. */
export function createMaintenanceRoutes(service: MaintenanceService, retention: RetentionSettings): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get('/v0/management/usage/maintenance', async () => jsonResponse(await service.read()))
    .get(RETENTION_PATH, async () => jsonResponse(await retention.get()))
    .patch(RETENTION_PATH, async (c) =>
      jsonResponse(await retention.patch(await readJson(c.req.raw, archiveRetentionPatchSchema, BODY_LIMIT_BYTES))),
    );
}
