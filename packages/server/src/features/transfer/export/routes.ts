import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../../http/environment.ts';
import { enterExport } from '../../../http/export-slots.ts';
import { type StreamDeps, streamPages } from '../../../http/stream-pages.ts';
import type { EventReads } from './event-reads.ts';
import { exportLines } from './export.ts';
import type { ExportGate } from './export-gate.ts';
import { usagePayload } from './usage-payload.ts';

export interface EventsDeps extends StreamDeps {
  readonly reads: EventReads;
  /** Effective query limit; 0 or less = 50,000. */
  readonly queryLimit: () => number;
  /** Shared with the deletion of archived events. */
  readonly exports: ExportGate;
}

const DEFAULT_QUERY_LIMIT = 50_000;
const USAGE = '/v0/management/usage';

/** The two ways to read all stored events: the bounded compatible payload and the complete export. */
export function eventsRoutes(deps: EventsDeps): FeatureRoutes {
  const { exports } = deps;

  return new Hono<ManagerEnv>()
    .get(USAGE, () => {
      const limit = deps.queryLimit();
      return streamPages(deps, {
        name: 'usage payload',
        contentType: 'application/json',
        open: (signal) => usagePayload(deps.reads, limit > 0 ? limit : DEFAULT_QUERY_LIMIT, signal),
      });
    })
    .get(`${USAGE}/export`, async () => {
      const release = await enterExport(exports);
      const headers = { 'Content-Disposition': 'attachment; filename="usage-events.jsonl"' };
      return streamPages(deps, {
        name: 'export',
        contentType: 'application/x-ndjson',
        headers,
        open: (signal) => exportLines(deps.reads, signal),
        release,
      });
    });
}
