import { aliasesPutRequestSchema } from '@manager/core/contract/client-keys';
import { Hono } from 'hono';
import { readJson } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { AliasService } from './service.ts';

/** Some thousand aliases and the hashes of all keys in use. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
const PATH = '/v0/management/api-key-aliases';

export function createAliasRoutes(service: AliasService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(PATH, async () => jsonResponse(await service.list()))
    .put(PATH, async (c) =>
      jsonResponse(await service.put(await readJson(c.req.raw, aliasesPutRequestSchema, BODY_LIMIT_BYTES))),
    )
    .delete(`${PATH}/:hash`, async (c) => {
      await service.remove(c.req.param('hash'));
      return jsonResponse({ ok: true });
    });
}
