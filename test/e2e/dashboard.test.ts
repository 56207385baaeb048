import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { DASHBOARD_PATH } from '@manager/core/contract/constants';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Browser } from 'playwright-core';
import {
  launchBrowser,
  type OpenedPage,
  openPage,
  picture,
  requestsUnderWay,
  sidewaysScroll,
} from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { noonZone } from '../support/noon-zone.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const EVENTS = 300;

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
  const events = makeEvents({ seed: 41, numberFrom: 0 });
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

async function open(options: Parameters<typeof openPage>[1] & { readonly url?: string } = {}): Promise<OpenedPage> {
  const { url = manager.url, ...others } = options;
  const one = await openPage(browser, { timezoneId: noonZone(), ...others });
  opened.push(one);
  await openAsAdmin(one.page, url, '/');
  await one.page.locator('[data-stat="requests"] .stat-value').waitFor();
  return one;
}

describe('the dashboard', () => {
  test('is the start page, and summarizes today', async () => {
    const { page, problems } = await open();
    await page.locator('.health-cell[data-tone="good"], .health-cell[data-tone="warn"]').first().waitFor();
    const answer = await manager.json<{ today: { total_calls: number } }>(
      `${DASHBOARD_PATH}?today_start_ms=${Date.now() - 3_600_000}&now_ms=${Date.now()}`,
    );
    expect(answer.today.total_calls).toBeGreaterThan(0);
    await page.locator('.chart-panel canvas').first().waitFor();
    await picture(page, 'dashboard-1440');
    expect(problems).toEqual([]);
  });

  test('bars and legends of its charts open their requests', async () => {
    const { page, problems } = await open();
    const traffic = page.getByRole('region', { name: /^Traffic/ });
    await traffic.locator('canvas').waitFor();
    await traffic.getByRole('link', { name: 'Failed' }).click();
    await until(() => /monitoring\?.*status=failed/.test(page.url()));
    await page.goBack();
    await page.getByRole('link', { name: 'Cache read' }).click();
    await until(() => /cache_status=read/.test(page.url()));
    await page.goBack();
    await traffic.locator('canvas').waitFor();
    await traffic.locator('.chart').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await until(() => /monitoring\?.*range=custom/.test(page.url()));
    expect(problems).toEqual([]);
  });

  test('its parts lead to the requests, prices and pages behind them', async () => {
    const { page, problems } = await open();
    const inventory = page.getByRole('region', { name: 'Inventory' });
    await inventory.getByRole('link', { name: /^Accounts 12/ }).waitFor();
    await inventory.getByRole('link', { name: /^Client keys 2/ }).waitFor();
    await inventory.getByRole('link', { name: /^Models [1-9]/ }).waitFor();
    await page.getByRole('link', { name: /^Manager .+ · Gateway / }).waitFor();
    await page.getByRole('link', { name: /\d unpriced/ }).click();
    await page.getByRole('heading', { name: 'Model prices', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('table', { name: 'Recent failures' }).locator('[data-row]').first().click();
    await page.waitForURL(/monitoring\/event\/[0-9a-f]+/);
    await page.goBack();
    await page.getByRole('table', { name: 'Account health' }).locator('[data-row]').first().press('Enter');
    await page.getByRole('heading', { name: 'Request monitoring' }).waitFor();
    expect(page.url()).toMatch(/account=|auth_index=/);
    expect(page.url()).not.toContain('@');
    expect(problems).toEqual([]);
  });

  test('a failing list of the gateway does not affect the others', async () => {
    const one = await openPage(browser, { expected: /500|404/ });
    opened.push(one);
    const { page } = one;
    await page.route('**/v0/management/auth-files', (route) => route.fulfill({ status: 500, json: { error: 'x' } }));
    await page.route('**/v0/management/xai-api-key', (route) => route.fulfill({ status: 404, json: { error: 'x' } }));
    await openAsAdmin(page, manager.url, '/');
    const inventory = page.getByRole('region', { name: 'Inventory' });
    await inventory.getByRole('link', { name: /^Accounts –/ }).waitFor();
    await inventory.getByRole('link', { name: /^Provider keys [1-9]/ }).waitFor();
    await inventory.getByRole('link', { name: /^Client keys 2/ }).waitFor();
  });

  test('one request per update', async () => {
    const { page } = await open();
    const asked: string[] = [];
    page.on('request', (request) => {
      // What the page before the reload still asks does not count.
      if (request.isNavigationRequest()) asked.length = 0;
      if (request.url().includes('/dashboard/') || request.url().includes('/monitoring/')) asked.push(request.url());
    });
    await page.reload();
    await page.locator('.chart-panel canvas').first().waitFor();
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  test('sends at most eight requests a minute while idle', async () => {
    const one = await openPage(browser, { ownClock: true });
    opened.push(one);
    const { page } = one;
    await openAsAdmin(page, manager.url, '/');
    await page.locator('.chart-panel canvas').first().waitFor();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const underWay = requestsUnderWay(page);
    for (let second = 0; second < 180; second++) {
      await page.clock.runFor(1_000);
      await until(() => underWay.size === 0);
    }
    const times = new Map<string, number>();
    for (const url of asked) times.set(new URL(url).pathname, (times.get(new URL(url).pathname) ?? 0) + 1);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect({ asked: asked.length <= 3 * 8 ? [] : [...times] }).toEqual({ asked: [] });
  });

  test('a cell of the grid opens its ten minutes, by keys too', async () => {
    const { page, problems } = await open();
    const cell = page.locator('button.health-cell:not([disabled])').last();
    await cell.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Request monitoring' }).waitFor();
    expect(page.url()).toContain('from');
    await page.goBack();
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });

  test('the first answer failed: it is said, and tried again', async () => {
    const { page } = await openPage(browser, { expected: /503/ }).then((one) => {
      opened.push(one);
      return one;
    });
    let broken = true;
    await page.route(`**${DASHBOARD_PATH}*`, (route) =>
      broken ? route.fulfill({ status: 503, json: { error: 'busy', code: 'request_failed' } }) : route.continue(),
    );
    await page.goto(`${manager.url}/management.html`);
    await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.getByText('The day could not be loaded').first().waitFor();
    broken = false;
    await page
      .getByRole('button', { name: /again|retry/i })
      .first()
      .click();
    await page.locator('.chart-panel canvas').first().waitFor();
  });

  test('no traffic is no problem', async () => {
    const { page, problems } = await open({ url: empty.url });
    await page.getByText('No traffic yet.').waitFor();
    await picture(page, 'dashboard-empty-1440');
    expect(problems).toEqual([]);
  });

  test('has no sideways scroll on a phone, a tablet and a desktop', async () => {
    const { page, problems } = await open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    await page.locator('.health-cell').first().waitFor();
    await picture(page, 'dashboard-390-dark');
    expect(await sidewaysScroll(page, [390, 1024, 1440])).toEqual([0, 0, 0]);
    expect(problems).toEqual([]);
  });
});
