import { AppError } from '@manager/core/contract/errors';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { jsonResponse } from '../../../http/json.ts';
import { isDiskFull } from '../../../sqlite/database-problem.ts';
import { type ImportCounts, type Importer, ImportInterrupted, ImportRefused, toImportResult } from './importer.ts';
import { limitBody } from './limit-body.ts';

export interface ImportRoutesDeps {
  readonly importer: Importer;
  readonly log: ImportRoutesLog;
}

export interface ImportRoutesLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Larger files need an import session. */
export const IMPORT_LIMIT_BYTES = 67_108_864;

/** The simple import: the file is the body of one request. */
export function importRoutes(deps: ImportRoutesDeps): FeatureRoutes {
  return new Hono<ManagerEnv>().post('/v0/management/usage/import', async (c) => {
    const request = c.req.raw;
    const body = limitBody(request, IMPORT_LIMIT_BYTES);
    try {
      const counts = await deps.importer.run({ kind: 'stream', body }, { signal: request.signal });
      return jsonResponse(toImportResult(counts));
    } catch (error) {
      return answerFailure(error, deps.log);
    }
  });
}

function answerFailure(error: unknown, log: ImportRoutesLog): Response {
  if (error instanceof ImportRefused) {
    const { added, skipped } = error.counts;
    // Because a part was stored, it is not only an error of the request.
    const status = added + skipped > 0 ? 500 : 400;
    if (status === 500) log.warn({ reason: error.message }, 'import: the payload was rejected after a part was stored');
    const code = status === 400 ? 'import_unusable' : 'import_broken_off';
    return failure(new AppError(code, { message: error.message }), error.counts);
  }
  // The sender has disconnected.
  if (!(error instanceof ImportInterrupted) || error.aborted) throw error;
  if (error.cause instanceof AppError) return failure(error.cause, error.counts);
  log.error({ err: error.cause }, 'import: interrupted');
  return failure(new AppError(isDiskFull(error.cause) ? 'import_disk_full' : 'import_interrupted'), error.counts);
}

/** The plain error body as long as no format is recognized, otherwise with the counts. */
function failure(error: AppError, counts: ImportCounts): Response {
  const { status } = error;
  const body = error.toBody();
  if (counts.format === null) return jsonResponse(body, status);
  const { added, skipped, total, ...about } = toImportResult(counts);
  return jsonResponse({ ...body, ...about, ...(status === 400 ? {} : { added, skipped, total }) }, status);
}
