import { ARCHIVE_ACTIONS } from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import { type Context, Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import {
  readCreate,
  readCutoff,
  readExpectedStage,
  readListQuery,
  readWait,
  requireNoBody,
  requireRunId,
} from './request.ts';
import type { ArchiveService } from './service.ts';

const PATH = '/v0/management/usage/archives';
/** Shortest poll interval for runs, in seconds. */
const RETRY_AFTER = '2';

export function createArchiveRoutes(service: ArchiveService): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .use('*', async (_c, next) => {
      await service.requireAvailable();
      await next();
    })
    .post(`${PATH}/preview`, async (c) => jsonResponse(await service.preview(await readCutoff(c.req.raw))))
    .post(PATH, async (c) => {
      const { cutoffMs, ...options } = await readCreate(c.req.raw);
      return jsonResponse(await service.create('manual', cutoffMs, options), 201);
    })
    .get(PATH, async (c) => jsonResponse(await service.list(readListQuery(queryOf(c)))))
    .get(`${PATH}/:id{(?!preview$)[^/]+}`, async (c) =>
      jsonResponse(await service.get(requireRunId(c.req.param('id')))),
    )
    .post(`${PATH}/:id/:action{${ARCHIVE_ACTIONS.join('|')}}`, (c) =>
      act(service, c, c.req.param('id'), c.req.param('action')),
    );
}

async function act(service: ArchiveService, c: Context<ManagerEnv>, id: string, name: string): Promise<Response> {
  const runId = requireRunId(id);
  const action = ARCHIVE_ACTIONS.find((known) => known === name);
  if (action === undefined) throw new AppError('path_not_found');
  const query = queryOf(c);
  const wait = readWait(query);
  const expectedStage = action === 'resume' ? readExpectedStage(query) : null;
  await requireNoBody(c.req.raw);
  if (action === 'hold') return jsonResponse(await service.hold(runId));
  if (action === 'cancel') return jsonResponse(await service.cancel(runId));
  const { queued, ...answer } = await service.act({ runId, action, expectedStage, wait });
  if (!queued) return jsonResponse(answer);
  return jsonResponse(answer, 202, { Location: `${PATH}/${runId}`, 'Retry-After': RETRY_AFTER });
}

function queryOf(c: Context<ManagerEnv>): URLSearchParams {
  const { url } = c.req.raw;
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
