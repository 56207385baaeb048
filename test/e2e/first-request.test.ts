import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

// The page after the setup: how to send a first request, and what is in the way.

let rig: PanelRig;
const CLIENT_KEY = 'client-key-of-the-first-request';
const WITH_KEY = { apiKeys: [CLIENT_KEY] };

beforeAll(async () => {
  rig = await startPanelRig();
}, 180_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

test('shows the command with a masked key, and the dashboard when the first request arrives', async () => {
  const gateway = await rig.gateway(WITH_KEY);
  const manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const { page, problems } = await rig.open(manager, '/dashboard');
  await page.getByRole('link', { name: 'Send a first request' }).click();
  await page.getByRole('heading', { name: 'First request', level: 1 }).waitFor();
  const command = page.locator('pre');
  await command.getByText(/Authorization: Bearer/).waitFor();
  expect(await command.textContent()).not.toContain(CLIENT_KEY);
  expect(await command.textContent()).toContain(`curl '${gateway.url}/v1/chat/completions'`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy command' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`Bearer ${CLIENT_KEY}`);
  expect(page.url()).not.toContain('client-key');
  await picture(page, 'first-request-1440');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show' }).click();
  expect(await command.textContent()).toContain(CLIENT_KEY);
  expect(await page.getByRole('region', { name: 'What may be in the way' }).count()).toBe(0);

  await gateway.publish(makeEvents({ seed: 5, numberFrom: 0 }).next().value);
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  // Nothing is left to wait for.
  await page.goto(page.url().replace(/#.*/, '#/first-request'));
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  expect(problems).toEqual([]);
}, 180_000);

test('after a minute it shows three checks, and leads to the import', async () => {
  const gateway = await rig.gateway(WITH_KEY);
  const manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const { page, problems } = await rig.open(manager, '/first-request', {
    ownClock: true,
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await page.locator('pre').waitFor();
  const checks = page.getByRole('region', { name: 'What may be in the way' });
  expect(await checks.count()).toBe(0);
  await page.clock.fastForward(61_000);
  await checks.waitFor();
  expect(await checks.locator('.check').count()).toBe(3);
  await checks.locator('[data-check="upstream"]').waitFor();
  await picture(page, 'first-request-390-dark');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.getByRole('heading', { name: 'Import & export', level: 1 }).waitFor();
  expect(problems).toEqual([]);
}, 180_000);

test('does not wait a minute to report what is wrong already', async () => {
  const silent = await rig.gateway({ ...WITH_KEY, statsEnabled: false });
  const { page } = await rig.open(await rig.managerOf(boundTo(silent)), '/first-request');
  const statistics = page.locator('[data-check="statistics"][data-tone="bad"]');
  await statistics.getByRole('button').click();
  await page.locator('[data-check="statistics"]').waitFor({ state: 'detached' });
  expect(silent.requests({ method: 'PUT', path: '/v0/management/usage-statistics-enabled' })).toHaveLength(1);
}, 180_000);
