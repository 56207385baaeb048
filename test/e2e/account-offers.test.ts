import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { type OpenedPage, picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo, type Simulator } from '../support/test-gateway.ts';

const REFUSED = 'codex-refused.json';
const GROK = 'xai-grok.json';

let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway({
    authFiles: [
      accountFile({ provider: 'codex', name: REFUSED, email: 'refused@example.test' }),
      accountFile({ provider: 'codex', name: 'codex-fine.json', email: 'fine@example.test' }),
      accountFile({ provider: 'xai', name: GROK, email: 'grok@example.test' }),
    ],
  });
  manager = await rig.managerOf({ ...boundTo(gateway, 'http'), USAGE_ACCOUNT_ACTIONS_ENABLED: 'true' });
  for (let round = 0; round < 6; round++) await gateway.publishFor(REFUSED, { kind: 'token-revoked' });
  await until(async () => {
    const { items } = await manager.json<{ items: { hitCount: number }[] }>('/v0/management/account-action-candidates');
    return items[0]?.hitCount === 6;
  }, 'six failures of the account');
}, 180_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

async function openAccounts(query = ''): Promise<OpenedPage> {
  const one = await rig.open(manager, `/accounts${query}`);
  await one.page.locator('[data-row]').first().waitFor();
  return one;
}

const row = (page: Page, file: string) => page.locator('[data-row]').filter({ hasText: file });
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Account' });
const keyOf = (name: string) => String(gateway.authFiles().find((one) => one.name === name)?.auth_index);

test('an account with a problem offers solutions, and shows its evidence once', async () => {
  const { page, problems } = await openAccounts();
  const refused = row(page, REFUSED);
  await refused.getByText('Sign-in invalid').waitFor();
  const again = await refused.getByRole('link', { name: 'Sign in again' }).getAttribute('href');
  expect(again).toContain(`/oauth?account=${keyOf(REFUSED)}&provider=codex`);
  // The reason has its own line.
  expect(await refused.locator('.second-line a').count()).toBe(0);
  await refused.getByText('codex', { exact: false }).first().click();
  await drawer(page).getByText('What to do').waitFor();
  // Six refused requests make one line.
  await drawer(page)
    .getByText(/×6, last/)
    .waitFor();
  const evidence = drawer(page).locator('.account-evidence').first();
  expect(await evidence.locator('li').count()).toBeLessThanOrEqual(3);
  // The provider's message without the JSON around it, which a button copies.
  await evidence.getByText(/sim: sign in again/).waitFor();
  expect(await evidence.textContent()).not.toContain('{"error"');
  await evidence.getByRole('button', { name: 'Copy Failure text' }).first().waitFor();
  await drawer(page)
    .getByText(/This month: 6/)
    .waitFor();
  await picture(page, 'account-offers');
  expect(await accessibilityProblems(page)).toEqual([]);
  await drawer(page).getByRole('link', { name: 'Open failures' }).click();
  await until(() => page.url().includes(`auth_index=${keyOf(REFUSED)}`) && page.url().includes('status=failed'));
  await page.goBack();
  await drawer(page).getByRole('link', { name: 'Usage analytics' }).click();
  await until(() => page.url().includes('time_range=month') && page.url().includes(keyOf(REFUSED)));
  await page.goBack();
  await drawer(page).locator('.drawer-scroll').getByRole('button', { name: 'Disable' }).click();
  await until(() => gateway.authFiles().some(({ name, disabled }) => name === REFUSED && disabled === true));
  expect(problems).toEqual([]);
}, 180_000);

test('list, inspection and queue lead to each other', async () => {
  const { page } = await openAccounts();
  const tabs = page.getByRole('navigation', { name: 'Account views' });
  await tabs.getByRole('link', { name: 'Account inspection' }).click();
  await page.getByRole('heading', { name: 'Account inspection', level: 1 }).waitFor();
  await tabs.getByRole('link', { name: /Action queue/ }).click();
  await until(() => page.url().endsWith('#/accounts/actions'));
  // The address changes before the page does.
  await tabs.locator('[aria-current="page"]').filter({ hasText: 'Action queue' }).waitFor();
  await tabs.getByRole('link', { name: /^List/ }).click();
  await page.locator('[data-row]').first().waitFor();
}, 180_000);

test('accounts are grouped by tag', async () => {
  const { page, problems } = await openAccounts();
  await row(page, 'xai · ')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Tags', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags' });
  const field = dialog.getByRole('combobox').or(dialog.getByRole('textbox')).first();
  await field.fill('night');
  await field.press('Enter');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: /^Sort: / }).click();
  await page.getByRole('menuitemradio', { name: 'Tag', exact: true }).click();
  await page.getByRole('region', { name: '#night' }).locator('[data-row]').first().waitFor();
  expect(await page.getByRole('region', { name: 'No tag' }).locator('[data-row]').count()).toBe(2);
  expect(page.url()).toContain('group=tag');
  await picture(page, 'accounts-groups');
  expect(problems).toEqual([]);
}, 180_000);

test('a model is tested through one account', async () => {
  const { page, problems } = await openAccounts(`?account=${keyOf(GROK)}&tab=models`);
  const test = drawer(page)
    .getByRole('button', { name: /^Test / })
    .first();
  await test.click();
  await drawer(page)
    .getByText(/^responds · /)
    .waitFor();
  gateway.setAccount(GROK, { state: 'free-usage-exhausted' });
  await test.click();
  await drawer(page)
    .getByText(/^429 · /)
    .waitFor();
  await picture(page, 'account-model-test');
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
}, 180_000);
