import { QUOTA_SNAPSHOTS_PATH, QUOTA_SNAPSHOTS_QUERY_PATH } from '@manager/core/contract/constants';
import { Hono } from 'hono';
import { readBody } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonBytes, jsonResponse } from '../../http/json.ts';
import type { QuotaSnapshotService } from './service.ts';

/** 400 windows, each with some kilobytes of model names. */
const WRITE_LIMIT_BYTES = 4 * 1024 * 1024;
/** 200 accounts with all their names. */
const QUERY_LIMIT_BYTES = 512 * 1024;

export function createQuotaSnapshotRoutes(service: QuotaSnapshotService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .post(QUOTA_SNAPSHOTS_PATH, async (c) =>
      jsonResponse(await service.write(await readBody(c.req.raw, WRITE_LIMIT_BYTES))),
    )
    .post(QUOTA_SNAPSHOTS_QUERY_PATH, async (c) =>
      jsonBytes(await service.query(await readBody(c.req.raw, QUERY_LIMIT_BYTES))),
    );
}
