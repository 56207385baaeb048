import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  ANALYTICS_PATH,
  type AnalyticsRequest,
  type AnalyticsResponse,
  analyticsResponseSchema,
  type EventRow,
} from '@manager/core/contract/monitoring/analytics';
import { MODEL_PRICES_PATH, modelPricesResponseSchema } from '@manager/core/contract/prices';
import { costOfEvent } from '@manager/core/pricing/cost';
import { rowIdentity, rowTokens } from '@manager/core/pricing/event-row';
import { createPriceBook, type PriceBook } from '@manager/core/pricing/price-book';
import { until } from '@manager/core/testing/until';
import { eventWith, makeEvents } from '@manager/simulator';
import type { Browser, Page, Request } from 'playwright-core';
import { launchBrowser, type OpenedPage, openPage, picture, sidewaysScroll } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const EVENTS = 1_200;

let browser: Browser;
let testGateway: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  testGateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(testGateway) });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 21, numberFrom: 0 });
  for (let index = 0; index < EVENTS; index++) {
    await testGateway.publish(events.next().value);
    if (index % 100 === 99) await Bun.sleep(30);
  }
  await until(async () => (await readStatus(manager)).events === EVENTS);
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await testGateway.stop();
});

async function open(options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> {
  const page = await openPage(browser, options);
  opened.push(page);
  return page;
}

async function signIn(page: Page, url = manager.url): Promise<void> {
  await openAsAdmin(page, url, '/monitoring');
  await page.getByRole('heading', { name: 'Request monitoring' }).waitFor();
}

const rows = (page: Page) => page.locator('[data-row]');
const tile = (page: Page, key: string) => page.locator(`[data-stat="${key}"]`);

/** The number of a tile, without the text for screen readers before it. */
const sumOf = async (page: Page, key: string) =>
  (await tile(page, key).locator('button').textContent())?.split(': ')[1];

/** Shortest interval between automatic requests of the page. */
const REFRESH_OFTEN = `localStorage.setItem('mgrpanel:v1:prefs', JSON.stringify({ liveRefreshSeconds: 5 }))`;
const REFRESH_NEVER = `localStorage.setItem('mgrpanel:v1:prefs', JSON.stringify({ liveRefreshSeconds: 0 }))`;

function askedOf(request: Request): AnalyticsRequest | null {
  return request.url().endsWith(ANALYTICS_PATH) ? (request.postDataJSON() as AnalyticsRequest) : null;
}

/** The next answer with sums, of failed requests alone or of all. */
async function nextSums(page: Page, failed = false): Promise<NonNullable<AnalyticsResponse['summary']>> {
  const response = await page.waitForResponse((one) => {
    const asked = askedOf(one.request());
    return asked?.include?.summary === true && (asked.filters?.failed_only === true) === failed;
  });
  const { summary } = analyticsResponseSchema.parse(await response.json());
  if (summary === undefined) throw new Error('sums are missing');
  return summary;
}

async function fromManager(path: string, body?: AnalyticsRequest): Promise<unknown> {
  const response = await fetch(`${manager.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TEST_ADMIN_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function storedPrices(): Promise<PriceBook> {
  return createPriceBook(modelPricesResponseSchema.parse(await fromManager(MODEL_PRICES_PATH)).prices);
}

async function allRows(): Promise<readonly EventRow[]> {
  const request = { from_ms: 1, to_ms: Date.now() + 3_600_000, include: { events_page: { limit: 50_000 } } };
  return analyticsResponseSchema.parse(await fromManager(ANALYTICS_PATH, request)).events?.items ?? [];
}

/** Three decimals below 100 US dollars, and only digits that the server sent. */
const costText = (usd: number): string =>
  `$${usd.toLocaleString('en', { minimumFractionDigits: usd < 100 ? 3 : 2, maximumFractionDigits: usd < 100 ? 3 : 2 })}`;

describe('signing in', () => {
  test('a wrong key is refused with a reason, the right one opens the dashboard, and no address holds it', async () => {
    const { page, problems } = await open({ expected: /401/ });
    await page.goto(`${manager.url}/`);
    const field = page.getByLabel('Admin key', { exact: true });
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(/key/i).first().waitFor();
    await field.fill(TEST_ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(page.url()).not.toContain(TEST_ADMIN_KEY);
    expect(problems).toEqual([]);
  });
});

describe('the live page', () => {
  test('shows the newest requests, and new ones automatically', async () => {
    const { page, problems } = await open();
    await page.addInitScript(REFRESH_OFTEN);
    await signIn(page);
    await rows(page).first().waitFor();
    await page.getByText('Collecting', { exact: true }).first().waitFor();
    const before = await rows(page).first().getAttribute('data-row');
    // The list is sorted by start time: a request that just started is first, one that took a while is not.
    const text = JSON.stringify(eventWith({ timestamp: new Date().toISOString(), request_id: 'newest-request' }));
    await testGateway.publish(text);
    await until(async () => (await rows(page).first().getAttribute('data-row')) !== before);
    await picture(page, 'monitoring-1440');
    expect(problems).toEqual([]);
  });

  test('keeps filters and search in the address, and takes them back from it', async () => {
    const { page, problems } = await open();
    await signIn(page);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Failed only' }).click();
    await until(() => /status=failed/.test(page.url()));
    await page.reload();
    await rows(page).first().waitFor();
    expect(page.url()).toContain('status=failed');
    expect(await page.locator('table.data tbody').getByText('OK', { exact: true }).count()).toBe(0);
    await page
      .getByRole('searchbox')
      .or(page.getByPlaceholder(/Request ID/))
      .first()
      .fill('no request has this text');
    await page.getByText('No requests match').waitFor();
    await until(() => /no(\+|%20)request/.test(page.url()));
    await page.getByRole('button', { name: 'Show all time' }).click();
    await until(() => /range=all/.test(page.url()));
    expect(page.url()).toMatch(/no(\+|%20)request/);
    await page.getByText('No requests match').waitFor();
    await page.getByRole('button', { name: 'Show all time' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows(page).first().waitFor();
    expect(problems).toEqual([]);
  });

  test('opens a request, steps through the list by keyboard, and its address opens it again', async () => {
    const { page, problems } = await open();
    await signIn(page);
    await rows(page).nth(2).click();
    const drawer = page
      .getByRole('complementary', { name: 'Request' })
      .or(page.getByRole('dialog', { name: 'Request' }));
    await drawer.getByText('Identifiers').waitFor();
    const first = page.url();
    await page.keyboard.press('j');
    await until(() => page.url() !== first);
    const address = page.url();
    await page.reload();
    await drawer.getByText('Identifiers').waitFor();
    expect(page.url()).toBe(address);
    await picture(page, 'request-1440');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('shows the sums of the whole range as the manager and a recount of its rows have them', async () => {
    const { page, problems } = await open();
    await signIn(page);
    await rows(page).first().waitFor();
    const sums = nextSums(page);
    await page.getByRole('button', { name: 'Custom', exact: true }).click();
    await page.getByRole('dialog', { name: 'Custom' }).getByText('All', { exact: true }).click();
    const { total_cost, total_calls, unpriced_calls, failure_calls } = await sums;
    expect(total_cost).toBeGreaterThan(0);
    await until(async () => (await tile(page, 'cost').textContent())?.includes(costText(total_cost)) === true);
    expect(await tile(page, 'requests').textContent()).toContain(total_calls.toLocaleString('en'));
    expect(await tile(page, 'failed').textContent()).toContain(failure_calls.toLocaleString('en'));
    expect(unpriced_calls).toBeGreaterThan(0);
    expect(await tile(page, 'cost').textContent()).toContain(`${unpriced_calls} unpriced`);

    const book = await storedPrices();
    const stored = await allRows();
    expect(stored.length).toBe(total_calls);
    const recount = stored.reduce((sum, row) => sum + costOfEvent(book, rowIdentity(row), rowTokens(row)), 0);
    expect(total_cost).toBeCloseTo(recount, 9);
    expect(problems).toEqual([]);
  });

  test('asks for sums and rows once a refresh, and a filter holds for both', async () => {
    const { page } = await open();
    await page.addInitScript(REFRESH_NEVER);
    await signIn(page);
    await rows(page).first().waitFor();
    await until(async () => (await tile(page, 'cost').textContent())?.includes('$') === true);
    const asked: string[] = [];
    page.on('request', (request) => {
      const body = askedOf(request);
      if (body !== null)
        asked.push(
          Object.keys(body.include ?? {})
            .sort()
            .join(' '),
        );
    });
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await until(() => asked.length >= 2);
    await page.waitForTimeout(300);
    expect(asked.sort()).toEqual(['events_page', 'granularity summary summary_profile timeline']);

    const failed = await sumOf(page, 'failed');
    const sums = nextSums(page, true);
    await tile(page, 'failed').getByRole('button').click();
    await page.getByRole('button', { name: /Show \d+ failed requests/ }).click();
    const { total_calls, failure_calls, success_rate } = await sums;
    expect(total_calls).toBe(failure_calls);
    expect(success_rate).toBe(0);
    await until(async () => (await sumOf(page, 'requests')) === failed);
  });

  test('shows what a request costs and by which price', async () => {
    const { page, problems } = await open();
    await signIn(page);
    const book = await storedPrices();
    const known = await allRows();
    const drawer = page.getByRole('complementary', { name: 'Request' });
    const show = async (row: EventRow | undefined) => {
      if (row === undefined) throw new Error('there is no such row');
      await page.goto(`${manager.url}/management.html#/monitoring/event/${row.event_hash}?at=${row.timestamp_ms}`);
      await drawer.getByText(row.event_hash).waitFor({ state: 'attached' });
      return row;
    };
    const priced = await show(known.find((row) => !row.failed && book.plan(rowIdentity(row)).priced));
    const name = book.pricingModel(rowIdentity(priced));
    const cost = costOfEvent(book, rowIdentity(priced), rowTokens(priced));
    await drawer.getByRole('table', { name: 'Cost breakdown' }).waitFor();
    expect(await drawer.locator('dt:text-is("Cost") + dd').textContent()).toBe(costText(cost));
    expect(await drawer.locator('dt:text-is("Price used") + dd').textContent()).toContain(name);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.cost-parts td')].some((td) => td.scrollWidth > td.clientWidth)`,
      ),
    ).toBe(false);
    await picture(page, 'request-cost-1440');

    const unpriced = await show(known.find((row) => row.total_tokens > 0 && !book.plan(rowIdentity(row)).priced));
    await drawer.getByText(`no price for ${book.pricingModel(rowIdentity(unpriced))}`).waitFor();
    expect(await drawer.getByText('$0').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows what is wrong and what to do when the gateway refuses the key', async () => {
    const gateway = await startTestGateway({ managementKey: 'another-key' });
    const env = { ...boundTo(gateway) };
    const refused = await ManagerProcess.start({ env });
    try {
      await until(async () => (await readStatus(refused)).collector.keyRefused);
      const { page } = await open({ expected: /502|401/ });
      await page.goto(`${refused.url}/management.html`);
      await page.getByLabel('Admin key', { exact: true }).fill(TEST_ADMIN_KEY);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      await page.goto(`${refused.url}/management.html#/monitoring`);
      await page.getByText('The gateway rejects the management key.').waitFor();
      await picture(page, 'key-refused-1440');
      expect(gateway.requests().filter((request) => request.status === 401).length).toBeLessThanOrEqual(3);
    } finally {
      await refused.remove();
      await gateway.stop();
    }
  });

  test('has no sideways scroll on a phone, a tablet and a desktop', async () => {
    const { page, problems } = await open({ viewport: { width: 390, height: 844 } });
    await signIn(page);
    await rows(page).first().waitFor();
    await picture(page, 'live-phone');
    expect(await sidewaysScroll(page, [390, 1024, 1440])).toEqual([0, 0, 0]);
    expect(problems).toEqual([]);
  });

  test('speaks Chinese to a Chinese browser', async () => {
    const { page, problems } = await open({ locale: 'zh-CN' });
    await page.goto(`${manager.url}/management.html#/monitoring`);
    await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
    await page.keyboard.press('Enter');
    await rows(page).first().waitFor();
    expect(await page.locator('h1').textContent()).toMatch(/[\u4e00-\u9fff]/);
    await picture(page, 'monitoring-chinese');
    expect(problems).toEqual([]);
  });
});

describe('setting up', () => {
  test('a new manager is connected step by step and collects', async () => {
    const fresh = await ManagerProcess.start();
    try {
      const { page, problems } = await open({ expected: /401|412/ });
      await page.goto(`${fresh.url}/`);
      await page
        .getByRole('heading', { name: /First-time setup|Admin key of the manager/ })
        .first()
        .waitFor();
      await picture(page, 'setup-1440');
      const next = () => page.getByRole('button', { name: 'Continue' }).click();
      await page.locator('input[type="password"]').first().fill(TEST_ADMIN_KEY);
      await next();
      await page.getByLabel('Gateway URL').fill(testGateway.url);
      await next();
      await page.locator('input[type="password"]').first().fill(TEST_UPSTREAM_KEY);
      await next();
      const finish = page.getByRole('button', { name: 'Save and start' });
      while (!(await finish.isVisible())) await next();
      await finish.click();
      await page.getByRole('heading', { name: 'First request', level: 1 }).waitFor();
      await until(async () => (await readStatus(fresh)).collector.collector === 'running');
      await testGateway.publish(makeEvents({ seed: 19, numberFrom: 0 }).next().value);
      await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
      expect(problems).toEqual([]);
    } finally {
      await fresh.remove();
    }
  });
});
