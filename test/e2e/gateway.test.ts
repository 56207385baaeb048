import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { accountFile, type JsonObject } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems, problemsInBothThemes } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const PANEL_FILE = join(import.meta.dir, '../../packages/panel/dist/management.html');
/** The page's server has no manager, which the browser reports as a failed request. */
const NO_MANAGER = /usage-service\/info|404/;
const OPTIONS = { expected: NO_MANAGER };

let rig: PanelRig;
let gateway: Simulator;

beforeAll(async () => {
  rig = await startPanelRig();
  const one = accountFile({
    provider: 'codex',
    email: 'one@example.test',
    account: { primary: { seconds: 18_000, usedPercent: 30 }, secondary: { seconds: 604_800, usedPercent: 55 } },
  });
  gateway = await rig.gateway({
    panelFile: PANEL_FILE,
    authFiles: [
      { ...one, row: { ...one.row, ...recent([0, 0], [5, 1], [40, 2]) } },
      {
        name: 'codex-two@example.test.json',
        type: 'codex',
        email: 'two@example.test',
        row: recent([3, 0], [0, 4], [0, 2]),
      },
      { name: 'claude-off@example.test.json', type: 'claude', email: 'off@example.test', disabled: true },
    ],
  });
});
afterAll(() => rig.end());
afterEach(() => rig.closePages());

/** What the list shows of an account with these last buckets. */
function recent(...last: readonly (readonly [success: number, failed: number])[]): JsonObject {
  const recent_requests = Array.from({ length: 20 }, (_, index) => {
    const [success, failed] = last[index - 20 + last.length] ?? [0, 0];
    return { time: '', success, failed };
  });
  const sum = (place: 0 | 1) => last.reduce((all, bucket) => all + bucket[place], 0);
  return { success: sum(0), failed: sum(1), recent_requests };
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
const navigation = (page: Page) =>
  page.locator('.sidebar-scroll a').evaluateAll((links) => links.map((link) => link.getAttribute('title')));

describe('the same file', () => {
  test('is the panel of the manager there, and of the gateway here', async () => {
    const manager = await rig.managerOf(boundTo(gateway));
    const full = await rig.open(manager, '/dashboard');
    await full.page.getByText('Requests today', { exact: true }).waitFor();
    const { page, problems } = await rig.openAtGateway(gateway, '/dashboard', OPTIONS);
    await page.getByText('Available accounts').waitFor();
    expect(problems).toEqual([]);
    expect(full.problems).toEqual([]);
  }, 60_000);

  test('decides nothing while nobody answers, and uses the last known answer', async () => {
    const { page } = await rig.page({ expected: /Failed to load resource|ERR_/ });
    const pattern = '**/usage-service/info';
    await page.route(pattern, (route) => route.abort());
    await page.goto(`${gateway.url}/management.html`);
    await page.getByText('The server cannot be reached', { exact: true }).waitFor({ timeout: 30_000 });
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    await page.unroute(pattern);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Management key').waitFor();
    await page.route(pattern, (route) => route.abort());
    await page.reload();
    await page.getByLabel('Management key').waitFor();
  }, 60_000);

  test('does not use a key of the other kind of server', async () => {
    const { page } = await rig.openAtGateway(gateway, '/accounts', OPTIONS);
    await page.evaluate(`(() => {
      const name = 'mgrpanel:v1:session';
      const stored = JSON.parse(sessionStorage.getItem(name));
      sessionStorage.setItem(name, JSON.stringify({ ...stored, mode: 'manager' }));
    })()`);
    // Ends the requests of the page that is signed in; the tab keeps its session.
    await page.goto('about:blank');
    gateway.clearRequests();
    await page.goto(`${gateway.url}/management.html#/accounts`);
    await page.getByLabel('Management key').waitFor();
    const sent = gateway
      .requests({ protocol: 'http' })
      .filter(({ headers }) => headers.some(([name]) => name.toLowerCase() === 'authorization'));
    expect(sent).toEqual([]);
    // The return address was kept.
    await page.locator('input[type="password"]').fill(TEST_UPSTREAM_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  }, 60_000);
});

describe('the sign-in at a gateway', () => {
  test('wants the management key, explains a refusal, and takes another address', async () => {
    const { page, problems } = await rig.page({ expected: /404|401|Failed to load/ });
    // Nothing to set up here: an old bookmark leads to the sign-in.
    await page.goto(`${gateway.url}/management.html#/setup`);
    await page.getByText('This page is served by the gateway').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'gateway-sign-in');
    const key = page.locator('input[type="password"]');
    await key.fill('mgr_not-of-this-server');
    await page.keyboard.press('Enter');
    await page.getByText('not the admin key of a manager').waitFor();
    await page.keyboard.press('Escape');
    const address = page.getByLabel('Address');
    await address.fill('127.0.0.1:9/v0/management/');
    await key.fill(TEST_UPSTREAM_KEY);
    expect(await address.inputValue()).toBe('http://127.0.0.1:9');
    await page.keyboard.press('Enter');
    await page.getByText('The gateway cannot be reached at this address').waitFor();
    // Another gateway; the browser allows the request because its CORS headers permit this page.
    const other = await rig.gateway({ authFiles: 3 });
    await address.fill(other.url.replace('http://', ''));
    await key.fill(TEST_UPSTREAM_KEY);
    await page.keyboard.press('Enter');
    await page.getByText('Available accounts').waitFor();
    await page.getByText('3 of 3 accounts enabled').waitFor();
    await page.reload();
    await page.getByText('3 of 3 accounts enabled').waitFor();
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('region', { name: 'Versions' }).getByText(`${other.url}/`).waitFor();
    expect(problems).toEqual([]);
  }, 60_000);

  test('limits the page to the address it is signed in at, until it signs out', async () => {
    const chosen = await rig.gateway({ authFiles: 3 });
    const third = await rig.gateway({ authFiles: 2 });
    const { page } = await rig.page({ expected: /404|Content Security Policy|Failed to/ });
    const signInAt = async (address: string) => {
      await page.getByLabel('Address').fill(address);
      await page.locator('input[type="password"]').fill(TEST_UPSTREAM_KEY);
      await page.keyboard.press('Enter');
      await page.getByText('Available accounts').waitFor();
    };
    const outcome = (url: string) =>
      page.evaluate(`fetch('${url}/v0/management/config').then(({ status }) => status, () => 'refused')`);
    await page.goto(`${gateway.url}/management.html`);
    await signInAt(chosen.url);
    for (let time = 0; time < 2; time += 1) {
      expect(await outcome(gateway.url)).toBe(401);
      expect(await outcome(chosen.url)).toBe(401);
      expect(await outcome(third.url)).toBe('refused');
      await page.reload();
      await page.getByText('3 of 3 accounts enabled').waitFor();
    }
    expect(third.requests()).toEqual([]);
    const anew = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await anew;
    await signInAt(third.url);
    await page.getByText('2 of 2 accounts enabled').waitFor();
    expect(await outcome(chosen.url)).toBe('refused');
  }, 60_000);

  test('remembers for as many days as chosen', async () => {
    const { page, problems } = await rig.page(OPTIONS);
    await page.goto(`${gateway.url}/management.html`);
    await page.locator('input[type="password"]').fill(TEST_UPSTREAM_KEY);
    await page.getByRole('switch', { name: 'Remember sign-in' }).press('Space');
    await page.getByText('Every script and user of this browser profile can read it').waitFor();
    expect(await page.getByRole('radio', { name: '7 days' }).isChecked()).toBe(true);
    await page.getByText('30 days').click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Available accounts').waitFor();
    const days = `(() => {
      const stored = JSON.parse(localStorage.getItem('mgrpanel:v1:session') ?? '{}');
      return Math.round((stored.expiresAtMs - Date.now()) / 86400000);
    })()`;
    expect(await page.evaluate(days)).toBe(30);
    await page.goto(`${gateway.url}/management.html#/settings?tab=privacy`);
    expect(await page.getByRole('radio', { name: '30 days' }).isChecked()).toBe(true);
    await page.getByText('1 day', { exact: true }).click();
    await until(async () => (await page.evaluate(days)) === 1);
    expect(problems).toEqual([]);
  }, 60_000);
});

describe('a gateway without manager', () => {
  test('shows the pages it can serve, and asks for nothing that only a manager has', async () => {
    gateway.clearRequests();
    const { page, problems } = await rig.openAtGateway(gateway, '/dashboard', OPTIONS);
    await page.getByText('Available accounts').waitFor();
    // The plugins are a list of their own.
    await page.locator('.sidebar-scroll a[title="Sim plugin"]').waitFor();
    expect(await navigation(page)).toEqual([
      'Dashboard',
      'Accounts',
      'Sign-in (OAuth)',
      'Providers',
      'Client keys',
      'Configuration',
      'Plugins',
      'Doctor',
      'Logs',
      'System',
      // A page of the gateway's plugin.
      'Sim plugin',
    ]);
    for (const [path, heading] of [
      ['/accounts', 'Accounts'],
      ['/api-keys', 'Client keys'],
      ['/logs', 'Logs'],
      ['/settings', 'Settings'],
      ['/system', 'System'],
      ['/doctor', 'Doctor'],
    ] as const) {
      await page.goto(`${gateway.url}/management.html#${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    for (const path of ['/monitoring', '/usage-analytics?tab=keys', '/accounts?view=health', '/model-prices']) {
      await page.goto(`${gateway.url}/management.html#${path}`);
      await page.getByText('needs the manager').waitFor();
    }
    await page.waitForLoadState('networkidle');
    const missing = gateway
      .requests({ protocol: 'http' })
      .filter(({ status }) => status === 404)
      .map(({ path }) => path);
    expect([...new Set(missing)]).toEqual(['/usage-service/info']);
    expect(problems).toEqual([]);
  }, 90_000);

  test('has a dashboard of its own counts, which shows their time range', async () => {
    const { page, problems } = await rig.openAtGateway(gateway, '/dashboard', OPTIONS);
    await page.getByText('15.8% of the requests in the last 200 min failed (9)').waitFor();
    const stats = page.getByRole('region', { name: 'Throughput' }).first();
    expect(await stats.textContent()).toContain('57last 200 min');
    const fleet = page.getByRole('region', { name: 'Accounts and keys by provider' });
    await fleet.getByText('codex').waitFor();
    const health = page.getByRole('region', { name: 'Account health' });
    await health.getByText('two***@example.test').waitFor();
    expect(await health.getByText('one***@example.test').count()).toBe(0);
    await page.getByRole('region', { name: 'Configuration' }).getByText('routing.strategy').waitFor();
    const text = await page.locator('#main').textContent();
    for (const word of ['Cost', 'Tokens', 'today', '$']) expect(text).not.toContain(word);
    await picture(page, 'gateway-dashboard');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 60_000);

  test('lists accounts, whose quota is loaded and kept in the page only', async () => {
    const { page, problems } = await rig.openAtGateway(gateway, '/accounts', OPTIONS);
    const table = page.getByRole('region', { name: 'Accounts' });
    await table.getByText('one***@example.test').waitFor();
    const head = await table.locator('thead').textContent();
    expect(head).toContain('Recent use');
    expect(head).not.toContain('Cost');
    await table.getByText('48', { exact: true }).waitFor();
    await picture(page, 'gateway-accounts');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText('one***@example.test').click();
    const drawer = page.getByRole('complementary', { name: 'Account' });
    await drawer.getByText('48 · 3 failed · 200 min').waitFor();
    for (const tab of ['Quota', 'Settings', 'Models', 'Diagnostics']) {
      await drawer.getByRole('button', { name: tab, exact: true }).click();
      await drawer.getByRole('region', { name: tab }).waitFor();
    }
    await drawer.getByRole('button', { name: 'Inspect now' }).click();
    const found = drawer.getByRole('status').filter({ hasText: 'Keep' });
    await found.getByText('Works').waitFor();
    await found.getByText('45%').waitFor();
    await drawer.getByRole('button', { name: 'Refresh quota' }).click();
    await page.getByText('Quota of 1 account refreshed.').waitFor();
    await drawer.getByRole('button', { name: 'Quota', exact: true }).click();
    await drawer.getByText('45%').waitFor();
    await picture(page, 'gateway-account-quota');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(gateway.requests({ path: '/v0/management/quota-snapshots*' })).toEqual([]);
    await drawer.getByRole('button', { name: 'Disable' }).click();
    await drawer.getByRole('button', { name: 'Enable' }).waitFor();
    const [patch] = gateway.requests({ method: 'PATCH' }).slice(-1);
    expect(JSON.parse(patch?.body ?? '{}')).toEqual({
      name: 'codex-one@example.test.json',
      disabled: true,
      auth_index: expect.any(String),
    });
    expect(patch?.headers.filter(([name]) => /^x-cpamp/i.test(name))).toEqual([]);
    await drawer.getByRole('button', { name: 'Enable' }).click();
    await drawer.getByRole('button', { name: 'Disable' }).waitFor();
    expect(problems).toEqual([]);
  }, 90_000);

  test('lists client keys without names', async () => {
    const { page, problems } = await rig.openAtGateway(gateway, '/api-keys', OPTIONS);
    await page.getByText('Keys without names and usage.').waitFor();
    const table = page.getByRole('region', { name: 'Client keys' });
    await table.getByText('si…01').waitFor();
    const head = await table.locator('thead').textContent();
    for (const word of ['Name', 'Cost', 'Requests']) expect(head).not.toContain(word);
    await picture(page, 'gateway-api-keys');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 60_000);

  test('fits on a phone, in Chinese, in both themes', async () => {
    const { page, problems } = await rig.openAtGateway(gateway, '/dashboard', {
      ...OPTIONS,
      viewport: { width: 390, height: 844 },
      locale: 'zh-CN',
    });
    await page.getByText('可用账号').waitFor();
    for (const path of [
      '/dashboard',
      '/accounts',
      '/api-keys',
      '/settings',
      '/settings?tab=privacy',
      '/system',
      '/doctor',
    ]) {
      await page.goto(`${gateway.url}/management.html#${path}`);
      await page.locator('.page-head h1').waitFor();
      await page.waitForLoadState('networkidle');
      expect(await overflow(page)).toBe(0);
      await picture(page, `gateway${path.replaceAll(/[/?=]/g, '-')}-phone`);
      expect(await problemsInBothThemes(page)).toEqual([]);
    }
    expect(problems).toEqual([]);
  }, 120_000);
});
