import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const PANEL_FILE = join(import.meta.dir, '../../packages/panel/dist/management.html');
const RESOURCE = '/v0/resource/plugins/simplugin/index.html';
/** What a page gets of the panel that shows it. */
const CURIOUS = `<!doctype html><meta charset="utf-8"><title>App</title><h1>Echo app</h1><pre></pre><script>
const attempts = {
  local: () => localStorage.length,
  tab: () => sessionStorage.length,
  cookie: () => document.cookie,
  parent: () => parent.sessionStorage.length,
  top: () => { top.location.href = 'about:blank'; return 'left'; },
  origin: () => self.origin,
};
const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try { results[name] = attempt(); } catch (error) { results[name] = error.name; }
}
document.querySelector('pre').textContent = JSON.stringify(results);
</script>`;
const REFUSED = 'SecurityError';
const KEPT_APART = { local: REFUSED, tab: REFUSED, cookie: REFUSED, parent: REFUSED, top: REFUSED, origin: 'null' };

let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway({ panelFile: PANEL_FILE });
  manager = await rig.managerOf(boundTo(gateway));
  serveCurious();
}, 120_000);
afterEach(() => rig.closePages());
afterAll(() => rig.end());

const serveCurious = () =>
  gateway.fault({
    kind: 'http',
    match: { path: RESOURCE },
    respond: { status: 200, headers: { 'Content-Type': 'text/html' }, body: CURIOUS },
    times: 'always',
  });

type Json = Record<string, unknown>;
const atGateway = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const answer = await fetch(`${gateway.url}/v0/management/${path}`, {
    method,
    headers: { authorization: `Bearer ${TEST_UPSTREAM_KEY}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Json;
};
const settings = () => atGateway('GET', 'plugins/simplugin/config');

const row = (page: Page, text: string) => page.locator('[data-row]').filter({ hasText: text });
const pane = (page: Page) => page.getByRole('complementary', { name: 'Plugin' });
const pageLink = (page: Page) => page.getByRole('list', { name: 'Plugin pages' }).getByRole('link');

async function seenByPage(page: Page): Promise<Json> {
  const shown = page.frameLocator('iframe').locator('pre').filter({ hasText: '}' });
  return JSON.parse((await shown.textContent()) ?? '') as Json;
}

describe('plugins', () => {
  test('are switched and set, and whatever happens meanwhile is kept or asked about', async () => {
    const { page, problems } = await rig.open(manager, '/plugins', { expected: /Failed to load resource/ });
    await row(page, 'Sim plugin').getByText('1.0.0 → 1.1.0 available').waitFor();
    expect(await pageLink(page).allTextContents()).toEqual(['Sim plugin']);
    await picture(page, 'plugins-1440');

    await row(page, 'Sim plugin').getByRole('switch').press('Space');
    await page.getByText('Sim plugin is disabled.').waitFor();
    await pageLink(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Sim plugin is enabled.').waitFor();
    await pageLink(page).waitFor();

    await row(page, 'Sim plugin').getByText('simplugin · sim').click();
    const form = pane(page);
    const save = form.getByRole('button', { name: 'Save changes' });
    await form.getByLabel('retries').fill('1.5');
    await form.getByText('Enter a whole number.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await form.getByLabel('retries').fill('3');
    await form.getByLabel('api_token').fill('marker-secret-0001');
    await atGateway('PATCH', 'plugins/simplugin/config', { theirs: true });
    await save.click();
    await form.getByText('Sim plugin is saved.').waitFor();
    const stored = {
      enabled: true,
      priority: 1,
      mode: 'safe',
      theirs: true,
      retries: 3,
      api_token: 'marker-secret-0001',
    };
    expect(await settings()).toEqual(stored);

    // Both change the same setting: nothing is written before a person decides.
    await form.getByLabel('retries').fill('4');
    await atGateway('PATCH', 'plugins/simplugin/config', { retries: 9 });
    await save.click();
    await form.getByText('Both changed: retries.').waitFor();
    await picture(page, 'plugins-conflict-1440');
    expect(await settings()).toMatchObject({ retries: 9 });
    await form.getByRole('button', { name: 'Save my values' }).click();
    await form.getByText('Sim plugin is saved.').waitFor();
    expect(await settings()).toEqual({ ...stored, retries: 4 });

    // The text has every setting, and none of the secrets; a member taken out is gone.
    await form.getByRole('radiogroup', { name: 'Settings' }).getByText('JSON').click();
    const text = form.getByRole('textbox', { name: 'JSON' });
    expect(await text.inputValue()).not.toContain('marker-secret');
    await text.fill((await text.inputValue()).replace(/\n {2}"theirs": true,?/, ''));
    gateway.fault({ kind: 'close-before-reply', on: 'HTTP', match: { method: 'PUT' } });
    await save.click();
    await form.getByText('Sim plugin is saved.').waitFor();
    const { theirs: _, ...others } = stored;
    expect(await settings()).toEqual({ ...others, retries: 4 });

    // The gateway dies before it writes: nothing was written, and the page says so.
    await form.getByRole('radiogroup', { name: 'Settings' }).getByText('Fields').click();
    await form.getByLabel('retries').fill('5');
    gateway.fault({ kind: 'close-before-reply', on: 'HTTP', match: { method: 'PUT' }, runs: false });
    await save.click();
    await form.getByText('Nothing was written.').waitFor();
    expect(await settings()).toMatchObject({ retries: 4 });
    await form.getByRole('button', { name: 'Discard changes' }).click();
    expect(await form.getByLabel('retries').inputValue()).toBe('4');
    expect(problems).toEqual([]);
  }, 120_000);

  test('of a third party are installed after its name is typed, and deleted with what they add', async () => {
    const { page, problems } = await rig.open(manager, '/plugins?tab=store', { expected: /Failed to load resource/ });
    await row(page, 'Sim plugin').getByText('Official').waitFor();
    await row(page, 'Echo <b>').getByText('Community & friends (third party)').waitFor();
    await picture(page, 'plugins-store-1440');
    // What looks like a key is looked up, and stays out of the address.
    await page.getByRole('searchbox').fill('sk-marker-0001');
    await row(page, 'Sim plugin').waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('search=');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Install: Echo <b>' }).click();
    const dialog = page.getByRole('dialog');
    const install = dialog.getByRole('button', { name: 'Install' });
    expect(await install.isDisabled()).toBe(true);
    await dialog.getByLabel('Version').fill('0.2.0');
    await dialog.getByLabel(/Type/).fill('Community');
    expect(await install.isDisabled()).toBe(true);
    await dialog.getByLabel(/Type/).fill('Community & friends');
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'plugins-install-1440');
    gateway.fault({
      kind: 'http',
      match: { path: '/v0/management/plugin-store/echo/install' },
      respond: { status: 502, body: { error: 'plugin_install_failed', message: 'no space left' } },
    });
    await install.click();
    await dialog.getByText('The plugin could not be downloaded or unpacked. (no space left)').waitFor();
    await install.click();
    await page.getByText('Echo <b> 0.2.0 is installed.').waitFor();
    await row(page, 'Echo <b>').getByText('0.2.0').waitFor();

    await page.getByRole('navigation', { name: 'Plugins' }).getByText('Installed').click();
    await row(page, 'Echo <b>').getByText('Disabled').waitFor();
    await row(page, 'Echo <b>').getByText('echo · somebody').click();
    await pane(page).getByRole('button', { name: 'Delete plugin' }).click();
    await dialog.getByText('Its pages disappear: Echo <b>.').waitFor();
    gateway.fault({
      kind: 'http',
      match: { path: '/v0/management/plugins/echo', method: 'DELETE' },
      respond: { status: 409, body: { error: 'plugin_delete_requires_restart', restart_required: true } },
    });
    await dialog.getByRole('button', { name: 'Delete plugin' }).click();
    await dialog.getByText('A running plugin cannot be deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Delete plugin' }).click();
    await page.getByText('Echo <b> is deleted.').waitFor();
    await row(page, 'Echo <b>').waitFor({ state: 'detached' });

    // A store without sources is no empty store.
    gateway.fault({
      kind: 'http',
      match: { path: '/v0/management/plugin-store' },
      respond: { status: 502, body: { error: 'plugin_store_registry_failed', message: 'no route' } },
      times: 'always',
    });
    await page.reload();
    await page.getByText('Could not check for updates.').waitFor();
    await page.getByRole('navigation', { name: 'Plugins' }).getByText('Store').click();
    await page.getByText('The gateway could not reach its plugin sources.').waitFor();
    gateway.clearFaults();
    serveCurious();
    expect(problems).toEqual([]);
  }, 120_000);

  test('show their pages without the keys of the panel, and leave when they stop', async () => {
    const { page, problems } = await rig.open(manager, '/plugin-pages/simplugin/0', {
      expected: /Failed to load resource|sandbox|navigate/i,
    });
    // The frame of the first load is still there when the page is loaded again.
    await seenByPage(page);
    gateway.clearRequests();
    await page.getByRole('button', { name: 'Reload' }).click();
    await until(() => gateway.requests({ path: RESOURCE }).length >= 2);
    expect(await seenByPage(page)).toEqual(KEPT_APART);
    expect(await pageLink(page).getAttribute('aria-current')).toBe('page');
    const sent = gateway.requests({ path: RESOURCE });
    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(sent.flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase()))).not.toContain('authorization');
    expect(await page.getByRole('link', { name: 'Open in new tab' }).getAttribute('rel')).toContain('noopener');
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'plugin-page-1440');

    gateway.clearFaults();
    gateway.fault({ kind: 'http', match: { path: RESOURCE }, respond: { status: 404, body: '' }, times: 'always' });
    await page.getByRole('button', { name: 'Reload' }).first().click();
    await page.getByText('The page does not exist').waitFor();
    gateway.clearFaults();
    serveCurious();
    await atGateway('PATCH', 'plugins/simplugin/enabled', { enabled: false });
    await page.reload();
    await pane(page).getByText('Disabled').waitFor();
    expect(page.url()).toContain('#/plugins?plugin=simplugin');
    await atGateway('PATCH', 'plugins/simplugin/enabled', { enabled: true });
    expect(problems).toEqual([]);
  }, 120_000);

  test('work at a gateway alone, which sandboxes no page itself, on a phone', async () => {
    const { page, problems } = await rig.openAtGateway(gateway, '/plugin-pages/simplugin/0', {
      expected: /sandbox|navigate|404/i,
      viewport: { width: 390, height: 844 },
    });
    expect(await seenByPage(page)).toEqual(KEPT_APART);
    expect(await page.getByRole('link', { name: 'Open in new tab' }).count()).toBe(0);
    await picture(page, 'plugin-page-phone');
    await page.goto(`${gateway.url}/management.html#/plugins`);
    await row(page, 'Sim plugin').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'plugins-phone');
    await page.getByRole('switch', { name: 'Enable Sim plugin' }).press('Space');
    await until(async () => (await settings()).enabled === undefined);

    gateway.setProfile('v7.1.39');
    await page.reload();
    await page.getByText('This gateway version has no plugins').waitFor();
    expect(problems).toEqual([]);
  }, 60_000);
});
