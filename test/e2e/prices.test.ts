import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { MODEL_PRICES_PATH, modelPricesResponseSchema } from '@manager/core/contract/prices';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const EVENTS = 200;

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  await putPrices({});
  const events = makeEvents({ seed: 5, numberFrom: 0 });
  for (let index = 0; index < EVENTS; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === EVENTS);
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

async function putPrices(prices: object): Promise<void> {
  await manager.json(MODEL_PRICES_PATH, { method: 'PUT', body: JSON.stringify({ prices }) });
}

async function storedPrices() {
  return modelPricesResponseSchema.parse(await manager.json(MODEL_PRICES_PATH)).prices;
}

async function openPrices(query = '', options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> {
  const one = await openPage(browser, options);
  opened.push(one);
  await one.page.goto(`${manager.url}/management.html#/model-prices${query}`);
  await one.page.getByLabel('Admin key', { exact: true }).fill(TEST_ADMIN_KEY);
  await one.page.keyboard.press('Enter');
  await one.page.getByRole('heading', { name: 'Model prices', level: 1 }).waitFor();
  return one;
}

const rows = (page: Page) => page.locator('[data-row]');
const editor = (page: Page) => page.getByRole('complementary', { name: 'Model price' });

describe('the page of prices', () => {
  test('shows used models without a price first, filters, and keeps the choice in the address', async () => {
    await putPrices({ 'house-model': { prompt: 2, completion: 8, source: 'manual' } });
    const { page, problems } = await openPrices();
    await rows(page).first().waitFor();
    await page.getByRole('radio', { name: /^No price/, checked: true }).waitFor();
    await picture(page, 'prices-1440');
    await page.getByText(/^Saved 1$/).click();
    await page.locator('[data-row="house-model"]').waitFor();
    await until(() => page.url().includes('filter=saved'));
    await page.reload();
    await page.locator('[data-row="house-model"]').waitFor();
    await until(async () => (await rows(page).count()) === 1);
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such model');
    await page.getByText('No models match', { exact: true }).waitFor();
    await until(() => /search=no(\+|%20)such/.test(page.url()));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows(page).first().waitFor();
    expect(page.url()).not.toContain('search=');
    await page.goBack();
    await page.getByText('No models match', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a price is checked, saved with all others kept, and removed', async () => {
    await putPrices({ 'house-model': { prompt: 2, completion: 8, source: 'manual' } });
    const { page, problems } = await openPrices();
    // Models without a price are first once the used ones are known.
    await page.getByRole('radio', { name: /^No price/, checked: true }).waitFor();
    const model = (await rows(page).first().getAttribute('data-row')) ?? '';
    await page.locator(`[data-row="${model}"]`).click();
    const form = editor(page);
    await form.getByText('Price lookup').waitFor();
    const input = form.getByLabel('Input', { exact: true }).first();
    await input.fill('-1');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('Enter 0 or more.').waitFor();
    expect(Object.keys(await storedPrices())).toEqual(['house-model']);
    await input.fill('0');
    await form.getByLabel('Output', { exact: true }).first().fill('8');
    await picture(page, 'prices-editor-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    const stored = await storedPrices();
    expect(stored['house-model']).toMatchObject({ prompt: 2, completion: 8 });
    expect(stored[model]).toMatchObject({ prompt: 0, promptConfigured: true, completion: 8, source: 'manual' });

    await page.goto(`${manager.url}/management.html#/model-prices?filter=saved&model=${encodeURIComponent(model)}`);
    await form.getByRole('button', { name: 'Remove price' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove price' }).click();
    await until(async () => !Object.hasOwn(await storedPrices(), model));
    expect(problems).toEqual([]);
  });

  test('asks before unsaved input is lost: by a link, by Back, by another row, by closing the page', async () => {
    await putPrices({ 'house-model': { prompt: 2, completion: 8, source: 'manual' } });
    const { page, problems } = await openPrices('?filter=all');
    await page.locator('[data-row="house-model"]').click();
    const input = editor(page).getByLabel('Input', { exact: true }).first();
    const question = page.getByRole('dialog', { name: 'Discard changes' });
    const stay = async () => {
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'hidden' });
      await until(() => page.url().includes('model=house-model'));
      expect(await input.inputValue()).toBe('9');
    };
    await input.fill('9');
    await page.getByRole('link', { name: 'Request monitoring' }).click();
    await question.getByText('Your changes are not saved.').waitFor();
    await stay();
    await page.goBack();
    await stay();
    await rows(page).filter({ hasNotText: 'house-model' }).first().click();
    await stay();
    const unload = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    const asked = await unload;
    expect(asked.type()).toBe('beforeunload');
    await asked.dismiss();
    expect(await input.inputValue()).toBe('9');

    await page.getByRole('link', { name: 'Request monitoring' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Request monitoring', level: 1 }).waitFor();
    await page.goBack();
    await editor(page).waitFor();
    expect(await input.inputValue()).toBe('2');
    // Signing out closes the form too.
    await input.fill('9');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin key', { exact: true }).fill(TEST_ADMIN_KEY);
    await page.keyboard.press('Enter');
    await editor(page).waitFor();
    expect(await input.inputValue()).toBe('2');
    // A saved form needs no confirmation.
    await input.fill('3');
    await page.keyboard.press('Enter');
    await editor(page).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Request monitoring' }).click();
    await page.getByRole('heading', { name: 'Request monitoring', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });

  test('what somebody else saved meanwhile is not overwritten unseen', async () => {
    await putPrices({ 'house-model': { prompt: 2, completion: 8, source: 'manual' } });
    const { page, problems } = await openPrices('?filter=saved&model=house-model');
    const form = editor(page);
    await form.getByLabel('Input', { exact: true }).first().fill('3');
    await putPrices({ 'house-model': { prompt: 5, completion: 8, source: 'manual' } });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('Changed elsewhere.').waitFor();
    await form.getByText('Input 5 → 3').waitFor();
    expect((await storedPrices())['house-model']?.prompt).toBe(5);
    await form.getByRole('button', { name: 'Save my values' }).click();
    await until(async () => (await storedPrices())['house-model']?.prompt === 3);
    expect(problems).toEqual([]);
  });

  test('a sync shows what changed and takes it back; one that fails keeps the table', async () => {
    const before = { 'house-model': { prompt: 2, completion: 8, cache: 0, source: 'litellm' } };
    await putPrices(before);
    const { page } = await openPrices('?filter=saved', { expected: /502/ });
    await page.locator('[data-row="house-model"]').waitFor();
    // The public catalogs are not part of this test; only their answers are.
    await page.route('**/model-prices/sync', async (route) => {
      const prices = { 'house-model': { ...before['house-model'], prompt: 3, source: 'models.dev' } };
      await putPrices(prices);
      const sourceResults = [
        { source: 'models.dev', models: 1, skipped: 0 },
        { source: 'litellm', models: 0, skipped: 0, error: 'timeout' },
      ];
      const body = {
        source: 'models.dev',
        sources: ['models.dev'],
        imported: 1,
        skipped: 0,
        proxyUsed: false,
        sourceResults,
      };
      await route.fulfill({ json: { ...body, matched: prices, prices: await storedPrices() } });
    });
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Sync prices' });
    await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
    await dialog.getByText('Input 2 → 3').waitFor();
    await dialog.getByText('timeout').waitFor();
    await picture(page, 'prices-sync-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('Old prices restored.').waitFor();
    expect((await storedPrices())['house-model']?.prompt).toBe(2);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    // Keyboard shortcuts of the page are off until the dialog closes.
    await dialog.waitFor({ state: 'hidden' });

    await page.unroute('**/model-prices/sync');
    await page.route('**/model-prices/sync', async (route) => {
      // Until then the button, which has the focus, is disabled, and loses it.
      await page.waitForFunction('document.activeElement === document.body');
      await route.fulfill({
        status: 502,
        json: {
          error: 'no price catalog responded: models.dev: timeout; litellm: HTTP 503',
          code: 'model_price_sync_failed',
        },
      });
    });
    await page.keyboard.press('s');
    await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
    await dialog.getByText(/litellm: HTTP 503/).waitFor();
    await dialog.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('[data-row="house-model"]').waitFor();
  });

  test('shows why it is empty: failed, then loaded again', async () => {
    const { page } = await openPrices('', { expected: /500/ });
    await page.route('**/v0/management/model-prices', (route) =>
      route.fulfill({ status: 500, json: { error: 'broken' } }),
    );
    await page.reload();
    await page.getByText('The prices could not be loaded', { exact: true }).waitFor();
    await page.unroute('**/v0/management/model-prices');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page).first().waitFor();
  });

  test('fits on a phone, and in the dark theme, without sideways scrolling', async () => {
    const { page, problems } = await openPrices('?filter=all', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await rows(page).first().waitFor();
    await picture(page, 'prices-390-dark');
    await rows(page).first().click();
    await editor(page).getByText('Price lookup').waitFor();
    await picture(page, 'prices-editor-390-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(problems).toEqual([]);
  });
});
