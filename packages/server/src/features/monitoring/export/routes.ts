import {
  EXPORT_DELETED_HEADER,
  EXPORT_ROWS_HEADER,
  EXPORT_TYPES,
  REQUEST_EXPORT_PATH,
} from '@manager/core/contract/constants';
import { requestExportSchema } from '@manager/core/contract/monitoring/request-export';
import { Hono } from 'hono';
import { readJson } from '../../../http/body.ts';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { type ExportSlots, enterExport } from '../../../http/export-slots.ts';
import { type StreamDeps, streamPages } from '../../../http/stream-pages.ts';
import { checkExport } from './request.ts';
import { type RequestPages, requestFile } from './request-file.ts';

export interface RequestExportDeps extends StreamDeps {
  readonly pages: RequestPages;
  /** Shared with the deletion of archived events. */
  readonly exports: ExportSlots;
}

/** Names of some ten thousand accounts. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The requests of a range and filters as a file. */
export function requestExportRoutes(deps: RequestExportDeps): FeatureRoutes {
  const routes: FeatureRoutes = new Hono<ManagerEnv>();
  return routes.post(REQUEST_EXPORT_PATH, async (c) => {
    const query = checkExport(await readJson(c.req.raw, requestExportSchema, MAX_BODY_BYTES));
    const release = await enterExport(deps.exports);
    try {
      const start = await deps.pages.startRequestExport(query, c.req.raw.signal);
      return await streamPages(deps, {
        name: 'export of requests',
        contentType: EXPORT_TYPES[query.format],
        headers: {
          'Content-Disposition': `attachment; filename="requests.${query.format}"`,
          [EXPORT_ROWS_HEADER]: String(start.rows),
          [EXPORT_DELETED_HEADER]: String(start.deleted),
        },
        open: (signal) => requestFile(deps.pages, query, start, signal),
        release,
      });
    } catch (error) {
      release();
      throw error;
    }
  });
}
