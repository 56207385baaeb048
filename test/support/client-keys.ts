import { createHash } from 'node:crypto';
import { aliasesResponseSchema } from '@manager/core/contract/client-keys';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, type OpenedPage, openPage } from './browser.ts';
import { ManagerProcess } from './manager-process.ts';
import { openAsAdmin } from './signed-in.ts';
import { readStatus } from './status.ts';
import { boundTo, startTestGateway } from './test-gateway.ts';

const EVENTS = 80;
const ALIASES = '/v0/management/api-key-aliases';

/** In the order of use. The gateway no longer lists `gone`. */
export const KEYS = {
  busy: 'marker-client-key-busy-01',
  quiet: 'marker-client-key-quiet-02',
  gone: 'marker-client-key-gone-03',
};
/** Listed, and never used. */
export const SPARE = 'marker-client-key-spare-04';

export const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
export const keyRow = (page: Page, key: string) => page.locator(`[data-row="${hashOf(key)}"]`);

/** A manager whose gateway has three client keys, two of them used and one named, with a browser. */
export async function startClientKeys() {
  const apiKeys = [KEYS.busy, KEYS.quiet, SPARE];
  const [browser, gateway]: [Browser, Awaited<ReturnType<typeof startTestGateway>>] = await Promise.all([
    launchBrowser(),
    startTestGateway({ apiKeys }),
  ]);
  const manager = await ManagerProcess.start({ env: boundTo(gateway) });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 9, numberFrom: 0, clientKeys: Object.values(KEYS) });
  for (let index = 0; index < EVENTS; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === EVENTS);
  const opened: OpenedPage[] = [];

  const aliases = async () => aliasesResponseSchema.parse(await manager.json(ALIASES)).items;
  const name = (key: string, alias: string) =>
    manager.json(ALIASES, { method: 'PUT', body: JSON.stringify({ items: [{ apiKeyHash: hashOf(key), alias }] }) });
  return {
    manager,
    aliasOf: async (key: string) => (await aliases()).find((one) => one.apiKeyHash === hashOf(key))?.alias,
    listed: async () => (await manager.json<{ 'api-keys': string[] }>('/v0/management/api-keys'))['api-keys'],
    /** Two keys have names: a used one and a deleted one. */
    nameAnew: async () => {
      for (const { apiKeyHash } of await aliases())
        await manager.fetch(`${ALIASES}/${apiKeyHash}`, { method: 'DELETE' });
      await name(KEYS.busy, 'Busy team');
      await name(KEYS.gone, 'Left team');
    },
    open: async (query = '', options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> => {
      const one = await openPage(browser, options);
      opened.push(one);
      await openAsAdmin(one.page, manager.url, `/api-keys${query}`);
      return one;
    },
    closePages: async () => {
      for (const page of opened.splice(0)) await page.close();
    },
    stop: async () => {
      await browser.close();
      await manager.remove();
      await gateway.stop();
    },
  };
}
