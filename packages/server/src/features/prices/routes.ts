import { MODEL_PRICES_PATH } from '@manager/core/contract/prices';
import { Hono } from 'hono';
import { readBody } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonBytes, jsonResponse } from '../../http/json.ts';
import type { PriceService } from './service.ts';

/** Some ten thousand prices with their catalogue entries. */
const PRICES_LIMIT_BYTES = 32 * 1024 * 1024;
const SYNC_LIMIT_BYTES = 4 * 1024 * 1024;

export function createPriceRoutes(service: PriceService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(MODEL_PRICES_PATH, async () => jsonBytes(await service.list()))
    .put(MODEL_PRICES_PATH, async (c) =>
      jsonBytes(await service.replace(await readBody(c.req.raw, PRICES_LIMIT_BYTES))),
    )
    .get(`${MODEL_PRICES_PATH}/usage-summary`, async (c) => jsonResponse(await service.usageSummary(c.req.raw.signal)))
    .post(`${MODEL_PRICES_PATH}/sync`, async (c) =>
      jsonBytes(await service.sync(await readBody(c.req.raw, SYNC_LIMIT_BYTES), c.req.raw.signal)),
    );
}
