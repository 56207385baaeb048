import { configPutRequestSchema } from '@manager/core/contract/settings/config';
import { type SetupRequest, setupRequestSchema } from '@manager/core/contract/setup';
import { Hono } from 'hono';
import type { Authenticator } from '../../http/auth.ts';
import { readJson } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { SetupService } from './service.ts';

const SETUP_LIMIT_BYTES = 64 * 1024;
const CONFIG_LIMIT_BYTES = 256 * 1024;

export function createSetupRoutes(service: SetupService, authenticator: Authenticator): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .post('/setup', async (c) => {
      const { request, problem } = await readSetup(c.req.raw);
      // The key may be in the body; without a valid key, errors in the body are not reported.
      await authenticator.authorizeSetup(c.req.raw, request?.adminKey ?? '', c.get('caller'));
      if (request === null) throw problem;
      return jsonResponse(await service.setup(request));
    })
    .post('/setup/check', async (c) => {
      const request = await readJson(c.req.raw, setupRequestSchema, SETUP_LIMIT_BYTES);
      return jsonResponse(await service.checkSetup(request, c.req.raw.signal));
    })
    .get('/usage-service/config', async () => jsonResponse(await service.readConfig()))
    .put('/usage-service/config', async (c) =>
      jsonResponse(await service.saveConfig(await readJson(c.req.raw, configPutRequestSchema, CONFIG_LIMIT_BYTES))),
    );
}

async function readSetup(request: Request): Promise<{ request: SetupRequest | null; problem?: unknown }> {
  try {
    return { request: await readJson(request, setupRequestSchema, SETUP_LIMIT_BYTES) };
  } catch (problem) {
    return { request: null, problem };
  }
}
