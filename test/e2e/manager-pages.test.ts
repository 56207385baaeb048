import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { MANAGER_PAGES_PATH } from '@manager/core/contract/constants';
import { accessibilityProblems } from '../support/axe.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo } from '../support/test-gateway.ts';

let rig: PanelRig;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  manager = await rig.managerOf(boundTo(await rig.gateway()));
}, 180_000);
afterEach(() => rig.closePages());
afterAll(() => rig.end());

test('a page of the file beside the panel says when it cannot be had, and is there with the next try', async () => {
  const { page } = await rig.open(manager, '/');
  let asked = 0;
  const address = `**${MANAGER_PAGES_PATH}*`;
  // As after an update of the manager, while the panel is open.
  await page.route(address, (route) => {
    asked += 1;
    return route.fulfill({
      status: 200,
      contentType: 'text/javascript',
      body: 'export const NotificationsPage = null;',
    });
  });
  await page.evaluate("location.hash = '#/notifications'");
  await page.getByText('This page could not be loaded').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(asked).toBe(1);
  await page.unroute(address);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Nothing is sent.').waitFor();
  // Read once: the next page needs no request.
  let again = 0;
  page.on('request', (request) => {
    if (request.url().includes(MANAGER_PAGES_PATH)) again += 1;
  });
  await page.getByRole('link', { name: 'Model prices' }).click();
  await page.getByRole('heading', { name: 'Model prices', level: 1 }).waitFor();
  expect(again).toBe(0);
}, 120_000);
