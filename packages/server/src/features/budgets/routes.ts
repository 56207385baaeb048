import { budgetsRequestSchema } from '@manager/core/contract/budgets';
import { BUDGETS_PATH } from '@manager/core/contract/constants';
import { Hono } from 'hono';
import { readJson } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { BudgetService } from './service.ts';

const BODY_LIMIT_BYTES = 256 * 1024;

export function budgetRoutes(service: BudgetService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(BUDGETS_PATH, async () => jsonResponse(await service.list()))
    .put(BUDGETS_PATH, async (c) =>
      jsonResponse(await service.replace(await readJson(c.req.raw, budgetsRequestSchema, BODY_LIMIT_BYTES))),
    );
}
