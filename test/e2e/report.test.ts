import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { until } from '@manager/core/testing/until';
import { analyticsModel } from '@manager/core/usage/models';
import { makeEvents } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

const EVENTS = 400;
/** The last month as a whole, and some days of the one before. */
const SPAN_MS = 70 * 86_400_000;
const ZONE = 'UTC';

let rig: PanelRig;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  const gateway = await rig.gateway();
  manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  let clock = Date.now() - SPAN_MS;
  const events = makeEvents({
    seed: 23,
    numberFrom: 0,
    now: () => {
      clock += SPAN_MS / EVENTS;
      return Math.min(clock, Date.now());
    },
  });
  for (let index = 0; index < EVENTS; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === EVENTS);
}, 180_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

/** `2026-10`, that many months before the running one. */
function monthBefore(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
}

interface PlainEvent {
  readonly timestamp_ms: number;
  readonly model: string;
  readonly api_key_hash?: string;
  readonly requested_model?: string;
  readonly total_tokens: number;
}

/** Every event of a month, as exported. */
async function eventsOf(month: string): Promise<readonly PlainEvent[]> {
  const text = await (await manager.fetch('/v0/management/usage/export')).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PlainEvent)
    .filter(({ timestamp_ms }) => new Date(timestamp_ms).toISOString().startsWith(month));
}

const groups = (events: readonly PlainEvent[], keyOf: (event: PlainEvent) => string) =>
  [...Map.groupBy(events, keyOf).values()]
    .map((group) => [group.length, group.reduce((sum, event) => sum + event.total_tokens, 0)].join())
    .sort();

const modelOf = ({ model, requested_model = '' }: PlainEvent) => analyticsModel({ model, requested_model });
const table = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });
const requests = (page: Page) => page.locator('[data-stat="requests"] .stat-value');

async function csvOf(page: Page, region: string): Promise<readonly Readonly<Record<string, string>>[]> {
  await table(page, region).getByRole('button', { name: 'Export', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as CSV', exact: true }).click();
  const file = await download;
  const [head = '', ...lines] = readFileSync((await file.path()) ?? '', 'utf8')
    .trim()
    .split('\r\n');
  const names = head.split(',');
  return lines.map((line) => {
    // No name of this history has a comma or a quote.
    const values = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  });
}

describe('the report', () => {
  test('opens by its address, shows the same numbers as the events, and another month by one step', async () => {
    const month = monthBefore(1);
    const { page, problems } = await rig.open(manager, `/report?month=${month}&zone=${ZONE}`);
    const events = await eventsOf(month);
    await page.locator(`[data-stat="requests"] .stat-value[title="${events.length}"]`).waitFor();
    await table(page, 'Client key → Model').locator('[data-row]').first().waitFor();
    await picture(page, 'report-1440');

    const lines = await csvOf(page, 'Client key → Model');
    const written = (level: string) =>
      lines
        // Parts that only the month before has are listed with zeros.
        .filter((line) => line.level === level && line.requests !== '0')
        .map((line) => [line.requests, line.total_tokens].join())
        .sort();
    expect(written('total')).toEqual(groups(events, () => ''));
    expect(written('row')).toEqual(groups(events, (event) => event.api_key_hash ?? ''));
    expect(written('part')).toEqual(groups(events, (event) => `${event.api_key_hash ?? ''} ${modelOf(event)}`));

    await page.getByRole('button', { name: 'Earlier', exact: true }).click();
    const before = await eventsOf(monthBefore(2));
    await page.locator(`[data-stat="requests"] .stat-value[title="${before.length}"]`).waitFor();
    expect(page.url()).toContain(`month=${monthBefore(2)}`);
    await page.goBack();
    await page.locator(`[data-stat="requests"] .stat-value[title="${events.length}"]`).waitFor();
    expect(problems).toEqual([]);
  });

  test('without a month is about the running one, and its address then says which', async () => {
    const { page, problems } = await rig.open(manager, '/report?by=model&parts=none&measure=tokens');
    await table(page, 'Model').locator('[data-row]').first().waitFor();
    await until(() => page.url().includes('month=') && page.url().includes('zone='));
    await page.locator('[data-stat="forecast"]').waitFor();
    expect(page.url()).toContain('by=model&parts=none&measure=tokens');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await requests(page).waitFor();
    const bar = page.getByRole('search');
    await bar.getByRole('button', { name: 'Copy link', exact: true }).waitFor();
    await bar.getByRole('button', { name: 'Print or PDF', exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'report-390-dark');
    expect(problems).toEqual([]);
  });

  test('counts the requests that its address is limited to, by day as well, and says so on paper', async () => {
    const month = monthBefore(1);
    const events = await eventsOf(month);
    const [model = ''] = [...new Set(events.map(modelOf))].sort();
    const own = events.filter((event) => modelOf(event) === model);
    const address = `/report?month=${month}&zone=${ZONE}&measure=requests&model=${encodeURIComponent(model)}`;
    const { page, problems } = await rig.open(manager, address);
    await page.locator(`[data-stat="requests"] .stat-value[title="${own.length}"]`).waitFor();
    const days = await csvOf(page, 'Requests');
    expect(days.reduce((sum, day) => sum + Number(day.requests), 0)).toBe(own.length);
    await page.emulateMedia({ media: 'print' });
    await page.getByText(`Only Model: ${model}`).waitFor();
    await page.emulateMedia({ media: 'screen' });
    await picture(page, 'report-filtered-1440');
    await page.getByRole('button', { name: `Remove Model: ${model}`, exact: true }).click();
    await page.locator(`[data-stat="requests"] .stat-value[title="${events.length}"]`).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Provider' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('prints every row with its parts, in light colors and without the sidebar', async () => {
    const month = monthBefore(1);
    const { page, problems } = await rig.open(manager, `/report?month=${month}&zone=${ZONE}`, { colorScheme: 'dark' });
    await table(page, 'Client key → Model').locator('[data-row]').first().waitFor();
    // What only the month before has is a row too.
    const events = [...(await eventsOf(month)), ...(await eventsOf(monthBefore(2)))];
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const paper = page.locator('.report-paper');
    await paper.waitFor();
    const pairs = groups(events, (event) => `${event.api_key_hash ?? ''} ${modelOf(event)}`).length;
    const keys = groups(events, (event) => event.api_key_hash ?? '').length;
    expect(await paper.locator('tbody tr').count()).toBe(pairs + keys + 1);
    expect(await page.locator('.sidebar').isVisible()).toBe(false);
    expect(await page.locator('.filter-bar').isVisible()).toBe(false);
    expect(await page.locator('.table-panel').isVisible()).toBe(false);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.report-paper')).backgroundColor")).toBe(
      'rgb(255, 255, 255)',
    );
    // Nothing scrolls on paper, and nothing is wider than it.
    await page.setViewportSize({ width: 794, height: 1123 });
    const [wide, tall, body] = (await page.evaluate(`[document.documentElement.scrollWidth,
      document.documentElement.scrollHeight, document.querySelector('.page-body').scrollHeight]`)) as number[];
    expect(wide).toBeLessThanOrEqual(794);
    expect(tall ?? 0).toBeGreaterThanOrEqual(body ?? 0);
    await picture(page, 'report-print');
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await paper.waitFor({ state: 'detached' });
    // All rows are on paper: they need more than one sheet.
    const pdf = (await page.pdf({ format: 'A5' })).toString('latin1');
    expect(Number(/\/Count (\d+)/.exec(pdf)?.[1])).toBeGreaterThan(2);
    expect(problems).toEqual([]);
  });

  test('a budget is added, shown with its use and on every page when it is used up, changed and removed', async () => {
    const { page, problems } = await rig.open(manager, '/report?by=model');
    const budgets = page.getByRole('region', { name: 'Budgets', exact: true });
    const dialog = page.getByRole('dialog');
    await budgets.getByText('No budgets.').waitFor();
    await budgets.getByRole('button', { name: 'Add budget', exact: true }).click();
    await dialog.getByLabel('Monthly amount').waitFor();
    expect(await dialog.getByText('Enter a number from 0.01').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Save budget', exact: true }).click();
    await dialog.getByText('Enter a number from 0.01').waitFor();
    await dialog.getByLabel('Monthly amount').fill('0.01');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save budget', exact: true }).click();
    await budgets.getByText(/of \$0\.01/).waitFor();
    const other = (await rig.open(manager, '/system')).page;
    await other.getByText('A budget is used up').waitFor();
    // The report itself lists it.
    expect(await page.getByText('A budget is used up').count()).toBe(0);
    await dialog.waitFor({ state: 'hidden' });
    await picture(page, 'report-budget-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await budgets.scrollIntoViewIfNeeded();
    await picture(page, 'report-budget-390');
    await page.setViewportSize({ width: 1440, height: 900 });

    await budgets.getByRole('button', { name: 'Edit budget: All requests', exact: true }).click();
    await dialog.getByLabel('Monthly amount').fill('100000');
    await dialog.getByRole('button', { name: 'Save budget', exact: true }).click();
    await budgets.getByText('of $100,000.00').waitFor();
    await budgets
      .getByRole('button', { name: 'Edit budget: All requests', exact: true })
      .and(page.locator(':focus'))
      .waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await other.getByText('A budget is used up').waitFor({ state: 'detached' });

    await budgets.getByRole('button', { name: 'Edit budget: All requests', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove budget', exact: true }).click();
    await budgets.getByText('No budgets.').waitFor();
    expect(problems).toEqual([]);
  });
});
