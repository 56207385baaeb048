import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { ANALYTICS_PATH } from '@manager/core/contract/monitoring/analytics';
import { until } from '@manager/core/testing/until';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { type MonitoredManager, settled, startMonitored, watchQuestions } from '../support/monitored.ts';

let site: MonitoredManager;

beforeAll(async () => {
  site = await startMonitored(77, 600, 30);
}, 180_000);

afterEach(() => site.closePages());
afterAll(() => site.stop());

const rows = (page: Page) => page.locator('[data-row]');
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });

describe('the tables of request monitoring', () => {
  test('put all requests together by account, with sums that agree with the tiles, and lead back to them', async () => {
    const { page, problems } = await site.open('?range=all&tab=accounts');
    const table = page.getByRole('table', { name: 'Accounts' });
    await table.waitFor();
    const { account_stats = [], summary } = await site.ask({ include: { summary: true, account_stats: true } });
    expect(await table.getAttribute('aria-rowcount')).toBe(String(account_stats.length + 2));
    expect(await page.locator('.totals-row').textContent()).toContain(summary?.total_calls.toLocaleString('en') ?? '?');

    await table.getByRole('columnheader', { name: 'Requests' }).getByRole('button').click();
    await until(() => page.url().includes('sort=-requests'));
    const most = Math.max(...account_stats.map(({ calls }) => calls)).toLocaleString('en');
    await rows(page)
      .first()
      .getByRole('button', { name: `${most} requests` })
      .waitFor();

    await rows(page).first().locator('.fold').click();
    await page.locator('tr[data-below]').first().waitFor();

    await rows(page)
      .first()
      .getByRole('button', { name: `${most} requests` })
      .click();
    await until(() => page.url().includes('account=') || page.url().includes('auth_index='));
    await page.getByText(`Loaded ${most} of ${most}`).waitFor();
    expect(page.url()).not.toContain('@');
    expect(problems).toEqual([]);
  });

  test('are read page by page, in pages of a chosen length, and the address keeps both', async () => {
    const { account_stats = [] } = await site.ask({ include: { account_stats: true } });
    const count = account_stats.length;
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThanOrEqual(40);
    const { page, problems } = await site.open('?range=all&tab=accounts&sort=-requests');
    const foot = page.locator('.table-foot');
    await foot.getByText(`1–${count} of ${count}`).waitFor();
    expect(await foot.getByRole('button', { name: 'Next page' }).count()).toBe(0);

    await foot.getByRole('button', { name: 'All rows' }).click();
    await page.getByText('20 rows', { exact: true }).click();
    await foot.getByText(`1–20 of ${count}`).waitFor();
    await until(async () => (await rows(page).count()) === 20);
    const keysOf = () => rows(page).evaluateAll((found) => found.map((row) => row.getAttribute('data-row')));
    const first = await keysOf();
    expect(await foot.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true);

    await foot.getByRole('button', { name: 'Next page' }).click();
    await foot.getByText(`21–${count} of ${count}`).waitFor();
    await until(async () => (await rows(page).count()) === count - 20);
    const second = await keysOf();
    expect(new Set([...first, ...second]).size).toBe(count);
    expect(await foot.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    // Sums still cover all pages.
    const { summary } = await site.ask({ include: { summary: true } });
    expect(await page.locator('.totals-row').textContent()).toContain(summary?.total_calls.toLocaleString('en') ?? '?');
    await until(() => /pageSize=20/.test(page.url()) && /[?&]page=2/.test(page.url()));

    await page.reload();
    await foot.getByText(`21–${count} of ${count}`).waitFor();
    await until(async () => (await keysOf()).join() === second.join());
    await foot.getByRole('button', { name: 'Previous page' }).click();
    await foot.getByText(`1–20 of ${count}`).waitFor();
    expect(problems).toEqual([]);
  });

  test('client keys show an alias or a masked key, with their use below', async () => {
    const { page, problems } = await site.open('?range=all&tab=keys');
    await page.getByRole('table', { name: 'Client keys' }).waitFor();
    await rows(page).first().locator('.fold').click();
    await page.locator('tr[data-below]').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'monitoring-keys-1440');
    expect(problems).toEqual([]);
  });

  test('keeps a choice that is made while a search waits for a pause in typing', async () => {
    const { page, problems } = await site.open('?range=all');
    await page.locator('[data-row]').first().waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('gpt');
    await page.getByRole('button', { name: 'Failed only' }).click();
    await until(() => page.url().includes('search=gpt'));
    await until(() => page.url().includes('status=failed'));
    expect(problems).toEqual([]);
  });

  test('a search for the name of a client key leads to its requests, and one by its hash is understood', async () => {
    const { api_key_stats = [] } = await site.ask({ include: { api_key_stats: true } });
    const [row] = api_key_stats.filter(({ api_key_hash }) => api_key_hash !== '');
    if (row === undefined) throw new Error('no request has a client key');
    const { api_key_hash: hash, calls } = row;
    const items = [{ apiKeyHash: hash, alias: 'Team Alpha' }];
    await site.manager.json('/v0/management/api-key-aliases', { method: 'PUT', body: JSON.stringify({ items }) });
    const { page, problems } = await site.open('?range=all');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('alpha');
    await page.getByText('“alpha” is part of a client key name.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show requests of Team Alpha' }).click();
    await page
      .getByText(`of ${calls.toLocaleString('en')}`, { exact: false })
      .first()
      .waitFor();
    await until(() => page.url().includes(`api_key_hash=${hash}`) && !page.url().includes('search='));
    await until(async () => (await search.inputValue()) === '');

    await page.goto(`${site.manager.url}/management.html#/monitoring?range=all`);
    await until(() => !page.url().includes('api_key_hash='));
    await search.fill(`#${hash.slice(0, 8)}`);
    await page.getByText(`Loaded ${calls.toLocaleString('en')} of ${calls.toLocaleString('en')}`).waitFor();

    await page.goto(`${site.manager.url}/management.html#/usage-analytics?tab=models&search=alpha`);
    await page.getByRole('button', { name: 'Show requests of Team Alpha' }).first().click();
    await until(() => page.url().includes(`api_key_hash=${hash}`) && !page.url().includes('search='));
    expect(problems).toEqual([]);
  });

  test('failures are grouped by cause with what to do, and each leads to its request', async () => {
    const { page, problems } = await site.open('?range=all&tab=failures');
    const causes = page.getByRole('columnheader', { name: 'What to do' });
    await causes.waitFor();
    // The address changes before the table does.
    const opensRequest = async () => {
      await until(() => page.url().includes('range=custom') && page.url().includes('status=failed'));
      await causes.waitFor({ state: 'detached' });
      await rows(page).first().waitFor();
      await page.goBack();
      await causes.waitFor();
    };
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'monitoring-failures-1440');
    await page.getByText('Provider error', { exact: true }).first().click();
    await page
      .getByRole('button', { name: /Show request of/ })
      .first()
      .click();
    await opensRequest();
    // The whole row links to the request, by mouse and keyboard.
    const group = rows(page).filter({ hasText: 'Provider error' }).first();
    const below = page.locator('tr[data-below]').first();
    for (const open of [() => below.click(), () => below.press('Enter')]) {
      await group.click();
      await open();
      await opensRequest();
    }
    await page.getByText('Model', { exact: true }).last().click();
    await until(() => page.url().includes('group=model'));
    await page.getByRole('columnheader', { name: 'Model' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('every view can be restored from its address, and an invalid part of it is corrected', async () => {
    const { page } = await site.open('?range=24h&tab=models&sort=-tokens&density=comfortable&status=maybe&other=1');
    await page.getByRole('table', { name: 'Models' }).waitFor();
    await until(() => !page.url().includes('maybe'));
    const address = page.url();
    expect(address).toContain('other=1');
    await page.reload();
    const head = page.getByRole('columnheader', { name: 'Tokens' });
    await head.waitFor();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect(page.url()).toBe(address);
    await tab(page, /Failures/).click();
    await page.goBack();
    await head.waitFor();
    expect(page.url()).toBe(address);
  });

  test('show why they are empty, and what failed', async () => {
    const { page } = await site.open('?range=custom&from_ms=1000000000000&to_ms=1000000100000&tab=accounts', {
      expected: /500/,
    });
    await page.getByText('No requests in “Custom”').waitFor();
    await page.getByRole('link', { name: 'Find the cause' }).waitFor();
    await page.route(`**${ANALYTICS_PATH}`, (route) => route.fulfill({ status: 500, body: '{"error":"broken"}' }));
    await page.goto(`${site.manager.url}/management.html#/monitoring?range=7d&tab=models`);
    await page.getByText('The totals could not be loaded').waitFor();
    await page.getByText('The timeline could not be loaded').waitFor();
    await page.unroute(`**${ANALYTICS_PATH}`);
    await page.getByLabel('Models').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Models' }).waitFor();
  });
});

describe('the sums of request monitoring', () => {
  test('explain their calculation and link to their requests', async () => {
    const { page, problems } = await site.open('?range=all');
    await page.locator('[data-stat="failed"] button').click();
    const why = page.getByRole('dialog', { name: 'Calculation of Failed' });
    await why.getByText('All').first().waitFor();
    const { summary } = await site.ask({ include: { summary: true } });
    await why.getByRole('button', { name: `Show ${summary?.failure_calls} failed requests` }).click();
    await until(() => page.url().includes('status=failed'));
    await page.getByText(`of ${summary?.failure_calls}`, { exact: false }).first().waitFor();
    expect(problems).toEqual([]);
  });

  test('are compared with any other range, in tiles, timeline and tables', async () => {
    const { page, problems } = await site.open('?range=1h&tab=models&compare=previous');
    await page.getByRole('columnheader', { name: 'Δ requests' }).waitFor();
    await page.getByText('Compared range', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^vs / }).click();
    await page.getByText('Off', { exact: true }).click();
    await page.getByRole('columnheader', { name: 'Δ requests' }).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('compare');
    expect(problems).toEqual([]);
  });
});

describe('one request', () => {
  test("shows its diagnosis, related requests, and the gateway's log", async () => {
    const { page, problems } = await site.open('?range=all&status=failed', { expected: /404/ });
    await rows(page).first().click();
    const drawer = page.getByRole('complementary', { name: 'Request' });
    await drawer.getByRole('button', { name: 'Copy diagnosis' }).waitFor();
    await drawer.getByText('Related requests').scrollIntoViewIfNeeded();
    const counts = drawer.locator('.related-count').first();
    await until(async () => /^\d/.test((await counts.textContent()) ?? ''));
    await drawer.getByRole('button', { name: 'Open request log' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request log' });
    await dialog.getByText('No log for this request').or(dialog.locator('.log-box')).first().waitFor();
    // The drawer below is over the page now; the dialog keeps the keyboard.
    await page.setViewportSize({ width: 1000, height: 900 });
    await page.locator('.drawer[data-overlay]').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await drawer.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test.each([
    ['outside of the filters', (failed: boolean) => `status=${failed ? 'success' : 'failed'}`],
    [
      'outside of the filters and with a comparison',
      (failed: boolean) => `status=${failed ? 'success' : 'failed'}&compare=previous`,
    ],
    ['with a comparison', () => 'range=all&compare=custom&compare_from_ms=1000&compare_to_ms=2000'],
    ['with a comparison, beside another tab', () => 'compare=previous&tab=models'],
  ])('is found by its link before sign-in, %s, with three questions', async (_, query) => {
    const { events } = await site.ask({ include: { events_page: { limit: 3 } } });
    const row = events?.items[2];
    if (row === undefined) throw new Error('there is no request');
    const { page, problems } = await site.openPlain();
    const asked = watchQuestions(page);
    await page.goto(
      `${site.manager.url}/management.html#/monitoring/event/${row.event_hash}?at=${row.timestamp_ms}&${query(row.failed)}`,
    );
    await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Request' }).getByText(row.event_hash).waitFor({ state: 'attached' });
    await settled(page);
    await page.waitForLoadState('networkidle');
    // Neighbors are counted when they scroll into view.
    const atOnce = asked.filter((what) => !what.startsWith('/') && !what.startsWith('account_stats'));
    expect(atOnce.length > 3 ? atOnce : []).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('that lies elsewhere holds the comparison back until it is closed', async () => {
    const { events } = await site.ask({ include: { events_page: { limit: 1 } } });
    const row = events?.items[0];
    if (row === undefined) throw new Error('there is no request');
    const filters = `status=${row.failed ? 'success' : 'failed'}&compare=previous`;
    const { page } = await site.open();
    const compared = page.locator('[title^="Compared range:"]').first();
    await page.goto(
      `${site.manager.url}/management.html#/monitoring/event/${row.event_hash}?at=${row.timestamp_ms}&${filters}`,
    );
    const drawer = page.getByRole('complementary', { name: 'Request' });
    await drawer.getByText(row.event_hash).waitFor({ state: 'attached' });
    await settled(page);
    await page.waitForLoadState('networkidle');
    expect(await compared.count()).toBe(0);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await compared.waitFor();
  });
});
