import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ANALYTICS_PATH, analyticsResponseSchema } from '@manager/core/contract/monitoring/analytics';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture, press } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const EVENTS = 300;
const SPAN_MS = 6 * 86_400_000;
const TABS = ['Overview', 'Trends', 'Models', 'Client keys', 'Accounts', 'Heat map', 'Compare'];

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
let empty: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
  empty = await ManagerProcess.start({ env: { ...boundTo(gateway), USAGE_COLLECTOR_MODE: 'http' } });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  let clock = Date.now() - SPAN_MS;
  const events = makeEvents({
    seed: 17,
    numberFrom: 0,
    now: () => {
      clock += SPAN_MS / EVENTS;
      return Math.min(clock, Date.now());
    },
  });
  for (let index = 0; index < EVENTS; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === EVENTS);
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await empty.remove();
  await gateway.stop();
});

async function open(
  query = '?time_range=7d',
  options: Parameters<typeof openPage>[1] & { readonly url?: string } = {},
): Promise<OpenedPage> {
  const { url = manager.url, ...others } = options;
  const one = await openPage(browser, others);
  opened.push(one);
  await one.page.goto(`${url}/management.html#/usage-analytics${query}`);
  await one.page.getByLabel('Admin key', { exact: true }).fill(TEST_ADMIN_KEY);
  await one.page.keyboard.press('Enter');
  await one.page.getByRole('heading', { name: 'Usage analytics', level: 1 }).waitFor();
  return one;
}

const stat = (page: Page, key: string) => page.locator(`[data-stat="${key}"] .stat-link`).first();
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Analytics views' }).getByRole('link', { name, exact: true });
const drawer = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true });

async function countOf(filters: object): Promise<number> {
  const body = { from_ms: Date.now() - 7 * 86_400_000, to_ms: Date.now(), filters, include: { summary: true } };
  const answer = await manager.json(ANALYTICS_PATH, { method: 'POST', body: JSON.stringify(body) });
  return analyticsResponseSchema.parse(answer).summary?.total_calls ?? 0;
}

describe('usage analytics', () => {
  test('shows where it goes in at most three questions, and every number opens its requests', async () => {
    const { page, problems } = await open();
    await stat(page, 'requests').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      // What the page before the reload still asks does not count.
      if (request.isNavigationRequest()) asked.length = 0;
      if (request.url().includes('/monitoring/')) asked.push(request.url());
    });
    await page.reload();
    await stat(page, 'requests').waitFor();
    await page.locator('.chart-panel canvas').first().waitFor();
    await page.getByText('Top providers').waitFor();
    expect(asked.length).toBeLessThanOrEqual(3);
    const total = await countOf({});
    expect(await stat(page, 'requests').textContent()).toBe(String(total));
    await page.getByRole('button', { name: 'Calculation of Cost', exact: true }).click();
    await page.getByText(/The tokens of every request at current prices/).waitFor();
    // It takes the focus, and with it the keys, after it is drawn.
    await page.locator('[role="dialog"]:focus-within').waitFor();
    await page.keyboard.press('Escape');
    await picture(page, 'analytics-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await stat(page, 'failure').click();
    await page.getByRole('heading', { name: 'Request monitoring', level: 1 }).waitFor();
    expect(page.url()).toContain('status=failed');
    const failed = String(await countOf({ failed_only: true }));
    await page.locator(`[data-stat="requests"] .stat-value[title="${failed}"]`).waitFor();
    expect(problems).toEqual([]);
  });

  test('the first models, client keys and providers open what they are about, by mouse and by key', async () => {
    const { page, problems } = await open();
    const first = (title: string) =>
      page.getByRole('region', { name: title, exact: true }).locator('[data-row]').first();
    const keyOf = async (title: string) => (await first(title).getAttribute('data-row')) ?? '';
    await first('Top models').waitFor();
    const model = await keyOf('Top models');
    await first('Top models').click();
    await drawer(page, 'Model').getByTitle(model, { exact: true }).first().waitFor();
    await until(() => page.url().includes('tab=models'));
    await page.goBack();
    const name = (await first('Top client keys').locator('td').first().textContent()) ?? '';
    await first('Top client keys').press('Enter');
    await drawer(page, 'Client key').getByTitle(name, { exact: true }).first().waitFor();
    // The row was removed with its table: keys now go to the drawer.
    await page.keyboard.press('Escape');
    await drawer(page, 'Client key').waitFor({ state: 'detached' });
    await page.goBack();
    await until(() => page.url().includes('tab=apiKeys'));
    await page.goBack();
    const provider = await keyOf('Top providers');
    await first('Top providers').press('Enter');
    await page.getByRole('heading', { name: 'Request monitoring', level: 1 }).waitFor();
    expect(page.url()).toContain(`provider=${encodeURIComponent(provider)}`);
    await page.locator('.table-panel [data-row], .monitoring-head').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('a model in detail, by a link that lasts', async () => {
    const { page, problems } = await open('?time_range=7d&tab=models');
    const row = page.locator('[data-row]').first();
    await row.waitFor();
    const model = (await row.getAttribute('data-row')) ?? '';
    await row.click();
    await drawer(page, 'Model').getByText('Tokens per request').waitFor();
    expect(page.url()).toContain(`open=${encodeURIComponent(model)}`);
    await page.reload();
    const foot = drawer(page, 'Model').getByRole('link', { name: 'Open these requests' });
    await foot.waitFor();
    await drawer(page, 'Model').getByText('Client keys', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer(page, 'Model').waitFor({ state: 'detached' });
    await page.goBack();
    await foot.click();
    const count = String(await countOf({ models: [model] }));
    await page.locator(`[data-stat="requests"] .stat-value[title="${count}"]`).waitFor();
    expect(problems).toEqual([]);
  });

  test('a filter changes every number and is in the address; a bucket opens beside the chart', async () => {
    const { page, problems } = await open('?time_range=7d&tab=trends&status=failed');
    const failed = String(await countOf({ failed_only: true }));
    await stat(page, 'requests').getByText(failed, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove Status: Failed' }).click();
    await stat(page, 'requests')
      .getByText(String(await countOf({})), { exact: true })
      .waitFor();
    expect(page.url()).not.toContain('status=');
    await page.getByRole('button', { name: '4 series' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'P95 latency' }).click();
    await until(() => page.url().includes('series=p95'));
    await page.keyboard.press('Escape');
    // Focus returns when it closes.
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const chart = page.getByRole('group', { name: 'Trend' });
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await drawer(page, 'Bucket').getByText('Compared with previous bucket').waitFor();
    await page.keyboard.press('Escape');
    await drawer(page, 'Bucket').waitFor({ state: 'detached' });
    await chart.focus();
    await page.keyboard.press('t');
    await page.getByRole('table', { name: 'Trend' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a view can be saved under a name', async () => {
    const { page, problems } = await open('?time_range=7d&status=failed');
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    const views = page.getByRole('dialog', { name: 'Views' });
    await views.getByLabel('View name').fill('Failed of the week');
    await views.getByLabel('View name').press('Enter');
    await views.getByRole('link', { name: 'Failed of the week' }).waitFor();
    await page.keyboard.press('Escape');
    await views.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Status: Failed' }).click();
    await until(() => !page.url().includes('status='));
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await views.getByRole('link', { name: 'Failed of the week' }).click();
    await until(() => page.url().includes('status=failed'));
    await page.getByRole('button', { name: 'Remove Status: Failed' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('masked files contain no full hash', async () => {
    const { page, problems } = await open('?time_range=7d&tab=apiKeys');
    await page.locator('[data-row]').first().waitFor();
    const hash = (await page.locator('[data-row]').first().getAttribute('data-row')) ?? '';
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    for (const panel of ['Client keys', 'Client keys over time']) {
      const region = page.getByRole('region', { name: panel, exact: true });
      await region.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Save as JSON' }).click();
      const text = readFileSync((await (await download).path()) ?? '', 'utf8');
      expect(JSON.parse(text).length).toBeGreaterThan(0);
      expect(text).not.toContain(hash);
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
    // Checked as the address says, which follows the click: no `uncheck`, which would look at once.
    await page.locator('[data-row]').first().getByRole('checkbox', { checked: true }).click();
    await until(() => page.url().includes('lines='));
    expect(problems).toEqual([]);
  });

  test('the heat map by keys, and one of its days', async () => {
    const { page, problems } = await open('?time_range=7d&tab=heatmap');
    await page.locator('.heat-cell').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const cell = drawer(page, 'Hour of the week');
    await cell.getByRole('heading', { name: 'Days' }).waitFor();
    await cell.locator('.day-chips button').nth(1).click();
    await cell.getByRole('link', { name: 'Open these requests' }).waitFor();
    expect(page.url()).toContain('day=');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('compares two times, and two models', async () => {
    const { page, problems } = await open('?time_range=24h&tab=compare');
    await stat(page, 'requests').waitFor();
    await page.getByRole('table', { name: 'All metrics' }).waitFor();
    const first = await stat(page, 'requests').textContent();
    await page.getByRole('button', { name: 'Swap A and B' }).click();
    await page
      .locator('[data-stat="requests"] .stat-qualifier')
      .getByText(first ?? '', { exact: true })
      .waitFor();
    expect(page.url()).toContain('a=');
    await picture(page, 'analytics-compare-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page.getByRole('radio', { name: 'Models' }));
    await page.getByRole('combobox', { name: 'Side A' }).waitFor();
    // What is compared is no part of the difference.
    await page.getByRole('combobox', { name: 'Split by' }).click();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['By client key', 'By account', 'By provider']);
    await page.getByRole('option', { name: 'By provider' }).click();
    await page
      .getByRole('table', { name: 'Cost differences' })
      .getByRole('columnheader', { name: 'Provider' })
      .waitFor();
    expect(page.url()).toContain('parts=providers');
    await page.getByText(/^Green and red: at least 100 requests/).waitFor();
    expect(problems).toEqual([]);
  });

  test('shows why it is empty: not known to the manager, failed, then loaded again; without requests, with the solution', async () => {
    const { page } = await open('', { expected: /404|503/ });
    await page.route(`**${ANALYTICS_PATH}`, (route) => route.fulfill({ status: 404, json: { error: 'not found' } }));
    await page.reload();
    await page.getByText('This manager has no analytics').first().waitFor();
    await page.unroute(`**${ANALYTICS_PATH}`);
    await page.route(`**${ANALYTICS_PATH}`, (route) =>
      route.fulfill({ status: 503, json: { error: 'busy', code: 'request_failed' } }),
    );
    await page.reload();
    await page.getByText('The numbers could not be loaded').first().waitFor();
    await page.unroute(`**${ANALYTICS_PATH}`);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await stat(page, 'requests').waitFor();

    const { page: none, problems } = await open('', { url: empty.url });
    await none.getByText('No requests in this range').first().waitFor();
    await none.getByRole('button', { name: 'Show 30 days' }).first().click();
    await until(() => none.url().includes('time_range=30d'));
    expect(problems).toEqual([]);
  });

  test('every tab fits on a phone, in the dark theme, without sideways scrolling', async () => {
    const { page, problems } = await open('?time_range=7d', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    for (const name of TABS) {
      await tab(page, name).click();
      await tab(page, name).and(page.locator('[aria-current="page"]')).waitFor();
      await stat(page, 'requests').waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect({ name, width }).toEqual({ name, width: 0 });
    }
    await picture(page, 'analytics-390-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
