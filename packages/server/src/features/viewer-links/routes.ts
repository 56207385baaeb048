import { AppError } from '@manager/core/contract/errors';
import { viewerLinkRequestSchema } from '@manager/core/contract/viewer-links/links';
import { viewerAnalyticsRequestSchema } from '@manager/core/contract/viewer-links/viewer';
import { VIEWER_ANALYTICS_PATH, VIEWER_LINKS_PATH, VIEWER_PATH } from '@manager/core/contract/viewer-links/words';
import { type Context, Hono } from 'hono';
import type { Viewer } from '../../http/auth.ts';
import { readJson } from '../../http/body.ts';
import { taggedJson } from '../../http/entity-tag.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { ViewerLinkService } from './service.ts';

const BODY_LIMIT_BYTES = 128 * 1024;

/** For the operator. */
export function viewerLinkRoutes(service: ViewerLinkService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(VIEWER_LINKS_PATH, async () => jsonResponse(await service.list()))
    .post(VIEWER_LINKS_PATH, async (c) => {
      const request = await readJson(c.req.raw, viewerLinkRequestSchema, BODY_LIMIT_BYTES);
      return jsonResponse(await service.create(request), 201);
    })
    .delete(`${VIEWER_LINKS_PATH}/:id`, async (c) => {
      await service.revoke(c.req.param('id'));
      return jsonResponse({ ok: true });
    });
}

/** For the holder of a link. */
export function viewerRoutes(service: ViewerLinkService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .get(VIEWER_PATH, async (c) => jsonResponse(await service.describe(viewerOf(c))))
    .post(VIEWER_ANALYTICS_PATH, async (c) => {
      const viewer = viewerOf(c);
      const request = await readJson(c.req.raw, viewerAnalyticsRequestSchema, BODY_LIMIT_BYTES);
      const answer = await service.ask(viewer, request, c.req.raw.signal);
      return taggedJson(answer, c.req.header('If-None-Match'));
    });
}

/** The router lets nobody else pass; a mistake there must not open everything. */
function viewerOf(c: Context<ManagerEnv>): Viewer {
  const viewer = c.get('viewer');
  if (viewer === null) throw new AppError('viewer_token_required');
  return viewer;
}
