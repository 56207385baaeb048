import { NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import { notificationSettingsSchema, targetRequestSchema } from '@manager/core/contract/notifications/targets';
import { Hono } from 'hono';
import { readJson } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { NotificationService } from './service.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const TARGETS = `${NOTIFICATIONS_PATH}/targets`;

export function notificationRoutes(service: NotificationService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(NOTIFICATIONS_PATH, async () => jsonResponse(await service.list()))
    .get(`${NOTIFICATIONS_PATH}/log`, async () => jsonResponse(await service.log()))
    .put(`${NOTIFICATIONS_PATH}/settings`, async (c) => {
      const settings = await readJson(c.req.raw, notificationSettingsSchema, BODY_LIMIT_BYTES);
      return jsonResponse(await service.changeSettings(settings));
    })
    .post(TARGETS, async (c) =>
      jsonResponse(await service.add(await readJson(c.req.raw, targetRequestSchema, BODY_LIMIT_BYTES)), 201),
    )
    .put(`${TARGETS}/:id`, async (c) => {
      const request = await readJson(c.req.raw, targetRequestSchema, BODY_LIMIT_BYTES);
      return jsonResponse(await service.change(c.req.param('id'), request));
    })
    .delete(`${TARGETS}/:id`, async (c) => {
      await service.remove(c.req.param('id'));
      return jsonResponse({ ok: true });
    })
    .post(`${TARGETS}/:id/test`, async (c) => jsonResponse(await service.test(c.req.param('id'))));
}
