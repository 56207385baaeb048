import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY, waitFor } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startUpstream } from '../support/upstream.ts';

let browser: Browser;
let upstream: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];
const managers: ManagerProcess[] = [];
const upstreams: Simulator[] = [];

beforeAll(async () => {
  [browser, upstream] = await Promise.all([launchBrowser(), gateway()]);
  manager = await managerOf(boundTo(upstream));
}, 60_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await Promise.all(managers.map((one) => one.remove()));
  await Promise.all(upstreams.map((one) => one.stop()));
});

async function gateway(options: Parameters<typeof startUpstream>[0] = {}): Promise<Simulator> {
  const one = await startUpstream(options);
  upstreams.push(one);
  return one;
}

async function managerOf(env: Record<string, string>): Promise<ManagerProcess> {
  const one = await ManagerProcess.start({ env });
  managers.push(one);
  return one;
}

async function signIn(page: Page, of: ManagerProcess, path: string): Promise<void> {
  await page.goto(`${of.url}/management.html#${path}`);
  await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
  await page.keyboard.press('Enter');
  await page.locator('.page-head').first().waitFor();
  // A manager whose upstream refuses the key opens its settings first.
  await page.goto(`${of.url}/management.html#${path}`);
}

async function open(
  of: ManagerProcess,
  path: string,
  options: Parameters<typeof openPage>[1] = {},
): Promise<OpenedPage> {
  const one = await openPage(browser, options);
  opened.push(one);
  await signIn(one.page, of, path);
  return one;
}

describe('banners', () => {
  test('an older panel says which of both to replace, on every page', async () => {
    const one = await openPage(browser);
    opened.push(one);
    await one.page.route('**/usage-service/info', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), version: '9.9.9' } });
    });
    await signIn(one.page, manager, '/system');
    await one.page.getByText('Panel and manager differ.').waitFor();
    await one.page.getByText('older than the manager 9.9.9').waitFor();
    await one.page.getByRole('button', { name: 'Reload', exact: true }).waitFor();
    expect(await one.page.getByRole('button', { name: 'Hide for a day' }).count()).toBe(0);
    expect(one.problems).toEqual([]);
  }, 60_000);

  test('an upstream that went away is told with the way to the doctor, who says the same', async () => {
    const leaving = await gateway();
    const left = await managerOf(boundTo(leaving));
    await waitFor(async () => (await readStatus(left)).collector.collector === 'running');
    await leaving.stop();
    await waitFor(async () => (await readStatus(left)).collector.collector === 'error');
    const { page } = await open(left, '/system', { expected: /502/ });
    await page.getByText('Upstream does not answer.').waitFor();
    await picture(page, 'banner-unreachable-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('alert').getByRole('link', { name: 'Open doctor' }).click();
    await page.getByText('The upstream does not answer.').waitFor();
  }, 60_000);
});
