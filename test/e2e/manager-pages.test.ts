import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { MANAGER_PAGES_PATH, PANEL_SCRIPT_PATH } from '@manager/core/contract/constants';
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

describe('the script of the page', () => {
  test('is kept by the browser, and asked for again after an update', async () => {
    const { page } = await rig.open(manager, '/');
    const asked: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes(PANEL_SCRIPT_PATH)) asked.push(response.headers()['cache-control'] ?? '');
    });
    await page.goto('about:blank');
    await page.goto(`${manager.url}/management.html#/settings`);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    const addresses = await page.evaluate<readonly string[]>('Array.from(document.scripts, ({ src }) => src)');
    const [address = ''] = addresses.filter((one) => one !== '');
    expect(address).toStartWith(`${manager.url}${PANEL_SCRIPT_PATH}?digest=`);
    expect(asked.every((one) => one === 'public, max-age=31536000, immutable')).toBe(true);
    const script = new Uint8Array(await (await fetch(address)).arrayBuffer());
    expect(address).toEndWith(createHash('sha256').update(script).digest('hex'));
  }, 120_000);

  test.each([
    ['another one', { status: 200, contentType: 'text/javascript', body: 'document.title = "other";' }],
    ['a page of a proxy', { status: 404, contentType: 'text/html', body: 'not found' }],
  ])(
    '%s in its place is not run, and the page says what to do',
    async (_, answer) => {
      const { page } = await rig.page({ expected: /integrity|404|Failed to load|digest/i });
      await page.route(`**${PANEL_SCRIPT_PATH}*`, (route) => route.fulfill(answer));
      await page.goto(`${manager.url}/management.html`);
      await page.getByText('could not be loaded. Reload the page.').waitFor();
      expect(await page.title()).toBe('Gateway manager');
    },
    120_000,
  );
});
