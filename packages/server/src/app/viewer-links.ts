import type { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { randomUUIDv7 } from 'bun';
import { viewerLinkRoutes, viewerRoutes } from '../features/viewer-links/routes.ts';
import { createViewerLinkService, type ViewerLinkService } from '../features/viewer-links/service.ts';
import { findViewerLink } from '../features/viewer-links/store.ts';
import type { AreaHandlers } from '../http/areas.ts';
import type { AnalyticsClient } from '../workers/analytics-client.ts';
import type { Store } from '../workers/store.ts';

interface ViewerLinksDeps {
  readonly db: Database;
  readonly store: Store;
  readonly analytics: AnalyticsClient;
  readonly now: () => number;
  readonly log: { warn(message: string): void };
}

/** Viewer links with their routes; part of the composition root. */
export function createViewerLinks({ db, store, analytics, now, log }: ViewerLinksDeps): {
  readonly findViewer: ViewerLinkService['findViewer'];
  readonly handlers: Pick<AreaHandlers, 'viewerLinks' | 'viewer'>;
} {
  const service = createViewerLinkService({
    reader: store.reader,
    writer: store.writer,
    find: (tokenHash, nowMs) => findViewerLink(db, tokenHash, nowMs),
    aliases: () => store.reader.run('listAliases', null),
    ask: analytics.viewerAnalytics,
    now,
    newId: randomUUIDv7,
    randomBytes,
    log,
  });
  return {
    findViewer: service.findViewer,
    handlers: { viewerLinks: viewerLinkRoutes(service), viewer: viewerRoutes(service) },
  };
}
