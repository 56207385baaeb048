import { createPriceRoutes } from '../features/prices/routes.ts';
import { createPriceService } from '../features/prices/service.ts';
import { startCatalogueWorker } from '../features/prices/sync/catalogue-worker.ts';
import { createKeepFindings } from '../features/prices/sync/keep-findings.ts';
import { readProxyUrl } from '../features/prices/sync/read-proxy-url.ts';
import { createPriceSync } from '../features/prices/sync/service.ts';
import { PRICE_SOURCES } from '../features/prices/sync/sources.ts';
import type { FeatureRoutes } from '../http/environment.ts';
import type { AnalyticsClient } from '../workers/analytics-client.ts';
import type { Store } from '../workers/store.ts';

type ProxyUrlDeps = Parameters<typeof readProxyUrl>[0];

interface PricesDeps extends ProxyUrlDeps {
  readonly store: Store;
  readonly analytics: AnalyticsClient;
  readonly queryLimit: () => number;
}

/** Prices and their sync; part of the composition root. */
export function createPrices({ store, analytics, queryLimit, ...gateway }: PricesDeps): FeatureRoutes {
  const { reader, writer } = store;
  const prices = createPriceService({
    read: () => reader.run('modelPricesBody', null),
    replace: (body) => writer.run('replaceModelPrices', body),
    usageSummary: (limit, signal) => analytics.usageSummary(limit, { signal }),
    queryLimit,
    sync: createPriceSync({
      sources: PRICE_SOURCES,
      readProxyUrl: () => readProxyUrl(gateway),
      readChosen: () => reader.run('chosenPriceEntries', null),
      startWorker: startCatalogueWorker,
      keep: createKeepFindings(writer, reader),
    }),
  });
  return createPriceRoutes(prices);
}
