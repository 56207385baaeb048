import { expect } from 'bun:test';
import {
  MODEL_PRICES_PATH,
  type ModelPriceSyncResponse,
  type ModelPricesResponse,
  modelPriceSyncResponseSchema,
  modelPricesResponseSchema,
} from '@manager/core/contract/prices';
import { type GatewayRig, startGatewayRig } from '../../../../gateway/testing.ts';
import { ADMIN, startTestServer } from '../../../../http/testing.ts';
import { createTestFolder } from '../../../../platform/testing/test-folder.ts';
import { openStore, prepareStore } from '../../../../workers/store.ts';
import { createPriceRoutes } from '../../routes.ts';
import { createPriceService } from '../../service.ts';
import { startCatalogueWorker } from '../catalogue-worker.ts';
import { createKeepFindings } from '../keep-findings.ts';
import { readProxyUrl } from '../read-proxy-url.ts';
import { createPriceSync } from '../service.ts';
import { type CatalogueServer, startCatalogues } from './catalogues.ts';

/** Per source. */
const TIMEOUT_MS = 3_000;
export const MAX_BYTES = 200_000;

/** The price endpoints with a real store, catalogues and, if needed, a gateway. */
export interface SyncRig {
  readonly catalogues: CatalogueServer;
  readonly gateway: GatewayRig | null;
  /** Runs between the catalogues and the write. */
  beforeKeep: () => Promise<unknown>;
  /** Number of syncs that reached the write. */
  readonly kept: number;
  post(models?: readonly string[], signal?: AbortSignal): Promise<{ readonly status: number; readonly body: unknown }>;
  sync(models?: readonly string[]): Promise<ModelPriceSyncResponse>;
  /** The error text of a failing sync. */
  refusal(models?: readonly string[]): Promise<string>;
  put(prices: object): Promise<unknown>;
  stored(): Promise<ModelPricesResponse['prices']>;
  /** Source and prompt price by model. */
  summary(): Promise<Readonly<Record<string, string>>>;
  /** Connects a gateway with this `proxy-url`. */
  setUpstream(proxyUrl: string): Promise<void>;
  stop(): Promise<void>;
}

export function startSyncRig(): SyncRig {
  const folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('.') });
  const store = openStore({ path, hourlyRollup: true, now: Date.now, log: { info: () => {}, error: () => {} } });
  const catalogues = startCatalogues();
  const keep = createKeepFindings(store.writer, store.reader);
  const state = { upstream: null as GatewayRig | null, kept: 0 };
  const sync = createPriceSync({
    sources: catalogues.sources,
    readProxyUrl: async () => {
      const { upstream: testGateway } = state;
      if (testGateway === null) return '';
      const { management, connection } = testGateway;
      return readProxyUrl({ management, connection: () => connection, tlsSkipVerify: () => false });
    },
    readChosen: () => store.reader.run('chosenPriceEntries', null),
    startWorker: startCatalogueWorker,
    keep: async (findings, signal) => {
      await rig.beforeKeep();
      signal.throwIfAborted();
      state.kept++;
      return keep(findings, signal);
    },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const service = createPriceService({
    read: () => store.reader.run('modelPricesBody', null),
    replace: (body) => store.writer.run('replaceModelPrices', body),
    usageSummary: () => Promise.reject(new Error('not in these tests')),
    queryLimit: () => 1,
    sync,
  });
  const server = startTestServer({ handlers: { prices: createPriceRoutes(service) } });

  async function call(method: string, below: string, body?: unknown, signal?: AbortSignal) {
    const answer = await fetch(server.url + MODEL_PRICES_PATH + below, {
      method,
      headers: ADMIN,
      keepalive: false,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  }

  const rig: SyncRig = {
    catalogues,
    get gateway() {
      return state.upstream;
    },
    beforeKeep: async () => {},
    get kept() {
      return state.kept;
    },
    post: (models, signal) => call('POST', '/sync', models === undefined ? undefined : { models }, signal),
    async sync(models) {
      const { status, body } = await rig.post(models);
      expect(status).toBe(200);
      return modelPriceSyncResponseSchema.parse(body);
    },
    async refusal(models) {
      const { status, body } = await rig.post(models);
      expect({ status, body }).toMatchObject({ status: 502, body: { code: 'model_price_sync_failed' } });
      return (body as { readonly error: string }).error;
    },
    put: (prices) => call('PUT', '', { prices }),
    stored: async () => modelPricesResponseSchema.parse((await call('GET', '')).body).prices,
    async summary() {
      const prices = Object.entries(await rig.stored());
      return Object.fromEntries(prices.map(([model, { source, prompt }]) => [model, `${source} ${prompt}`]));
    },
    async setUpstream(proxyUrl) {
      const testGateway = await startGatewayRig();
      state.upstream = testGateway;
      const answer = await fetch(`${testGateway.simulator.url}/v0/management/proxy-url`, {
        method: 'PUT',
        headers: {
          Authorization: `Bearer ${testGateway.connection.managementKey}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ value: proxyUrl }),
      });
      expect(answer.status).toBe(200);
    },
    async stop() {
      await server.stop(0);
      await store.close();
      await catalogues.stop();
      await state.upstream?.stop();
      folder.dispose();
    },
  };
  return rig;
}
