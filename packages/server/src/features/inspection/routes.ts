import { inspectionRunLimit } from '@manager/core/contract/inspection/runs';
import { type Context, Hono } from 'hono';
import { readBody } from '../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonBytes, jsonResponse } from '../../http/json.ts';
import { ACTIONS_LIMIT_BYTES, readActionsRequest, requireRunId } from './request.ts';
import type { InspectionService, RunDetail } from './service.ts';

/** The first name is the older one, for existing clients. */
const PREFIXES = ['/v0/management/codex-inspection', '/v0/management/account-inspection'];

export function createInspectionRoutes(service: InspectionService): FeatureRoutes {
  const routes = new Hono<ManagerEnv>();
  for (const prefix of PREFIXES) {
    routes
      .post(`${prefix}/run`, async () => {
        service.requireConfigured();
        return detailAnswer(await service.start());
      })
      .get(`${prefix}/runs`, async (c) => {
        service.requireConfigured();
        return jsonResponse({ items: await service.list(inspectionRunLimit(queryOf(c).get('limit'))) });
      })
      .get(`${prefix}/runs/:id`, async (c) => {
        service.requireConfigured();
        return detailAnswer(await service.get(requireRunId(c.req.param('id'))));
      })
      .post(`${prefix}/runs/:id/cancel`, async (c) => {
        service.requireConfigured();
        return detailAnswer(await service.cancel(requireRunId(c.req.param('id'))));
      })
      .post(`${prefix}/runs/:id/actions`, async (c) => {
        const body = await readBody(c.req.raw, ACTIONS_LIMIT_BYTES);
        const { outcomes, detail } = await service.act(c.req.param('id'), () => readActionsRequest(body));
        return jsonBytes(joined(`{"outcomes":${JSON.stringify(outcomes)},"detail":`, detailParts(detail), '}'));
      });
  }
  return routes;
}

function detailAnswer(detail: RunDetail): Response {
  return jsonBytes(joined(detailParts(detail)));
}

/** The results are already JSON text. */
function detailParts({ run, rest }: RunDetail): Blob {
  return joined(`{"run":${JSON.stringify(run)},`, rest, '}');
}

function joined(...parts: (string | Uint8Array<ArrayBuffer> | Blob)[]): Blob {
  return new Blob(parts);
}

function queryOf(c: Context<ManagerEnv>): URLSearchParams {
  const { url } = c.req.raw;
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
