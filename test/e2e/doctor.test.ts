import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { type OpenedPage, openPage, picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;
let healthy: OpenedPage;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway();
  manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  await gateway.publish(makeEvents({ seed: 3, numberFrom: 0 }).next().value);
  await until(async () => (await readStatus(manager)).events === 1);
  // The check takes ten seconds, while the other tests run.
  healthy = await openPage(rig.browser);
  await openAsAdmin(healthy.page, manager.url, '/dashboard');
  await healthy.page.locator('nav').getByRole('link', { name: 'Doctor' }).click();
}, 180_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

/** A check that reached the given state. */
const check = (page: Page, id: string, tone: string) => page.locator(`[data-check="${id}"][data-tone="${tone}"]`);

const openGood = (page: Page) =>
  page.getByRole('region', { name: 'OK' }).getByRole('button', { name: 'Details' }).click();

describe('the doctor', () => {
  test('turns on usage statistics that are off', async () => {
    const silent = await rig.gateway({ statsEnabled: false });
    const { page, problems } = await rig.open(await rig.managerOf(boundTo(silent)), '/doctor');
    await check(page, 'statistics', 'bad').waitFor();
    await page.getByText('Start with “Usage statistics”').waitFor();
    await check(page, 'statistics', 'bad').getByRole('button', { name: 'Turn on' }).click();
    await check(page, 'statistics', 'bad').waitFor({ state: 'detached' });
    await openGood(page);
    await check(page, 'statistics', 'ok').waitFor();
    expect(silent.config()['usage-statistics-enabled']).toBe(true);
    expect(problems).toEqual([]);
  }, 180_000);

  test('knows a refused key, and leads to where the right one is saved', async () => {
    const other = await rig.gateway({ managementKey: 'another-key' });
    const refused = await rig.managerOf(boundTo(other));
    await until(async () => (await readStatus(refused)).collector.keyRefused);
    const { page } = await rig.open(refused, '/doctor', { expected: /502|401/ });
    await check(page, 'upstream', 'bad').getByText('rejects the saved management key').waitFor();
    await check(page, 'collector', 'bad').waitFor();
    await check(page, 'statistics', 'unknown').waitFor();
    await picture(page, 'doctor-refused-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await check(page, 'upstream', 'bad').getByRole('link', { name: 'Save right key' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  }, 180_000);

  test('distinguishes a disabled collector from a failing one, on a phone too', async () => {
    const off = await rig.managerOf({});
    await off.post('/setup', {
      cpaBaseUrl: gateway.url,
      cpaManagementKey: TEST_UPSTREAM_KEY,
      requestMonitoringEnabled: false,
    });
    const { page, problems } = await rig.open(off, '/doctor', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await check(page, 'collector', 'warn').getByText('Collection is off').waitFor();
    await check(page, 'writing', 'off').waitFor();
    await check(page, 'visible', 'unknown').waitFor();
    await picture(page, 'doctor-off-390-dark');
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await check(page, 'collector', 'warn').getByRole('link', { name: 'Open settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('finds nothing on a healthy manager, once it has seen for ten seconds that nothing gets stuck', async () => {
    const { page, problems } = healthy;
    await page.getByText('No problems found.').waitFor();
    // One line for all that is good.
    expect(await page.locator('[data-check]').count()).toBe(0);
    await picture(page, 'doctor-good-1440');
    await openGood(page);
    await check(page, 'upstream', 'ok').waitFor();
    await picture(page, 'doctor-1440');
    await until(async () => (await page.locator('[data-check]').count()) > 15);
    expect(problems).toEqual([]);
  }, 180_000);
});
