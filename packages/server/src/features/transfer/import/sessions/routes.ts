import { AppError } from '@manager/core/contract/errors';
import {
  IMPORT_PREFIX_HEADER,
  IMPORT_SESSIONS_PATH,
  type ImportSessionResponse,
  importSessionCreateRequestSchema,
  importSessionValidateRequestSchema,
} from '@manager/core/contract/transfer/import-sessions';
import { Hono } from 'hono';
import type { z } from 'zod';
import { readJson } from '../../../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../../../http/environment.ts';
import { jsonResponse } from '../../../../http/json.ts';
import { queryParameter } from '../../../../http/query.ts';
import { parseDecimal } from '../../../../platform/config/values.ts';
import type { ChunkRequest } from './chunk.ts';
import type { ImportSessions } from './service.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const SESSION_PATH = `${IMPORT_SESSIONS_PATH}/:id`;

export function createImportSessionRoutes(sessions: ImportSessions): FeatureRoutes {
  return new Hono<ManagerEnv>()
    .post(IMPORT_SESSIONS_PATH, async (c) =>
      jsonResponse(await sessions.create(await readRequest(c.req.raw, importSessionCreateRequestSchema)), 201),
    )
    .get(IMPORT_SESSIONS_PATH, async (c) => {
      const [status, limit, cursor] = ['status', 'limit', 'cursor'].map((name) => queryParameter(c, name));
      return jsonResponse(await sessions.list({ status, limit, cursor }));
    })
    .get(SESSION_PATH, async (c) => jsonResponse(await sessions.read(c.req.param('id'))))
    .put(`${SESSION_PATH}/chunk`, async (c) => {
      const chunk = chunkOf(c.req.raw, queryParameter(c, 'offset'));
      return jsonResponse(await sessions.receive(c.req.param('id'), chunk));
    })
    .post(`${SESSION_PATH}/validate`, async (c) => {
      const { prefix_sha256 } = await readRequest(c.req.raw, importSessionValidateRequestSchema);
      return jsonResponse(await sessions.validate(c.req.param('id'), prefix_sha256));
    })
    .post(`${SESSION_PATH}/complete`, async (c) => inProgress(await sessions.complete(c.req.param('id'))))
    .delete(SESSION_PATH, async (c) => inProgress(await sessions.cancel(c.req.param('id'))));
}

/** 202 while the server works on it. */
function inProgress(session: ImportSessionResponse): Response {
  return jsonResponse(session, session.status === 'processing' ? 202 : 200);
}

function chunkOf(request: Request, offsetText: string | undefined): ChunkRequest {
  const offset = parseDecimal(offsetText ?? '');
  if (offset === null || offset < 0) throw new AppError('import_chunk_offset_invalid');
  const length = request.headers.get('content-length');
  return {
    offset,
    prefixSha256: request.headers.get(IMPORT_PREFIX_HEADER),
    contentLength: length === null ? null : parseDecimal(length),
    body: request.body,
    signal: request.signal,
  };
}

/** A body that is too large is an invalid request too. */
async function readRequest<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  try {
    return await readJson(request, schema, BODY_LIMIT_BYTES);
  } catch (error) {
    if (error instanceof AppError && error.code === 'body_too_large')
      throw new AppError('invalid_request', { message: error.message });
    throw error;
  }
}
