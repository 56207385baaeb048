import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import type { OpenedPage, openPage } from '../support/browser.ts';
import { type ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

const EVENTS = 40;

let rig: PanelRig;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  const gateway = await rig.gateway();
  manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 5, numberFrom: 0, now: () => Date.now() });
  for (let index = 0; index < EVENTS; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === EVENTS);
}, 180_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

const go = (page: Page, path: string) => page.goto(`${manager.url}/management.html#${path}`);
const keyField = (page: Page) => page.getByLabel('Admin key', { exact: true });

async function signIn(page: Page): Promise<void> {
  await keyField(page).fill(TEST_ADMIN_KEY);
  await page.keyboard.press('Enter');
}

async function open(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> {
  const one = await rig.page({ ...options, ownClock: true });
  await openAsAdmin(one.page, manager.url, path);
  await one.page.getByRole('heading', { level: 1 }).and(one.page.locator(':not(form h1)')).waitFor();
  return one;
}

const choose = (page: Page, name: string, choice: string) =>
  page.getByRole('radiogroup', { name, exact: true }).getByText(choice, { exact: true }).click();

const heightOf = (page: Page) =>
  page
    .locator('table.data tbody tr[data-row]')
    .first()
    .evaluate((row) => row.getBoundingClientRect().height);

const transitionOf = (page: Page) =>
  page.evaluate("getComputedStyle(document.querySelector('.button')).transitionDuration");

describe('appearance settings of a browser', () => {
  test('hold on every page, also after a reload', async () => {
    const { page, problems } = await open('/usage-analytics?time_range=7d&tab=models');
    await until(async () => (await heightOf(page)) === 28);
    expect(await transitionOf(page)).toBe('0.12s');
    await go(page, '/settings?tab=appearance');
    await choose(page, 'Density', 'Comfortable');
    await choose(page, 'Motion', 'Reduced');
    await choose(page, 'Number format', '1.234,5');
    await choose(page, 'First day of the week', 'Sunday');
    await page.getByRole('combobox', { name: 'Start page' }).click();
    await page.getByRole('option', { name: 'System' }).click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.reload();
    await go(page, '/usage-analytics?time_range=7d&tab=models');
    await until(async () => (await heightOf(page)) === 36);
    expect(await transitionOf(page)).toBe('0s');
    await go(page, '/monitoring');
    await until(async () => (await heightOf(page)) === 36);
    await go(page, '/usage-analytics?time_range=7d&tab=heatmap');
    const first = page.locator('.heat-cell').first();
    await until(async () => /^Sunday/.test((await first.getAttribute('aria-label')) ?? ''));
    await go(page, '/');
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await page
      .getByText(/\d,\d MiB/)
      .first()
      .waitFor();
    expect(problems).toEqual([]);
  }, 180_000);
});

describe('the lock', () => {
  test('shows nothing after a time without input, and opens with the key alone', async () => {
    const { page } = await open('/settings?tab=privacy', { expected: /status of 401/ });
    await choose(page, 'Lock when idle', '15 min');
    await go(page, '/system');
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await page.clock.fastForward('14:00');
    await page.mouse.move(40, 40);
    await page.clock.fastForward('14:00');
    expect(await keyField(page).count()).toBe(0);
    await page.clock.fastForward('02:00');
    await keyField(page).waitFor();
    expect(await page.locator('.app').count()).toBe(0);
    expect(await page.title()).toContain('Sign in');
    expect(await accessibilityProblems(page)).toEqual([]);

    await keyField(page).fill('mgr_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The admin key is wrong.').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    expect(page.url()).toContain('#/system');

    // It stays open the whole time.
    await page.mouse.move(60, 60);
    await page.clock.fastForward('14:00');
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    expect(await keyField(page).count()).toBe(0);

    await page.clock.fastForward('16:00');
    await keyField(page).waitFor();
    await page.reload();
    await keyField(page).waitFor();
    expect(await page.locator('.app').count()).toBe(0);
  }, 180_000);

  test('waits while another tab is in use', async () => {
    const { page } = await open('/settings?tab=privacy');
    await choose(page, 'Lock when idle', '15 min');
    const other = await page.context().newPage();
    await go(other, '/system');
    await signIn(other);
    await other.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await page.clock.fastForward('14:00');
    await page.evaluate('new BroadcastChannel("mgrpanel:v1:input").onmessage = () => { heard = true }; heard = false');
    await other.mouse.move(40, 40);
    await page.waitForFunction('heard');
    await page.clock.fastForward('14:00');
    expect(await keyField(page).count()).toBe(0);
    await page.clock.fastForward('16:00');
    await keyField(page).waitFor();
  }, 180_000);
});
