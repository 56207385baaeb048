import { AppError } from '@manager/core/contract/errors';
import type { ModelPriceSyncResponse } from '@manager/core/contract/prices';
import type { ChosenEntry } from '@manager/core/pricing/catalogue/sync-plan';
import type { OperationClient } from '../../../sqlite/contexts.ts';
import type { PriceSync } from '../ports.ts';
import { createCatalogueCache } from './catalogue-cache.ts';
import type { CatalogueOperations, CatalogueRead } from './catalogue-operations.ts';
import { fetchCatalogue } from './fetch-catalogue.ts';
import type { KeepFindings } from './keep-findings.ts';
import { parseProxySetting } from './proxy-setting.ts';
import { openSocksBridge } from './socks-bridge.ts';
import type { PriceSource } from './sources.ts';

type SourceResult = ModelPriceSyncResponse['sourceResults'][number];
type Worker = OperationClient<CatalogueOperations>;

export interface PriceSyncDeps {
  /** In order. */
  readonly sources: readonly PriceSource[];
  /** `proxy-url` of the gateway; '' when it has none, there is no gateway, or it cannot be read. */
  readonly readProxyUrl: () => Promise<string>;
  /** The entries that people chose. */
  readonly readChosen: () => Promise<readonly ChosenEntry[]>;
  /** A separate worker per sync: its memory is freed with it. */
  readonly startWorker: (chosen: readonly ChosenEntry[]) => Worker;
  readonly keep: KeepFindings;
  /** Per source. Default 10 s: three of them and the proxy setting fit into the 45 s that a client waits. */
  readonly timeoutMs?: number;
  /** Of one catalogue. Default 64 MiB. */
  readonly maxBytes?: number;
}

interface Proxy {
  readonly url: string | null;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
const DIRECT: Proxy = { url: null, close: async () => {} };

/** One sync after the other: the second sees the results of the first. */
export function createPriceSync(deps: PriceSyncDeps): PriceSync {
  const cache = createCatalogueCache();
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = deps;
  let last: Promise<unknown> = Promise.resolve();

  async function sync(models: readonly string[] | null, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    signal.throwIfAborted();
    const proxy = await openProxy(await deps.readProxyUrl());
    const worker = deps.startWorker(await deps.readChosen());
    try {
      const results = await readSources(worker, proxy, models, signal);
      requireOne(results);
      const plan = await worker.run('planSync', models, { signal });
      return await deps.keep({ plan, sourceResults: results, proxyUsed: proxy.url !== null }, signal);
    } finally {
      await Promise.all([worker.close(), proxy.close()]);
    }
  }

  async function readSources(
    worker: Worker,
    proxy: Proxy,
    models: readonly string[] | null,
    signal: AbortSignal,
  ): Promise<readonly SourceResult[]> {
    const results: SourceResult[] = [];
    for (const source of deps.sources) {
      const read = await readSource(source, worker, proxy, models, signal);
      results.push(
        read.kind === 'bad'
          ? { source: source.source, models: 0, skipped: 0, error: read.error }
          : { source: source.source, models: read.models, skipped: read.skipped },
      );
      if (read.kind === 'read' && read.complete) break;
    }
    return results;
  }

  async function readSource(
    { source, url, revalidate }: PriceSource,
    worker: Worker,
    proxy: Proxy,
    models: readonly string[] | null,
    signal: AbortSignal,
  ): Promise<CatalogueRead> {
    const kept = revalidate ? await cache.get(url) : null;
    const answer = await fetchCatalogue({
      url,
      proxy: proxy.url,
      etag: kept?.etag ?? '',
      timeoutMs,
      maxBytes,
      signal,
    });
    if (answer.kind === 'failed') return { kind: 'bad', error: answer.error };
    const body = answer.kind === 'body' ? answer.body : (kept?.body ?? new Uint8Array());
    const read = await worker.run('addCatalogue', { source, body, models }, { signal });
    // Only a good answer replaces the cached one.
    if (revalidate && answer.kind === 'body' && read.kind === 'read') {
      await cache.put(url, { etag: answer.etag, body });
    }
    return read;
  }

  return (models, signal) => {
    const turn = last.then(() => sync(models, signal));
    last = turn.catch(() => {});
    return turn;
  };
}

async function openProxy(proxyUrl: string): Promise<Proxy> {
  const setting = parseProxySetting(proxyUrl);
  switch (setting.kind) {
    case 'direct':
      return DIRECT;
    case 'http':
      return { ...DIRECT, url: setting.url };
    case 'socks':
      return openSocksBridge(setting);
  }
}

/** @throws AppError with the reason of each source when all failed */
function requireOne(results: readonly SourceResult[]): void {
  if (results.some(({ error }) => error === undefined)) return;
  const causes = results.map(({ source, error }) => `${source}: ${error}`).join('; ');
  throw new AppError('model_price_sync_failed', { message: `no price catalog responded: ${causes}` });
}
