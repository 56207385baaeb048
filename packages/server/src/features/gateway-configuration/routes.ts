import { CONFIGURATION_VERSIONS_PATH } from '@manager/core/contract/constants';
import { AppError } from '@manager/core/contract/errors';
import { Hono } from 'hono';
import { readBody } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { ConfigurationHistory } from './service.ts';

/** Far above any configuration. */
const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

export function configurationHistoryRoutes(history: ConfigurationHistory): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(CONFIGURATION_VERSIONS_PATH, async () => jsonResponse(await history.list()))
    .post(CONFIGURATION_VERSIONS_PATH, async (c) => {
      const origin = c.req.query('origin');
      if (origin !== 'seen' && origin !== 'saved')
        throw new AppError('invalid_request', { message: 'origin: seen or saved expected' });
      return jsonResponse(await history.keep(await readBody(c.req.raw, BODY_LIMIT_BYTES), origin === 'saved'));
    })
    .delete(CONFIGURATION_VERSIONS_PATH, async () => {
      await history.removeAll();
      return jsonResponse({ ok: true });
    })
    .get(`${CONFIGURATION_VERSIONS_PATH}/:id`, async (c) => {
      const id = c.req.param('id');
      if (!/^[1-9]\d{0,14}$/.test(id)) throw new AppError('configuration_version_not_found');
      return jsonResponse(await history.text(Number(id)));
    });
}
