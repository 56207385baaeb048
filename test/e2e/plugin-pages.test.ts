import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const FOLDER = '/v0/resource/plugins/simplugin';
const PAGE = `${FOLDER}/app.html`;
const SCRIPT = `
const attempts = {
  local: () => localStorage.getItem('mgrpanel:v1:session'),
  tab: () => JSON.stringify(sessionStorage),
  cookie: () => document.cookie,
  origin: () => self.origin,
  parent: () => parent === self ? 'top' : parent.localStorage.getItem('mgrpanel:v1:session'),
  database: () => indexedDB.open('x') && 'opened',
  worker: async () => (await navigator.serviceWorker.register('${FOLDER}/worker.js', { scope: '/' })).scope,
  ownWorker: async () => (await navigator.serviceWorker.register('${FOLDER}/worker.js')).scope,
  info: async () => (await fetch('/v0/management/config')).status,
  plugin: async () => {
    const key = 'Bearer ${TEST_UPSTREAM_KEY}';
    const answer = await fetch('/v0/management/simplugin/echo', { method: 'POST', headers: { authorization: key }, body: 'x' });
    return (await answer.json()).body;
  },
  otherHeader: async () => {
    const answer = await fetch('/v0/management/simplugin/echo', { headers: { 'x-management-key': '${TEST_UPSTREAM_KEY}' } });
    return answer.status;
  },
};
(async () => {
  const results = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try { results[name] = await attempt(); } catch (error) { results[name] = 'refused: ' + error.name; }
  }
  results.query = new URLSearchParams(location.search).get('word');
  document.querySelector('pre').textContent = JSON.stringify(results);
})();`;
const HTML = `<!doctype html><title>App</title><link rel="stylesheet" href="app.css"><img src="app.svg" alt="">
<form><input name="word" value="typed"><button>Search</button></form>
<form method="post"><button name="a" value="b">Send</button></form>
<a href="file.txt" download>Download</a> <a href="${PAGE}?word=popup" target="_blank">Popup</a>
<pre></pre><script src="app.js"></script>`;

let rig: PanelRig;
let gateway: Simulator;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway();
  const headers = { 'Service-Worker-Allowed': '/' };
  for (const [path, type, body] of [
    ['app.html', 'text/html; charset=utf-8', HTML],
    ['app.js', 'text/javascript', SCRIPT],
    ['worker.js', 'text/javascript', 'self.onfetch = (event) => event.respondWith(new Response("taken"));'],
    ['app.css', 'text/css', 'pre { color: rgb(1, 2, 3) }'],
    ['app.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>'],
    ['file.txt', 'application/octet-stream', 'of the plugin'],
  ] as const)
    gateway.fault({
      kind: 'http',
      match: { path: `${FOLDER}/${path}` },
      respond: { status: 200, headers: { ...headers, 'Content-Type': type }, body },
      times: 'always',
    });
});
afterAll(() => rig.end());
afterEach(() => rig.closePages());

type Results = Readonly<Record<string, unknown>>;

async function results(of: { locator: Page['locator'] }): Promise<Results> {
  const shown = of.locator('pre');
  await shown.filter({ hasText: '}' }).waitFor();
  return JSON.parse((await shown.textContent()) ?? '');
}

/** Signed in for longer than this tab, so that the key is in the browser's storage. */
async function rememberedPanel(url: string, options: Parameters<PanelRig['page']>[0] = {}): Promise<Page> {
  const { page } = await rig.page(options);
  await page.goto(`${url}/management.html#/system`);
  await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
  await page.getByRole('switch', { name: 'Remember sign-in' }).press('Space');
  await page.keyboard.press('Enter');
  await page.locator('.page-head').first().waitFor();
  expect(await page.evaluate(`localStorage.getItem('mgrpanel:v1:session')`)).toContain(TEST_ADMIN_KEY);
  return page;
}

/** What every page may do, with or without a sandbox. */
const WORKS = { plugin: 'x', otherHeader: 200 };
const SANDBOXED = {
  ...WORKS,
  local: 'refused: SecurityError',
  tab: 'refused: SecurityError',
  cookie: 'refused: SecurityError',
  database: 'refused: SecurityError',
  origin: 'null',
  worker: expect.stringContaining('refused'),
  ownWorker: expect.stringContaining('refused'),
};

describe('a page of a plugin', () => {
  test('works, and reads nothing of the panel, in a tab, a popup and a frame of it', async () => {
    const manager = await rig.managerOf(boundTo(gateway));
    const panel = await rememberedPanel(manager.url);
    const context = panel.context();
    const page = await context.newPage();
    await page.goto(manager.url + PAGE);
    expect(await results(page)).toEqual({ ...SANDBOXED, parent: 'top', info: 403, query: null });
    expect(await page.evaluate(`getComputedStyle(document.querySelector('pre')).color`)).toBe('rgb(1, 2, 3)');
    expect(await page.evaluate(`document.images[0].naturalHeight`)).toBe(4);

    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/word=typed/);
    expect(await results(page)).toMatchObject({ ...SANDBOXED, query: 'typed' });
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Send' }).click();
    await loaded;
    expect([(await sent).status(), (await sent).request().postData()]).toEqual([200, 'a=b']);
    await results(page);

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('file.txt');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Popup' }).click();
    expect(await results(await opened)).toMatchObject({ ...SANDBOXED, query: 'popup' });

    await panel.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${PAGE}' }))`);
    const frame = panel.frameLocator(`iframe[src="${PAGE}"]`);
    expect(await results(frame)).toMatchObject({ ...SANDBOXED, parent: 'refused: SecurityError' });

    const workers = await panel.evaluate(`navigator.serviceWorker.getRegistrations().then((all) => all.length)`);
    expect(workers).toBe(0);
    await panel.reload();
    await panel.locator('.page-head').first().waitFor();
    expect(await panel.evaluate(`document.body.textContent`)).not.toContain('taken');
  }, 120_000);

  test('that is trusted can read the key of the panel, which warns, but takes no other path over', async () => {
    const manager = await rig.managerOf({ ...boundTo(gateway), USAGE_TRUSTED_PLUGIN_PAGES: 'true' });
    const panel = await rememberedPanel(manager.url);
    await panel.getByText('Plugin pages are trusted.').waitFor();
    const page = await panel.context().newPage();
    await page.goto(manager.url + PAGE);
    expect(await results(page)).toMatchObject({
      ...WORKS,
      local: expect.stringContaining(TEST_ADMIN_KEY),
      origin: manager.url,
      worker: expect.stringContaining('refused'),
      ownWorker: `${manager.url}${FOLDER}/`,
    });
  }, 120_000);
});

test('the panel sends nothing to another address, and a page that opened it gets no handle', async () => {
  const manager = await rig.managerOf(boundTo(gateway));
  const panel = await rememberedPanel(manager.url, { expected: /Content Security Policy|Failed to fetch/ });
  const outside = (url: string) => `fetch('${url}').then(() => 'sent', () => 'refused')`;
  gateway.clearRequests();
  expect(await panel.evaluate(outside(`${gateway.url}/healthz?stolen`))).toBe('refused');
  expect(gateway.requests({ path: '/healthz' })).toEqual([]);
  expect(await panel.evaluate(outside(`${manager.url}/health`))).toBe('sent');

  const { page: opener } = await rig.page();
  await opener.goto(gateway.url + PAGE);
  const handle = opener.evaluate(`(async () => {
    const opened = window.open('${manager.url}/management.html');
    while (!opened.closed) await new Promise((resolve) => setTimeout(resolve, 50));
    return 'gone';
  })()`);
  expect(await handle).toBe('gone');
}, 120_000);

test('a page of another address cannot set up a manager, see whether it is set up, or make the gateway count a failed key', async () => {
  const fresh = await rig.managerOf({});
  const connected = await rig.managerOf(boundTo(gateway, 'http'));
  const { page } = await rig.page({ expected: /./ });
  await page.goto(gateway.url + PAGE);
  await results(page);
  gateway.clearRequests();
  const outcomes = await page.evaluate(`(async () => {
    const setup = JSON.stringify({ cpaBaseUrl: '${gateway.url}', cpaManagementKey: '${TEST_UPSTREAM_KEY}' });
    const send = (url, init) => fetch(url, init).then(({ type }) => type, () => 'refused');
    const json = { 'content-type': 'application/json' };
    return [
      await send('${fresh.url}/usage-service/info', {}),
      await send('${fresh.url}/setup', { method: 'POST', headers: json, body: setup }),
      await send('${fresh.url}/setup', { method: 'POST', mode: 'no-cors', body: setup }),
      await send('${fresh.url}/setup', { method: 'POST', mode: 'no-cors', body: new Blob([setup]) }),
      await send('${connected.url}/v0/management/x', { method: 'HEAD', mode: 'no-cors' }),
      await send('${connected.url}/v0/management/x', { mode: 'no-cors' }),
      await send('${connected.url}/v0/management/x', { method: 'POST', mode: 'no-cors', body: 'x' }),
    ];
  })()`);
  // The answer of a request without CORS is `opaque`: it arrived, and the page sees nothing of it.
  expect(outcomes).toEqual(['refused', 'refused', ...Array.from({ length: 5 }, () => 'opaque')]);
  const info = await fetch(`${fresh.url}/usage-service/info`);
  expect(await info.json()).toMatchObject({ configured: false });
  expect(gateway.requests({ path: '/v0/management/x' })).toEqual([]);
  await fresh.printed('"path":"/setup","status":403');
}, 120_000);
