import { PROCESSING_POLICY_PATH } from '@manager/core/contract/constants';
import { Hono } from 'hono';
import * as z from 'zod';
import { readJson } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { ProcessingPolicy } from './service.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

export function createProcessingPolicyRoutes(policy: ProcessingPolicy): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(PROCESSING_POLICY_PATH, async () => jsonResponse(await policy.get()))
    .patch(PROCESSING_POLICY_PATH, async (c) =>
      jsonResponse(await policy.patch(await readJson(c.req.raw, z.record(z.string(), z.unknown()), BODY_LIMIT_BYTES))),
    );
}
