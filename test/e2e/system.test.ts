import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { until } from '@manager/core/testing/until';
import type { Browser, Page } from 'playwright-core';
import { problemsInBothThemes } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture, press, sidewaysScroll } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const LATEST = '**/v0/management/latest-version';

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

async function openSystem(
  options: Parameters<typeof openPage>[1] = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<OpenedPage> {
  const one = await openPage(browser, options);
  opened.push(one);
  await prepare(one.page);
  await one.page.goto(`${manager.url}/management.html#/system`);
  await one.page.getByLabel('Admin key', { exact: true }).fill(TEST_ADMIN_KEY);
  await one.page.keyboard.press('Enter');
  await one.page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
  return one;
}

const panel = (page: Page, name: string) => page.getByRole('region', { name });
/** A browser where update checks are allowed. */
const allowed = (page: Page) => page.addInitScript(`localStorage['mgrpanel:v1:prefs'] ??= '{"updateChecks":true}'`);
const versionAnswer = (version: string) => async (page: Page) => {
  await allowed(page);
  await page.route(LATEST, (route) => route.fulfill({ json: { 'latest-version': version } }));
};

describe('versions', () => {
  test('shows the versions, and no path of the database', async () => {
    const { page, problems } = await openSystem({}, allowed);
    await panel(page, 'Versions').getByText('v7.2.140', { exact: true }).first().waitFor();
    await panel(page, 'Versions').getByText('up to date').waitFor();
    await panel(page, 'Database').getByText('Stored events').waitFor();
    await panel(page, 'Maintenance').getByText('Completed').waitFor();
    expect(await page.locator('main').textContent()).not.toContain(manager.dataDir);
    await picture(page, 'system-1440');
    expect(problems).toEqual([]);
  });

  test('a newer gateway is shown, and checked once a day only', async () => {
    let asked = 0;
    const { page } = await openSystem({}, async (one) => {
      await allowed(one);
      await one.route(LATEST, (route) => {
        asked += 1;
        return route.fulfill({ json: { 'latest-version': 'v7.3.0' } });
      });
    });
    await panel(page, 'Versions').getByText('newer than the running version').waitFor();
    await page.reload();
    await panel(page, 'Versions').getByText('newer than the running version').waitFor();
    expect(asked).toBe(1);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await until(() => asked === 2);
  });

  test('updates are checked only if that is allowed, or on request', async () => {
    let asked = 0;
    const { page, problems } = await openSystem({}, async (one) => {
      await one.route(LATEST, (route) => {
        asked += 1;
        return route.fulfill({ json: { 'latest-version': 'v7.3.0' } });
      });
    });
    await panel(page, 'Versions').getByText('Not checked').waitFor();
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByText('Requests today', { exact: true }).waitFor();
    await navigation.getByRole('link', { name: 'System' }).click();
    await panel(page, 'Versions').getByText('Not checked').waitFor();
    expect(asked).toBe(0);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await panel(page, 'Versions').getByText('newer than the running version').waitFor();
    expect(asked).toBe(1);
    await page.evaluate('delete localStorage["mgrpanel:v1:updates"]');
    await page.goto(`${manager.url}/management.html#/settings?tab=privacy`);
    await page.getByRole('switch', { name: 'Check for updates' }).press('Space');
    await page.reload();
    await page.goto(`${manager.url}/management.html#/system`);
    await panel(page, 'Versions').getByText('newer than the running version').waitFor();
    expect(asked).toBe(2);
    expect(problems).toEqual([]);
  });

  test('a check that failed is never "up to date", and other kinds of builds are not compared', async () => {
    const failed = await openSystem({ expected: /502/ }, async (page) => {
      await allowed(page);
      await page.route(LATEST, (route) => route.fulfill({ status: 502, json: { error: 'no internet' } }));
    });
    await panel(failed.page, 'Versions').getByText('Check failed').waitFor();
    expect(await panel(failed.page, 'Versions').getByText('up to date').count()).toBe(0);
    const nightly = await openSystem({}, versionAnswer('nightly-2026'));
    await panel(nightly.page, 'Versions').getByText('not compared').waitFor();
  });
});

describe('the gateway', () => {
  test('models by owner, found by a part of their name', async () => {
    const { page, problems } = await openSystem();
    const models = panel(page, 'Models');
    await models.getByText('gpt-5.4', { exact: true }).waitFor();
    await models.getByRole('searchbox').fill('ANTHROPIC opus');
    await models.getByText('claude-opus-4-6').waitFor();
    await models.getByText('gpt-5.4', { exact: true }).waitFor({ state: 'detached' });
    await models.getByRole('searchbox').fill('no such model');
    await models.getByText('No models match').waitFor();
    expect(problems).toEqual([]);
  });

  test('the request log is enabled only after a confirmation', async () => {
    const { page, problems } = await openSystem({ expected: /502/ });
    const log = panel(page, 'Request log');
    const isOn = () => gateway.config()['request-log'] === true;
    await press(log.getByRole('switch'));
    const dialog = page.getByRole('dialog', { name: 'Log whole requests' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(isOn()).toBe(false);
    await press(log.getByRole('switch'));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await until(isOn);
    await dialog.waitFor({ state: 'detached' });
    await press(log.getByRole('switch'));
    await until(() => !isOn());
    // The gateway dies after it has turned the log on: the switch shows what it has.
    await log.getByRole('switch', { checked: false, disabled: false }).waitFor({ state: 'attached' });
    gateway.fault({ kind: 'close-before-reply', on: 'HTTP', match: { method: 'PUT' } });
    await press(log.getByRole('switch'));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.waitFor({ state: 'detached' });
    await log.getByRole('switch', { checked: true }).waitFor({ state: 'attached' });
    expect(isOn()).toBe(true);
    expect(problems).toEqual([]);
  });

  test('a part that cannot be read leaves the others alone', async () => {
    const { page } = await openSystem({ expected: /500|404/ }, async (one) => {
      await one.route('**/v1/models', (route) => route.fulfill({ status: 500, json: { error: 'x' } }));
      await one.route('**/v0/management/request-log', (route) => route.fulfill({ status: 404, json: { error: 'x' } }));
    });
    await panel(page, 'Models').getByText('The models could not be loaded').waitFor();
    await panel(page, 'Request log').getByText('This gateway has no request log').waitFor();
    await panel(page, 'Database').getByText('Stored events').waitFor();
  });
});

describe('help and local data', () => {
  test('the support bundle holds state and settings, and no secret', async () => {
    const { page, problems } = await openSystem();
    await panel(page, 'Database').getByText('Stored events').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save support bundle' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ status: { events: 0 }, config: { source: 'env' } });
    for (const secret of [TEST_ADMIN_KEY, TEST_UPSTREAM_KEY, manager.dataDir]) expect(text).not.toContain(secret);
    expect(problems).toEqual([]);
  });

  test('local data are cleared as chosen: preferences go, the sign-in stays or goes', async () => {
    const { page, problems } = await openSystem();
    const preferences = () => page.evaluate('localStorage.getItem("mgrpanel:v1:prefs")');
    await page.evaluate(
      'localStorage.setItem("mgrpanel:v1:prefs", JSON.stringify({ theme: "dark", language: "zh-CN" }))',
    );
    await page.reload();
    await page.getByRole('button', { name: '清除本地数据' }).click();
    await page.getByRole('dialog').getByLabel('偏好设置').check();
    await page.getByRole('dialog').getByRole('button', { name: '清除', exact: true }).click();
    await page.getByRole('button', { name: 'Clear local data' }).waitFor();
    expect(String(await preferences())).not.toContain('zh-CN');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear local data' }).click();
    await page.getByRole('dialog').getByLabel('Sign-in').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByLabel('Admin key', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('has no sideways scroll on a phone and a tablet', async () => {
    const { page, problems } = await openSystem({ viewport: { width: 390, height: 844 } });
    await panel(page, 'Models').getByText('gpt-5.4', { exact: true }).waitFor();
    await picture(page, 'system-390');
    expect(await problemsInBothThemes(page)).toEqual([]);
    expect(await sidewaysScroll(page, [390, 1024])).toEqual([0, 0]);
    await page.getByRole('button', { name: 'License notices' }).click();
    await page.getByRole('dialog').getByText('react-dom').waitFor();
    expect(problems).toEqual([]);
  });
});
