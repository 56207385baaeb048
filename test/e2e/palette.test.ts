import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { ANALYTICS_PATH, analyticsResponseSchema, type EventRow } from '@manager/core/contract/monitoring/analytics';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const EVENTS = 60;

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
let rows: readonly EventRow[];
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 7, numberFrom: 0 });
  for (let index = 0; index < EVENTS; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === EVENTS);
  const response = await fetch(`${manager.url}${ANALYTICS_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      from_ms: 1,
      to_ms: Date.now() + 3_600_000,
      include: { events_page: { limit: EVENTS } },
    }),
  });
  rows = analyticsResponseSchema.parse(await response.json()).events?.items ?? [];
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

async function signedIn(): Promise<OpenedPage> {
  const one = await openPage(browser);
  opened.push(one);
  const { page } = one;
  await page.goto(`${manager.url}/management.html#/system`);
  await page.getByLabel('Admin key', { exact: true }).fill(TEST_ADMIN_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'System' }).waitFor();
  return one;
}

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to' }).fill(text);
}

/** Opens what is found first; it is loaded when the palette opens. */
async function enter(page: Page): Promise<void> {
  await page.getByRole('option', { selected: true }).waitFor();
  await page.keyboard.press('Enter');
}

const option = (page: Page, group: string) => page.getByRole('group', { name: group }).getByRole('option').first();
const first = (pick: (row: EventRow) => string | undefined): string => rows.map(pick).find(Boolean) ?? '';

describe('the command palette', () => {
  test('lists the pages, and opens one by its name with the keyboard alone', async () => {
    const { page, problems } = await signedIn();
    await type(page, '');
    await until(async () => (await page.getByRole('option').count()) > 15);
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'palette-1440');
    await page.getByRole('combobox').fill('monitoring');
    await enter(page);
    await page.getByRole('heading', { name: 'Request monitoring' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('finds settings of the gateway, and tabs', async () => {
    const { page, problems } = await signedIn();
    await type(page, 'routing strategy');
    await option(page, 'Gateway settings').click();
    await page.getByRole('combobox', { name: 'Routing strategy' }).waitFor();
    await type(page, 'model rules');
    await option(page, 'Pages').click();
    await until(() => page.url().includes('/accounts?view=oauth'));
    expect(problems).toEqual([]);
  });

  test('finds models, client keys and accounts, whose names stay out of the address', async () => {
    const { page, problems } = await signedIn();
    const model = first((row) => (row.model === row.resolved_model ? row.model : undefined));
    await type(page, model);
    await option(page, 'Models').click();
    await until(() => page.url().includes(`model=${encodeURIComponent(model)}`));
    await page.getByRole('button', { name: `Remove Model: ${model}` }).waitFor();

    const account = String(gateway.authFiles().find((row) => String(row.email).includes('@'))?.email);
    await type(page, account);
    await option(page, 'Accounts').click();
    await until(() => page.url().includes('/accounts?account='));
    await page.getByRole('complementary', { name: 'Account' }).getByText('Auth index').waitFor();
    expect(page.url()).not.toContain(account.split('@')[0] ?? '');

    const hash = first((row) => row.api_key_hash);
    await type(page, hash.slice(0, 12));
    await option(page, 'Client keys').click();
    await until(() => page.url().includes(`/api-keys?show=all&key=${hash}`));
    await page.getByRole('complementary', { name: 'Client key' }).getByText(hash).waitFor();
    expect(problems).toEqual([]);
  });

  test('finds a request by its hash and by its id', async () => {
    const { page, problems } = await signedIn();
    const [row] = rows;
    await type(page, row?.event_hash ?? '');
    await enter(page);
    await page.getByRole('heading', { name: 'Tokens and cost' }).waitFor();
    const id = first((one) => one.request_id ?? undefined);
    await type(page, id);
    await page.getByText(`Find requests with “${id}”`).click();
    await page.locator(`[data-row="${rows.find((one) => one.request_id === id)?.event_hash}"]`).waitFor();
    expect(problems).toEqual([]);
  });

  test('does what it names', async () => {
    const { page } = await signedIn();
    await type(page, 'show names');
    await enter(page);
    await type(page, 'mask names');
    await option(page, 'Actions').click();
    await type(page, 'theme dark');
    await enter(page);
    await page.waitForFunction(`document.documentElement.dataset.theme === 'dark'`);
    await type(page, 'nothing has this name at all');
    await page.getByText('No results').waitFor();
  });
});
