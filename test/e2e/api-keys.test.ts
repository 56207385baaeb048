import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { aliasesResponseSchema } from '@manager/core/contract/aliases';
import { makeEvents } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY, waitFor } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startUpstream } from '../support/upstream.ts';

const EVENTS = 80;
const ALIASES = '/v0/management/api-key-aliases';
/** In the order of their use. `gone` is not listed by the gateway any more. */
const KEYS = {
  busy: 'marker-client-key-busy-01',
  quiet: 'marker-client-key-quiet-02',
  gone: 'marker-client-key-gone-03',
};
const SPARE = 'marker-client-key-spare-04';
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

let browser: Browser;
let upstream: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  [browser, upstream] = await Promise.all([
    launchBrowser(),
    startUpstream({ apiKeys: [KEYS.busy, KEYS.quiet, SPARE] }),
  ]);
  manager = await ManagerProcess.start({ env: boundTo(upstream) });
  await waitFor(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 9, numberFrom: 0, clientKeys: Object.values(KEYS) });
  for (let index = 0; index < EVENTS; index++) await upstream.publish(events.next().value);
  await waitFor(async () => (await readStatus(manager)).events === EVENTS);
}, 60_000);

beforeEach(async () => {
  for (const { apiKeyHash } of await aliases()) await manager.fetch(`${ALIASES}/${apiKeyHash}`, { method: 'DELETE' });
  await name(KEYS.busy, 'Busy team');
  await name(KEYS.gone, 'Left team');
});

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await upstream.stop();
});

async function aliases() {
  return aliasesResponseSchema.parse(await manager.json(ALIASES)).items;
}

async function aliasOf(key: string): Promise<string | undefined> {
  return (await aliases()).find((one) => one.apiKeyHash === hashOf(key))?.alias;
}

async function name(key: string, alias: string): Promise<void> {
  await manager.json(ALIASES, {
    method: 'PUT',
    body: JSON.stringify({ items: [{ apiKeyHash: hashOf(key), alias }] }),
  });
}

async function listed(): Promise<readonly string[]> {
  return (await manager.json<{ 'api-keys': string[] }>('/v0/management/api-keys'))['api-keys'];
}

async function openKeys(query = '', options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> {
  const one = await openPage(browser, options);
  opened.push(one);
  await one.page.goto(`${manager.url}/management.html#/api-keys${query}`);
  await one.page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
  await one.page.keyboard.press('Enter');
  await one.page.getByRole('heading', { level: 1 }).waitFor();
  return one;
}

const row = (page: Page, key: string) => page.locator(`[data-row="${hashOf(key)}"]`);
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Client key' });

describe('the page of client keys', () => {
  test('shows whose keys there are and what each used, and no key as it is', async () => {
    const { page, problems } = await openKeys();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await row(page, KEYS.busy).getByText('Busy team').waitFor();
    await row(page, SPARE).getByText('no name').waitFor();
    expect(await row(page, KEYS.gone).count()).toBe(0);
    await picture(page, 'api-keys-1440');
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByText(/^Removed \d/).click();
    await row(page, KEYS.gone).getByText('Left team').waitFor();
    await waitFor(() => page.url().includes('show=orphan'));
    await page.reload();
    await row(page, KEYS.gone).waitFor();

    await page.getByText(/^All \d/).click();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('busy team');
    await waitFor(() => /search=busy(\+|%20)team/.test(page.url()));
    expect(await page.locator('[data-row]').count()).toBe(1);
    // A part of a key finds it and stays out of the address.
    await search.fill(KEYS.quiet.slice(0, 20));
    await row(page, KEYS.quiet).waitFor();
    await waitFor(() => !page.url().includes('search='));
    await search.fill('nobody has this name');
    await page.getByText('No key matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(page, KEYS.busy).waitFor();

    const html = await page.content();
    for (const key of [...Object.values(KEYS), SPARE]) {
      expect(html).not.toContain(key);
      expect(asked.filter((url) => url.includes(key))).toEqual([]);
    }
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(String(stored)).not.toContain('marker-client-key');
    expect(problems).toEqual([]);
  }, 60_000);

  test('names a key, refuses a name that is taken, and takes one from a removed key when told to', async () => {
    const { page, problems } = await openKeys(`?key=${hashOf(KEYS.quiet)}`);
    const form = drawer(page);
    await form.getByText(/succeeded$/).waitFor();
    const field = form.getByRole('textbox', { name: 'Name' });
    await field.fill(' BUSY team ');
    await form.getByRole('button', { name: 'Save name' }).click();
    await form.getByText('Another client key has this name already.').waitFor();
    expect(await aliasOf(KEYS.quiet)).toBeUndefined();

    await field.fill('Left team');
    await form.getByRole('button', { name: 'Save name' }).click();
    await form.getByText('Confirm that the name may be taken').waitFor();
    await picture(page, 'api-keys-drawer-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await form.getByRole('checkbox').check();
    await form.getByRole('button', { name: 'Save name' }).click();
    await row(page, KEYS.quiet).getByText('Left team').waitFor();
    expect([await aliasOf(KEYS.quiet), await aliasOf(KEYS.gone)]).toEqual(['Left team', undefined]);

    await form.getByRole('button', { name: 'Remove name' }).click();
    await row(page, KEYS.quiet).getByText('no name').waitFor();
    expect(await aliasOf(KEYS.quiet)).toBeUndefined();
    const link = form.getByRole('link', { name: 'Requests of this key' });
    expect(await link.getAttribute('href')).toContain(`api_key_hash=${hashOf(KEYS.quiet)}`);
    expect(problems).toEqual([]);
  }, 60_000);

  test('makes a key, copies it, rotates it with its name, and deletes the old one', async () => {
    const { page, problems } = await openKeys('', { permissions: ['clipboard-read', 'clipboard-write'] });
    await row(page, KEYS.busy).waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'New client key' });
    await dialog.getByRole('textbox', { name: 'Prefix' }).fill('team-');
    await dialog.getByRole('textbox', { name: 'Name (optional)' }).fill('New team');
    await picture(page, 'api-keys-new-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add key' }).click();
    await dialog.getByText('The key is added.').waitFor();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    const made = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(made).toMatch(/^team-[A-Za-z0-9]{40}$/);
    expect(await listed()).toEqual([KEYS.busy, KEYS.quiet, SPARE, made]);
    expect(await aliasOf(made)).toBe('New team');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'hidden' });

    await row(page, made).getByText('New team').click();
    await drawer(page).getByRole('button', { name: 'Rotate' }).click();
    const rotating = page.getByRole('dialog', { name: 'Rotate client key' });
    await rotating.getByText('Give the new key the name “New team”').waitFor();
    await rotating.getByRole('button', { name: 'Add key' }).click();
    await rotating.getByText('The key is added.').waitFor();
    await rotating.getByRole('button', { name: 'Close' }).last().click();
    await rotating.waitFor({ state: 'hidden' });
    const successor = (await listed()).at(-1) ?? '';
    expect(successor).not.toBe(made);
    expect([await aliasOf(successor), await aliasOf(made)]).toEqual(['New team', 'New team (old)']);

    // Somebody else takes a key away meanwhile: places have moved.
    await manager.fetch('/v0/management/api-keys?index=2', { method: 'DELETE' });
    await row(page, made).getByText('New team (old)').click();
    await drawer(page).getByRole('button', { name: 'Delete key' }).click();
    const deleting = page.getByRole('dialog', { name: 'Delete this client key' });
    await deleting.getByText('No request in this range').waitFor();
    await picture(page, 'api-keys-delete-1440');
    await deleting.getByRole('checkbox').check();
    await deleting.getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('New team (old) is deleted.').waitFor();
    expect(await listed()).toEqual([KEYS.busy, KEYS.quiet, successor]);
    expect(await aliasOf(made)).toBeUndefined();
    expect(problems).toEqual([]);
  }, 60_000);

  test('goes on without the list of the gateway, and says so', async () => {
    const { page } = await openKeys('', { expected: /502|500/ });
    let failing = true;
    await page.route('**/v0/management/api-keys', (route) =>
      failing ? route.fulfill({ status: 502, json: { error: 'unreachable' } }) : route.continue(),
    );
    await page.reload();
    await page.getByText('The list of the gateway could not be read.').waitFor();
    await row(page, KEYS.busy).getByText('Busy team').waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).isDisabled()).toBe(true);
    failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, KEYS.busy).getByText('Active').waitFor();

    const none = { status: 200, json: { 'api-keys': [] } };
    await page.unroute('**/v0/management/api-keys');
    await page.route('**/v0/management/api-keys', (route) => route.fulfill(none));
    await page.reload();
    await page.getByText('The gateway has no client keys').waitFor();
  }, 60_000);

  test('stands on a phone, in the dark and in Chinese, without sideways scrolling', async () => {
    const { page, problems } = await openKeys('?show=all', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'zh-CN',
    });
    await row(page, KEYS.busy).waitFor();
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(await overflow()).toBe(0);
    await picture(page, 'api-keys-390-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    await row(page, KEYS.busy).click();
    await page.getByRole('complementary', { name: '客户端密钥' }).getByText('此密钥的请求').waitFor();
    await picture(page, 'api-keys-drawer-390-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await overflow()).toBe(0);
    expect(problems).toEqual([]);
  }, 60_000);
});
