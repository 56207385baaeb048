import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { PROCESSING_POLICY_PATH, QUOTA_COOLDOWNS_PATH } from '@manager/core/contract/constants';
import { quotaCooldownsResponseSchema } from '@manager/core/contract/cooldowns';
import { configResponseSchema } from '@manager/core/contract/settings/config';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

let browser: Browser;
let testGateway: Simulator;
/** Set up manually, so that no environment variable locks a field. */
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  testGateway = await startTestGateway({
    authFiles: [accountFile({ provider: 'codex', name: 'codex-one.json', email: 'one@example.test' })],
  });
  manager = await ManagerProcess.start();
  await manager.post('/setup', {
    cpaBaseUrl: testGateway.url,
    managementKey: TEST_UPSTREAM_KEY,
    requestMonitoringEnabled: true,
    collectorMode: 'http',
  });
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await testGateway.stop();
});

async function open(tab: string, options: Parameters<typeof openPage>[1] = {}, of = manager): Promise<OpenedPage> {
  const page = await openPage(browser, options);
  opened.push(page);
  await openAsAdmin(page.page, of.url, `/settings${tab === '' ? '' : `?tab=${tab}`}`);
  await page.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  return page;
}

async function stored() {
  return configResponseSchema.parse(await manager.json('/usage-service/config')).config;
}

const save = (page: Page) => page.getByRole('button', { name: 'Save' });
const saved = (page: Page) => page.getByText('Saved', { exact: true });

test('a refused key can be tried again unchanged, and the question says what that may cost', async () => {
  const gateway = await startTestGateway();
  const own = await ManagerProcess.start();
  try {
    await own.post('/setup', {
      cpaBaseUrl: gateway.url,
      managementKey: TEST_UPSTREAM_KEY,
      requestMonitoringEnabled: true,
      collectorMode: 'http',
    });
    const refusedFor = (reason: string) =>
      until(async () => (await readStatus(own)).collector.keyRefused?.reason === reason, reason);
    gateway.setCallerAddress('10.1.2.3');
    gateway.setRemote(false);
    await refusedFor('remote_disabled');
    const { page } = await open('', { expected: /429|502/ }, own);
    await page.getByText('Set remote-management.allow-remote to true in its configuration.').first().waitFor();
    const tryAgain = async (cost: string) => {
      await page.getByRole('button', { name: 'Try again now' }).click();
      const question = page.getByRole('dialog');
      await question.getByText(cost).waitFor();
      await question.getByRole('button', { name: 'Try again now' }).click();
      await question.waitFor({ state: 'hidden' });
    };
    await tryAgain('trying again costs nothing');
    await page.getByRole('status').getByText('The gateway allows its management API only').waitFor();
    gateway.setRemote(true);
    await tryAgain('trying again costs nothing');
    await saved(page).waitFor();
    await until(async () => (await readStatus(own)).collector.collector === 'running', 'running');
    await save(page).waitFor();
    expect(await save(page).isDisabled()).toBe(true);

    gateway.setKey('another-key');
    await refusedFor('key_rejected');
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByRole('dialog').getByText('It bans an address for 30 min after 5 wrong keys in a row').waitFor();
    await picture(page, 'settings-try-again-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Try again now' }).click();
    const refusal = page.getByRole('status').filter({ hasText: 'rejected this key at this URL before' });
    await refusal.getByText('Rejected keys until the gateway bans the manager for 30 min:').waitFor();
  } finally {
    await own.remove();
    await gateway.stop();
  }
}, 180_000);

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name });

describe('the form of the manager', () => {
  test('keeps typed values across tabs, saves by keyboard, and keeps all other values', async () => {
    const { page, problems } = await open('');
    const before = await stored();
    await tab(page, 'Collection').click();
    await page.getByLabel('Batch size').fill('55');
    await tab(page, 'Inspection').click();
    await page.getByLabel('Accounts per run').fill('7');
    expect(page.url()).toContain('tab=inspection');
    await page.getByText('Not saved yet: Collection, Inspection').waitFor();
    await tab(page, 'Collection').click();
    expect(await page.getByLabel('Batch size').inputValue()).toBe('55');
    await page.keyboard.press('Control+s');
    await saved(page).waitFor();
    const after = await stored();
    expect(after.collector).toEqual({ ...before.collector, batchSize: 55 });
    expect(after.codexInspection).toEqual({ ...before.codexInspection, sampleSize: 7 });
    expect(after.cpaConnection).toEqual(before.cpaConnection);
    expect(problems).toEqual([]);
  }, 180_000);

  test('numbers step by key, and one outside its range is refused with the range, never changed', async () => {
    const { page, problems } = await open('inspection');
    const share = page.getByRole('spinbutton', { name: 'Quota use threshold' });
    await share.fill('90');
    await share.press('ArrowUp');
    await share.press('ArrowUp');
    expect(await share.inputValue()).toBe('92');
    expect(await share.getAttribute('aria-valuetext')).toBe('92 %');
    const button = save(page);
    for (const wrong of ['89.96', '250', '0', '']) {
      await share.fill(wrong);
      await share.blur();
      await page.getByText('Enter a number from 0.1 to 100.').waitFor();
      expect(await share.inputValue()).toBe(wrong);
      expect(await button.isDisabled()).toBe(true);
    }
    await page.getByText('Only accounts of codex are inspected. Others are left out: xai.').waitFor();
    await share.fill('89.9');
    const sample = page.getByLabel('Accounts per run');
    await sample.fill('-3');
    await sample.blur();
    await page.getByText('Enter a whole number, 0 or more.').waitFor();
    await sample.fill('0');
    await page.getByText('Correct the marked number.').waitFor({ state: 'detached' });

    await tab(page, 'Collection').click();
    const poll = page.getByRole('spinbutton', { name: 'Poll interval' });
    for (const wrong of ['0', '60001', '1.5']) {
      await poll.fill(wrong);
      // Marked while the field has the focus, as the foot says.
      await page.getByText('Enter a whole number from 1 to 60,000.').waitFor();
      await page.getByText('Correct the marked number.').waitFor();
      expect(await poll.inputValue()).toBe(wrong);
      expect(await button.isDisabled()).toBe(true);
    }
    await picture(page, 'settings-number-refused');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 180_000);

  test('confirms a change of the connection, keeps the form when that fails, and reports when it cannot be loaded', async () => {
    const { page } = await open('connection&upstream=failed', { expected: /status of [45]/ });
    const note = page.getByText('The gateway connection does not work.');
    await note.waitFor();
    const address = page.getByRole('textbox', { name: 'Gateway URL' });
    expect(await tab(page, 'Gateway connection').getAttribute('aria-current')).toBe('page');
    const before = await address.inputValue();
    await address.fill('http://127.0.0.1:9');
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Change gateway connection' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await stored()).cpaConnection.cpaBaseUrl).toBe(before);
    await save(page).click();
    await dialog.getByRole('button', { name: 'Change connection' }).click();
    await page.locator('.settings-foot .form-error').filter({ hasText: /\S/ }).waitFor();
    await picture(page, 'settings-save-failed');
    expect(await address.inputValue()).toBe('http://127.0.0.1:9');
    expect((await stored()).cpaConnection.cpaBaseUrl).toBe(before);
    // Another tab keeps the form, another page asks.
    await tab(page, 'Appearance').click();
    await page.getByRole('link', { name: 'Request monitoring' }).click();
    const leaving = page.getByRole('dialog', { name: 'Discard changes' });
    await leaving.getByRole('button', { name: 'Cancel' }).click();
    await leaving.waitFor({ state: 'detached' });
    await tab(page, 'Gateway connection').click();
    expect(await address.inputValue()).toBe('http://127.0.0.1:9');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await address.inputValue()).toBe(before);

    let failing = true;
    await page.route('**/usage-service/config', (route) =>
      failing ? route.fulfill({ status: 500, json: { error: 'the disk is full' } }) : route.continue(),
    );
    await page.reload();
    await page.getByText('The settings could not be loaded').waitFor();
    failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await address.waitFor();

    await page.getByLabel('Management key', { exact: true }).fill(TEST_UPSTREAM_KEY);
    await page.keyboard.press('Control+s');
    await dialog.getByRole('button', { name: 'Change connection' }).click();
    await saved(page).waitFor();
    await note.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('upstream');
    expect(await page.getByLabel('Management key', { exact: true }).inputValue()).toBe('');
  }, 180_000);

  test('schedules the inspection, and enables automatic deletion only after the word was typed', async () => {
    const { page, problems } = await open('inspection', { timezoneId: 'Europe/Berlin' });
    await page.getByRole('switch', { name: 'Inspect on schedule' }).press('Space');
    await page.getByText('Times of day').click();
    await page.getByText('Enter at least one time of day.').waitFor();
    expect(await save(page).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Times' }).fill('18:30, 6:00');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByText(/Europe\/Berlin \(.* Asia\/Tokyo\) · in /).waitFor();
    await save(page).click();
    await saved(page).waitFor();
    expect(await page.getByRole('textbox', { name: 'Times' }).inputValue()).toBe('06:00, 18:30');
    expect((await stored()).codexInspection).toMatchObject({
      enabled: true,
      schedule: { mode: 'time_points', timePoints: ['06:00', '18:30'], timeZone: 'Asia/Tokyo' },
    });

    const xaiStays = page.getByText('Accounts of xai stay disabled.');
    const recovers = page.getByRole('switch', { name: /^Enable automatically/ });
    const sendsRequests = page.getByRole('switch', { name: /^Test request to xai/ });
    await page.getByRole('checkbox', { name: 'xai' }).check();
    await recovers.press('Space');
    await xaiStays.waitFor();
    await sendsRequests.press('Space');
    await xaiStays.waitFor({ state: 'detached' });
    for (const toggle of [sendsRequests, recovers]) await toggle.press('Space');
    await page.getByRole('checkbox', { name: 'xai' }).uncheck();

    await page.getByRole('radio', { name: /^Disable and delete/ }).check();
    await page.getByText('Files are deleted without confirmation.').waitFor();
    await picture(page, 'settings-inspection-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Allow inspections to delete files' });
    const button = dialog.getByRole('button', { name: 'Allow deletion' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByText('The evidence is a response with status 402').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await stored()).codexInspection.autoActionMode).toBe('none');
    await save(page).click();
    await dialog.getByRole('textbox').fill('DELETE');
    await picture(page, 'settings-inspection-delete');
    await button.click();
    await saved(page).waitFor();
    expect((await stored()).codexInspection.autoActionMode).toBe('delete');
    // A smaller change is not confirmed.
    await page.getByRole('radio', { name: /^None/ }).check();
    await save(page).click();
    await until(async () => (await stored()).codexInspection.autoActionMode === 'none');
    expect(problems).toEqual([]);
  }, 180_000);
});

describe('automation', () => {
  test('shows accounts in cooldown, masked, with the time of the reset', async () => {
    await manager.json(PROCESSING_POLICY_PATH, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ codexQuotaCooldownEnabled: true }),
    });
    const { page, problems } = await open('automation');
    await page.getByText('No accounts in cooldown').waitFor();
    await testGateway.publishFor('codex-one.json', { kind: 'usage-limit' });
    await until(async () => {
      const { items } = quotaCooldownsResponseSchema.parse(await manager.json(QUOTA_COOLDOWNS_PATH));
      return items.length === 1;
    });
    await page.reload();
    const table = page.getByRole('region', { name: 'Active cooldowns' });
    await table.getByText('one***@example.test').waitFor();
    await table.getByText('Quota used up').waitFor();
    await table.getByText(/^Updated \d/).waitFor();
    await picture(page, 'settings-cooldowns');
    // Not in attributes either.
    expect(await page.locator('#main').innerHTML()).not.toContain('one@example.test');
    expect(await accessibilityProblems(page)).toEqual([]);

    // A change on another page shows here at once, without a reload.
    await page.goto(`${manager.url}/management.html#/accounts`);
    await page.locator('[data-row]').filter({ hasText: 'codex-one.json' }).getByRole('switch').press('Space');
    await page.getByText('is enabled.').waitFor();
    await page.goto(`${manager.url}/management.html#/settings?tab=automation`);
    await page.getByText('No accounts in cooldown').waitFor({ timeout: 10_000 });
    expect(problems).toEqual([]);
  }, 180_000);
});

describe('what the browser keeps', () => {
  test('follows the chosen zone and is cleared with the sign-in', async () => {
    const { page, problems } = await open('appearance');
    await page.getByRole('combobox', { name: 'Report time zone' }).fill('Asia/Shanghai');
    await page.getByRole('option', { name: 'Asia/Shanghai' }).click();
    await page.getByRole('button', { name: 'Time zone: Asia/Shanghai' }).waitFor();
    await page.getByRole('link', { name: 'Privacy' }).click();
    const remember = page.getByRole('switch', { name: 'Remember sign-in' });
    await remember.press('Space');
    await page.getByText('Every script and user of this browser profile can read it').waitFor();
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.endsWith("session")).length')).toBe(1);
    await page.getByRole('button', { name: 'Clear and sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear and sign out' }).click();
    await page.locator('input[type="password"]').waitFor();
    // The manager is detected again at once; its address is neither secret nor an operator's choice.
    const kept =
      'Object.keys(localStorage).concat(Object.keys(sessionStorage)).filter((key) => key !== "mgrpanel:v1:host").length';
    await until(async () => (await page.evaluate(kept)) === 0);
    expect(problems).toEqual([]);
  }, 180_000);
});

test('every tab fits on a phone', async () => {
  const { page, problems } = await open('', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  for (const name of ['Gateway connection', 'Collection', 'Automation', 'Appearance', 'Privacy', 'Inspection']) {
    await tab(page, name).click();
    await page.getByRole('heading', { name, level: 2 }).waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
  }
  await page.getByRole('switch', { name: 'Inspect on schedule' }).waitFor();
  // One line that scrolls.
  expect((await page.locator('.settings-tabs').boundingBox())?.height).toBeLessThan(50);
  await picture(page, 'settings-phone-dark');
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
}, 180_000);

test('what the environment sets is locked, the inspection is not', async () => {
  const locked = await ManagerProcess.start({ env: boundTo(testGateway, 'http') });
  try {
    const { page, problems } = await open('connection', {}, locked);
    await page.getByText('Set by the environment.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Gateway URL' }).isDisabled()).toBe(true);
    await tab(page, 'Inspection').click();
    await page.getByLabel('Retries').fill('2');
    await page.keyboard.press('Control+s');
    await saved(page).waitFor();
    const { config } = configResponseSchema.parse(await locked.json('/usage-service/config'));
    expect(config.codexInspection.retries).toBe(2);
    expect(problems).toEqual([]);
  } finally {
    await locked.remove();
  }
}, 180_000);
