import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator } from '../support/test-gateway.ts';

let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway();
  manager = await rig.managerOf(boundTo(gateway));
}, 180_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

describe('banners', () => {
  test('an older panel shows which of both to replace, on every page', async () => {
    const one = await rig.page();
    await one.page.route('**/usage-service/info', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), version: '9.9.9' } });
    });
    await openAsAdmin(one.page, manager.url, '/system');
    await one.page.getByText('Panel and manager versions differ.').waitFor();
    await one.page.getByText('older than the manager 9.9.9').waitFor();
    await one.page.getByRole('button', { name: 'Reload page', exact: true }).waitFor();
    expect(await one.page.getByRole('button', { name: 'Hide for a day' }).count()).toBe(0);
    expect(one.problems).toEqual([]);
  }, 180_000);

  test('an unreachable gateway is shown with a link to the doctor, which agrees', async () => {
    const leaving = await rig.gateway();
    const left = await rig.managerOf(boundTo(leaving));
    await until(async () => (await readStatus(left)).collector.collector === 'running');
    await leaving.stop();
    await until(async () => (await readStatus(left)).collector.collector === 'error');
    const { page } = await rig.open(left, '/system', { expected: /502/ });
    await page.getByText('The gateway does not respond.').waitFor();
    await picture(page, 'banner-unreachable-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('alert').getByRole('link', { name: 'Open doctor' }).click();
    await page.getByText('The gateway does not respond.', { exact: true }).waitFor();
  }, 180_000);

  test('a gateway that leaves is one banner, and old numbers show their age', async () => {
    const leaving = await rig.gateway({ authFiles: 3 });
    const left = await rig.managerOf(boundTo(leaving));
    await until(async () => (await readStatus(left)).collector.collector === 'running');
    const { page } = await rig.open(left, '/accounts', { expected: /502/ });
    const all = page.locator('[data-stat="all"]');
    await all.getByText('3', { exact: true }).waitFor();
    await leaving.stop();
    await until(async () => (await readStatus(left)).collector.collector === 'error');
    const note = page.getByText('The gateway does not respond.');
    await note.waitFor();
    await page.keyboard.press('r');
    await all.getByText(/ old/).waitFor();
    expect(await all.locator('.stat-value').textContent()).toBe('3');
    expect(await page.locator('.stats .skeleton').count()).toBe(0);
    expect(await page.locator('.note').count()).toBe(1);
    await picture(page, 'gateway-down-accounts-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    // A page that was never loaded has no numbers, and does not pretend to load them.
    await page.reload();
    await all.getByText('–').waitFor();
    expect(await page.locator('.stats .skeleton').count()).toBe(0);
    await page.goto(page.url().replace(/#.*/, '#/dashboard'));
    await page.getByText('Requests today', { exact: true }).waitFor();
    await note.waitFor();
    await until(async () => (await page.locator('.note').count()) === 1);
    await picture(page, 'gateway-down-dashboard-1440');
  }, 180_000);

  test('publishing that is off is switched on from the banner, which then leaves', async () => {
    const silent = await rig.gateway();
    const beside = await rig.managerOf(boundTo(silent));
    await until(async () => (await readStatus(beside)).collector.collector === 'running');
    await beside.fetch('/v0/management/usage-statistics-enabled', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ value: false }),
    });
    await until(async () => (await readStatus(beside)).collector.starvedReason === 'publishing_off');
    const { page } = await rig.open(beside, '/system');
    const banner = page.getByText('The gateway does not publish its usage, so requests are not recorded.');
    await banner.waitFor();
    await picture(page, 'banner-publishing-off-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await banner.waitFor({ state: 'detached' });
    expect(silent.config()['usage-statistics-enabled']).toBe(true);
  }, 180_000);
});
