import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { inspectionRunDetailSchema, inspectionRunListSchema } from '@manager/core/contract/inspection/runs';
import { configResponseSchema } from '@manager/core/contract/settings/config';
import { until } from '@manager/core/testing/until';
import { type AccountSpec, type AuthFileSpec, accountFile, sharedFile } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const RUNS = '/v0/management/codex-inspection/runs';
const WEEK = 604_800;
const FULL: Partial<AccountSpec> = { secondary: { seconds: WEEK, usedPercent: 100 }, resetCredits: 1 };
const FRESH: Partial<AccountSpec> = { secondary: { seconds: WEEK, usedPercent: 5 } };

/** A Codex account in its own file. */
function account(name: string, spec: Partial<AccountSpec>, disabled = false): AuthFileSpec {
  const email = `${name}@example.test`;
  return accountFile({ provider: 'codex', name: `${email}.json`, email, account: spec, disabled });
}

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway({
    authFiles: [
      account('amber', FRESH),
      account('birch', FULL),
      account('cedar', { state: 'revoked' }),
      account('dogwood', { state: 'deactivated-workspace' }),
      account('elder', { state: 'unavailable' }),
      account('fir', FRESH, true),
      account('grape', FULL),
      account('hazel', { state: 'deactivated-workspace' }),
      ...sharedFile({ name: 'family.json', provider: 'codex', children: 2, sourceRow: false }),
    ],
  });
  manager = await ManagerProcess.start({ env: boundTo(gateway, 'http') });
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

async function open(query = '', options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> {
  const one = await openPage(browser, options);
  opened.push(one);
  await openAsAdmin(one.page, manager.url, `/accounts?view=health${query}`);
  await one.page.getByRole('heading', { name: 'Account inspection', level: 1 }).waitFor();
  return one;
}

const rows = (page: Page) => page.locator('[data-row]');
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const run = (page: Page) => page.getByRole('region', { name: 'Run', exact: true });
const count = async (page: Page, expected: number) =>
  until(async () => (await rows(page).count()) === expected, `${expected} rows`);

async function newest() {
  const { items } = inspectionRunListSchema.parse(await manager.json(RUNS));
  return items[0];
}

async function detail() {
  return inspectionRunDetailSchema.parse(await manager.json(`${RUNS}/${(await newest())?.id}`));
}

async function inspect(): Promise<void> {
  await manager.json('/v0/management/codex-inspection/run', { method: 'POST' });
  await until(async () => (await newest())?.active === false);
}

/** Stored state after a person asked the provider for its credits. */
async function observeResetCredit(fileName: string): Promise<void> {
  const { results } = await detail();
  const authIndex = results.find((result) => result.fileName === fileName)?.authIndex;
  await manager.post('/v0/management/quota-snapshots', {
    entries: [
      {
        provider: 'codex',
        account: { auth_file_snapshot: fileName, auth_index: authIndex, auth_provider_snapshot: 'codex' },
        windows: [{ provider_window_id: 'weekly', source: 'api_query', used_percent: 100, reset_credits_available: 1 }],
      },
    ],
  });
}

const fileNames = () => gateway.authFiles().map(({ name }) => String(name));

describe('a run', () => {
  test('is started by key, shows what it found, and keeps filters in the address', async () => {
    const { page, problems } = await open();
    await page.getByText('No inspections yet').waitFor();
    await picture(page, 'inspection-empty');
    await page.keyboard.press('s');
    await run(page).getByText('Completed').waitFor();
    await count(page, 10);
    await row(page, 'eld***').getByText('Inconclusive: the provider returned 503').waitFor();
    await page.getByText('only accounts of codex · quota use threshold: 100%').waitFor();
    await picture(page, 'inspection-1440');
    // Masked in attributes too.
    expect(await page.locator('#main').innerHTML()).not.toContain('amber@example');

    await page.getByRole('button', { name: 'Delete 2' }).click();
    await count(page, 2);
    expect(page.url()).toContain('action=delete');
    await page.getByRole('button', { name: 'Suggestion Delete' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('HAZEL@');
    await count(page, 1);
    await until(() => /search=HAZEL/.test(page.url()));
    await page.reload();
    await count(page, 1);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing has this');
    await page.getByText('No results match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await count(page, 10);
    await row(page, 'gra***').click();
    const drawer = page.getByRole('complementary', { name: 'Result' });
    await drawer.getByText('Quota use has reached the threshold').waitFor();
    await drawer.getByText('100%; threshold 100%').waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('has a log that can be copied, and a history that leads back to it', async () => {
    const { page, problems } = await open();
    await count(page, 10);
    await page.getByText('Log', { exact: true }).first().click();
    await page.getByRole('table', { name: 'Log' }).getByText('Run completed').waitFor();
    expect(page.url()).toContain('tab=log');
    await page.getByRole('button', { name: 'Copy log' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.getByText('History', { exact: true }).first().click();
    await count(page, 1);
    await rows(page).first().click();
    await count(page, 10);
    expect(problems).toEqual([]);
  }, 180_000);

  test('is followed to its end and can be cancelled', async () => {
    for (const name of ['amber', 'birch', 'fir', 'grape']) {
      gateway.setAccount(`${name}@example.test.json`, { latencyMs: 60_000 });
    }
    try {
      const { page, problems } = await open();
      await run(page).getByText('Completed').waitFor();
      await page.getByRole('button', { name: 'Start inspection' }).click();
      await run(page).getByText('Running').waitFor();
      await page.getByRole('progressbar', { name: 'Inspection progress' }).waitFor();
      await picture(page, 'inspection-running');
      await page.getByRole('button', { name: 'Cancel run' }).click();
      await run(page).getByText('Canceled').waitFor();
      await page.getByRole('button', { name: 'Start inspection' }).waitFor();
      expect((await newest())?.status).toBe('cancelled');
      expect(problems).toEqual([]);
    } finally {
      for (const name of ['amber', 'birch', 'fir', 'grape']) {
        gateway.setAccount(`${name}@example.test.json`, { latencyMs: 0 });
      }
    }
  }, 180_000);
});

describe('actions', () => {
  beforeAll(inspect, 60_000);

  test('disable and delete are decisions of their own, and a deletion has to be typed', async () => {
    await observeResetCredit('birch@example.test.json');
    const { page, problems } = await open();
    await count(page, 10);
    await row(page, 'bir***').getByText('1 unused reset credit').waitFor();
    for (const name of ['bir***', 'gra***', 'dog***', 'ced***']) await row(page, name).getByRole('checkbox').check();
    await page.getByText('4 selected').waitFor();
    await page.getByRole('button', { name: 'Disable · 2' }).click();
    const disable = page.getByRole('dialog', { name: 'Disable 2 accounts' });
    await disable.getByText('bir***.json').waitFor();
    await disable.getByText('1 account has unused reset credits.').waitFor();
    await disable.getByRole('button', { name: 'Cancel' }).click();
    await disable.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Delete · 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 accounts' });
    await dialog.getByText('1 of them only needs a new sign-in.').waitFor();
    const button = dialog.getByRole('button', { name: 'Delete', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('DELETE');
    await picture(page, 'inspection-delete');
    await button.click();
    await page.getByText('2 files deleted.').waitFor();
    await until(() => !fileNames().some((name) => /^(dogwood|cedar)@/.test(name)));
    await row(page, 'dog***').getByText('Done').waitFor();
    expect(fileNames()).toContain('birch@example.test.json');
    expect(problems).toEqual([]);
  }, 180_000);

  test('show the result of each account, also of one that has changed since', async () => {
    const { results } = await detail();
    const hazel = results.find(({ fileName }) => fileName.startsWith('hazel@'));
    gateway.removeAuthFile('hazel@example.test.json');
    const { page, problems } = await open(`&result=${hazel?.id}`);
    const drawer = page.getByRole('complementary', { name: 'Result' });
    await drawer.getByText('The workspace was deactivated').waitFor();
    await picture(page, 'inspection-drawer');
    expect(await accessibilityProblems(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('DELETE');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alert').getByText('1 failed.').waitFor();
    await page.getByRole('table', { name: 'Outcomes of the last action' }).getByText('Failed').waitFor();
    await drawer.getByText('Failed').waitFor();
    await picture(page, 'inspection-outcome');
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  }, 180_000);

  test('two panels do not act at once: the second is notified', async () => {
    const { page } = await open('', { expected: /409/ });
    await run(page).getByText('Completed').waitFor();
    // The page learns of the other run only when its own button is pressed.
    const told = Promise.withResolvers<void>();
    await page.route(`**${RUNS}?**`, (route) => told.promise.then(() => route.continue()));
    gateway.setAccount('amber@example.test.json', { latencyMs: 60_000 });
    await manager.json('/v0/management/codex-inspection/run', { method: 'POST' });
    await page.getByRole('button', { name: 'Start inspection' }).click();
    await page.getByText('The inspection was not started.').waitFor();
    told.resolve();
    await page.getByRole('button', { name: 'Cancel run' }).click();
    gateway.setAccount('amber@example.test.json', { latencyMs: 0 });
    await run(page).getByText('Canceled').waitFor();
  }, 180_000);
});

test('a list that fails to load reports that and recovers', async () => {
  const { page } = await open('', { expected: /500/ });
  await run(page).waitFor();
  let failing = true;
  await page.route(`**${RUNS}?**`, (route) =>
    failing ? route.fulfill({ status: 500, json: { error: 'the disk is full' } }) : route.continue(),
  );
  await page.reload();
  await page.getByText('The inspections could not be loaded').waitFor();
  failing = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await run(page).waitFor();
}, 180_000);

test('fits on a phone, with the actions in reach', async () => {
  await inspect();
  const { page, problems } = await open('', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await count(page, 7);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(0);
  await picture(page, 'inspection-phone-dark');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('checkbox', { name: 'Select bir***@example.test' }).check();
  await page.getByRole('button', { name: 'Disable · 1' }).waitFor();
  await picture(page, 'inspection-phone-selected');
  await page.getByText('Log', { exact: true }).first().click();
  await page.getByText('Run completed').waitFor();
  expect(await page.evaluate(overflow)).toBe(0);
  expect(problems).toEqual([]);
}, 180_000);

test('settings are shown beside the runs and changed in one place', async () => {
  const { page, problems } = await open();
  const settings = page.getByRole('region', { name: 'Inspection settings' });
  await settings.getByRole('button', { name: 'Details' }).click();
  await settings.getByText('Accounts per run').waitFor();
  await settings.getByRole('link', { name: 'Change settings' }).click();
  await page.getByLabel('Accounts per run').waitFor();
  const { config } = configResponseSchema.parse(await manager.json('/usage-service/config'));
  expect(await page.getByLabel('Parallel accounts').inputValue()).toBe(String(config.codexInspection.workers));
  expect(problems).toEqual([]);
}, 180_000);

describe('all suggestions of a run', () => {
  beforeAll(async () => {
    gateway.setAccount('amber@example.test.json', { state: 'deactivated-workspace' });
    await inspect();
  }, 60_000);

  test('are one confirmation with a list to untick, and one result line', async () => {
    const { page, problems } = await open();
    await run(page).getByText('Completed').waitFor();
    await page.getByRole('button', { name: /^Carry out all suggestions/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Carry out all suggestions' });
    const lines = dialog.getByRole('list', { name: 'Suggestions' }).getByRole('listitem');
    await lines.filter({ hasText: 'bir***' }).waitFor();
    for (const box of await lines.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(true);
    await picture(page, 'inspection-all-suggestions');
    expect(await accessibilityProblems(page)).toEqual([]);
    // A deletion among them has to be typed; without one, nothing.
    const word = dialog.getByRole('textbox');
    await word.waitFor();
    expect(await dialog.getByRole('button', { name: /^Carry out/ }).isDisabled()).toBe(true);
    await lines.filter({ hasText: 'amb***' }).getByRole('checkbox').uncheck();
    await word.waitFor({ state: 'detached' });
    await lines.filter({ hasText: 'gra***' }).getByRole('checkbox').uncheck();
    await dialog.getByRole('button', { name: /^Carry out \d suggestion/ }).click();
    await page.getByText(/1 account disabled/).waitFor();
    await picture(page, 'inspection-all-outcome');
    const disabled = (name: string) =>
      gateway.authFiles().find((file) => file.name === `${name}@example.test.json`)?.disabled;
    expect([disabled('birch'), disabled('grape'), disabled('amber')]).toEqual([true, false, false]);
    expect(problems).toEqual([]);
  }, 180_000);
});
