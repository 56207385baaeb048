import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { eventWith, makeEvents } from '@manager/simulator';
import type { Page } from 'playwright-core';
import type { ManagerProcess } from '../support/manager-process.ts';
import { noonZone } from '../support/noon-zone.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

// The same quantity has the same number and name on every page.

const EVENTS = 200;

let rig: PanelRig;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  const gateway = await rig.gateway();
  manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 23, numberFrom: 0, failureRate: 0.2 });
  for (let index = 0; index < EVENTS; index++) await gateway.publish(events.next().value);
  const tokens = { input_tokens: 900, output_tokens: 90, total_tokens: 990 };
  const unpriced = {
    timestamp: new Date().toISOString(),
    request_id: 'no-price',
    model: 'never-priced',
    alias: 'never-priced',
    tokens,
  };
  await gateway.publish(JSON.stringify(eventWith(unpriced)));
  await until(async () => (await readStatus(manager)).events === EVENTS + 1);
}, 180_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

async function open(path: string): Promise<Page> {
  const { page } = await rig.open(manager, path, { timezoneId: noonZone() });
  return page;
}

const digits = (text: string | null | undefined): number => Number((text ?? '').replace(/[^\d]/g, ''));

/** The full number behind a tile. */
async function tile(page: Page, key: string): Promise<string> {
  const value = page.locator(`[data-stat="${key}"] .stat-value[title]`);
  await value.waitFor();
  return (await value.getAttribute('title')) ?? '';
}

/** Parts of the token mix by name. */
async function mixOf(page: Page): Promise<Record<string, number>> {
  await page.locator('.mix dd').last().waitFor();
  const parts = await page
    .locator('.mix > div')
    .evaluateAll((rows) => rows.map((row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.title]));
  return Object.fromEntries(parts.map(([name, tokens]) => [name?.trim() ?? '', digits(tokens)]));
}

/** A table column by its header; the last value is the total where there is one. */
async function column(page: Page, table: string, head: string): Promise<readonly string[]> {
  const grid = page.getByRole('table', { name: table, exact: true });
  await grid.locator('[data-row]').first().waitFor();
  const heads = await grid.locator('thead th').allTextContents();
  const place = heads.findIndex((text) => text.trim() === head) + 1;
  if (place === 0) throw new Error(`${table} has no column ${head}, only ${heads.join()}`);
  return grid.locator(`tr:not(:has(th[scope="col"])) > *:nth-child(${place})`).allTextContents();
}

const sumOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + digits(text), 0);

describe('the numbers of today', () => {
  test('are the same on the dashboard, in usage analytics and in request monitoring', async () => {
    const dashboard = await open('/dashboard');
    const mix = await mixOf(dashboard);
    const requests = digits(await dashboard.locator('[data-stat="requests"] .stat-link').textContent());
    const failed = digits(await dashboard.locator('[data-stat="requests"] .stat-qualifier').textContent());
    const cost = await tile(dashboard, 'cost');
    expect(requests).toBe(EVENTS + 1);
    expect(failed).toBeGreaterThan(0);
    // Unpriced requests are shown with every sum.
    expect(cost).toMatch(/^≥\$\d/);
    const { Total: total = 0, ...parts } = mix;
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);

    const analytics = await open('/usage-analytics?time_range=today');
    expect(digits(await tile(analytics, 'requests'))).toBe(requests);
    expect(digits(await analytics.locator('[data-stat="failure"] .stat-qualifier').textContent())).toBe(failed);
    expect(await tile(analytics, 'cost')).toBe(cost);
    expect(digits(await tile(analytics, 'tokens'))).toBe(total);
    expect(await mixOf(analytics)).toEqual(mix);

    const monitoring = await open('/monitoring?range=today&tab=models');
    expect(digits(await tile(monitoring, 'requests'))).toBe(requests);
    expect(digits(await tile(monitoring, 'failed'))).toBe(failed);
    expect(await tile(monitoring, 'cost')).toBe(cost);
    expect(digits(await tile(monitoring, 'tokens'))).toBe(total);
    const { Uncached = 0, 'Cache read': read = 0, 'Cache write': written = 0 } = mix;
    expect(digits(await tile(monitoring, 'input'))).toBe(Uncached + read + written);
    expect(digits(await tile(monitoring, 'cached'))).toBe(read);
    await monitoring.locator('[data-stat="tokens"] .stat-link').click();
    const lines = monitoring.locator('.why-lines > div');
    await lines.first().waitFor();
    const why = await lines.allTextContents();
    for (const [name, tokens] of Object.entries(mix)) expect(why).toContain(`${name}${tokens.toLocaleString('en')}`);
  }, 180_000);

  test('are what the rows of every list add up to', async () => {
    const monitoring = await open('/monitoring?range=today&tab=accounts');
    const requests = digits(await tile(monitoring, 'requests'));
    const failed = digits(await tile(monitoring, 'failed'));
    for (const [tab, table] of [
      ['Accounts', 'Accounts'],
      ['Client keys', 'Client keys'],
      ['Models', 'Models'],
    ] as const) {
      await monitoring.getByRole('tab', { name: tab }).click();
      const [calls, failures] = [
        await column(monitoring, table, 'Requests'),
        await column(monitoring, table, 'Failed'),
      ];
      expect([tab, sumOf(calls.slice(0, -1)), digits(calls.at(-1))]).toEqual([tab, requests, requests]);
      expect([tab, sumOf(failures.slice(0, -1)), digits(failures.at(-1))]).toEqual([tab, failed, failed]);
    }
    await monitoring.getByRole('tab', { name: 'Failures' }).click();
    expect(sumOf((await column(monitoring, 'Failures', 'Failed')).slice(0, -1))).toBe(failed);

    for (const [tab, table] of [
      ['models', 'Models'],
      ['apiKeys', 'Client keys'],
      ['credentials', 'Accounts'],
    ] as const) {
      const analytics = await open(`/usage-analytics?time_range=today&tab=${tab}`);
      const calls = await column(analytics, table, 'Requests');
      expect([tab, sumOf(calls.slice(0, -1)), digits(calls.at(-1))]).toEqual([tab, requests, requests]);
      await rig.closePages();
    }
  }, 180_000);

  test('a model without a price costs nothing that is known, on a phone too', async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      for (const path of ['/usage-analytics?time_range=today&tab=models', '/monitoring?range=today&tab=models']) {
        const { page } = await rig.open(manager, `${path}&model=never-priced`, { viewport, timezoneId: noonZone() });
        const row = page.locator('tr[data-row], .list-row', { hasText: 'never-priced' }).first();
        await row.waitFor();
        const text = await row.textContent();
        expect(text).toContain('–');
        expect(text).not.toContain('$');
        await rig.closePages();
      }
    }
  }, 180_000);

  test('failed requests alone have no success rate', async () => {
    const monitoring = await open('/monitoring?range=today&tab=accounts&status=failed');
    await monitoring.getByRole('table', { name: 'Accounts', exact: true }).locator('[data-row]').first().waitFor();
    await until(
      async () => (await monitoring.locator('[data-stat="success"] .stat-value').textContent())?.includes('–') === true,
    );
    const heads = await monitoring.locator('thead th').allTextContents();
    expect(heads.map((head) => head.trim())).not.toContain('Success');
    const analytics = await open('/usage-analytics?time_range=today&tab=models&status=failed');
    await analytics.getByRole('table', { name: 'Models', exact: true }).locator('[data-row]').first().waitFor();
    await analytics.locator('[data-stat="failure"] .stat-value').filter({ hasText: '–' }).waitFor();
  }, 180_000);
});
