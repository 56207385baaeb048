// Over 400 lines because all scenes share one build and one browser, which are slow to start.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { until } from '@manager/core/testing/until';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { type PartsServer, servePanelParts } from '../support/panel-parts.ts';

let browser: Browser;
let parts: PartsServer;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  [browser, parts] = await Promise.all([launchBrowser(), servePanelParts()]);
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  parts.stop();
});

async function open(scene: string, options: Parameters<typeof openPage>[1] = {}, script?: string): Promise<OpenedPage> {
  const page = await openPage(browser, { timezoneId: 'UTC', ...options });
  opened.push(page);
  if (script !== undefined) await page.page.addInitScript(script);
  await page.page.goto(parts.url(scene));
  await page.page.getByRole('heading', { name: 'Parts' }).waitFor();
  return page;
}

/** No element tells its size until `releaseSizes()`. */
const HOLD_SIZES = `
  const Observer = ResizeObserver;
  const held = [];
  window.ResizeObserver = class extends Observer {
    observe(element, options) {
      held.push(() => super.observe(element, options));
    }
  };
  window.releaseSizes = () => held.splice(0).forEach((observe) => observe());
`;

const rows = (page: Page) => page.locator('[data-row]');
const keysOf = (page: Page) => rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
const output = (page: Page) => page.locator('output').textContent();
const phone = { viewport: { width: 390, height: 800 } } as const;

async function download(page: Page, item: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item, exact: true }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8');
}

describe('a table', () => {
  test('of 50,000 rows holds at most 60 of them, wherever it is scrolled to', async () => {
    const { page, problems } = await open('table');
    await rows(page).first().waitFor();
    const table = page.getByRole('table', { name: 'Models' });
    expect(await table.getAttribute('aria-rowcount')).toBe('50002');
    const scroller = page.locator('main');
    const drawn = () =>
      until(() =>
        page.evaluate(`document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('[data-row]') !== null`),
      );
    for (const share of [0, 0.37, 1]) {
      await scroller.evaluate((box, at) => box.scrollTo({ top: box.scrollHeight * at }), share);
      await drawn();
      await until(async () => (await rows(page).count()) > 20);
      expect(await rows(page).count()).toBeLessThanOrEqual(60);
    }
    expect(await keysOf(page)).toContain('model-49999');
    // Header and totals stay visible.
    for (const name of ['Model', 'Total']) {
      const box = await table.getByText(name, { exact: true }).boundingBox();
      expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
      expect(box?.y ?? 999).toBeLessThan(80);
    }
    // Rows partly under the header would count as too small.
    await scroller.evaluate((box) => box.scrollTo({ top: 0 }));
    await drawn();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('is put in order by its heads, unknown values last', async () => {
    const { page } = await open('short');
    const head = page.getByRole('columnheader', { name: 'Cost' });
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    const costs = () => page.locator('tbody tr td:nth-child(5)').allTextContents();
    const shown = (await costs()).map((text) => Number(text.slice(1)));
    expect(shown.slice(0, 10)).toEqual(shown.slice(0, 10).sort((a, b) => b - a));
    expect((await costs()).slice(-2)).toEqual(['–', '–']);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect((await costs()).slice(-2)).toEqual(['–', '–']);
  });

  test('is walked through, opened and chosen from by keys', async () => {
    const { page } = await open('short');
    await rows(page).first().waitFor();
    const focused = () => page.evaluate(`document.activeElement?.getAttribute('data-row')`);
    await page.keyboard.press('j');
    await until(async () => (await focused()) === '=cmd|calc');
    await page.keyboard.press('j');
    await until(async () => (await focused()) === 'model-0');
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await until(async () => (await focused()) === 'model-1');
    await page.keyboard.press('Enter');
    expect(await output(page)).toBe('open model-1, chosen model-0');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    expect((await output(page))?.split(' ')).toHaveLength(12 + 3);
    // A checkbox in a row does not open the row.
    await page.getByRole('checkbox', { name: 'Select model-2', exact: true }).uncheck();
    expect(await output(page)).toContain('open model-1,');
  });

  test('keeps the row under the keyboard and its focus, however far it is scrolled', async () => {
    const { page } = await open('table');
    await rows(page).first().waitFor();
    await rows(page).nth(3).focus();
    const focused = () => page.evaluate(`document.activeElement?.getAttribute('data-row')`);
    const key = await focused();
    expect(key).toBe((await keysOf(page))[3] ?? '');
    const scroller = page.locator('main');
    // In one jump, then too fast for rows to be drawn.
    await scroller.evaluate((box) => box.scrollTo({ top: 200_000 }));
    await until(async () => !(await keysOf(page)).includes('model-7'));
    expect(await focused()).toBe(key);
    const top = () => scroller.evaluate((box) => box.scrollTop);
    for (let step = 0; step < 20; step += 1) await page.mouse.wheel(0, 4000);
    await until(async () => (await top()) === 280_000);
    expect(await focused()).toBe(key);
    await page.keyboard.press('ArrowDown');
    const next = page.locator(`[data-row][aria-rowindex="7"]`);
    await until(async () => (await focused()) === (await next.getAttribute('data-row')));
    const box = await next.boundingBox();
    expect(box?.y ?? -1).toBeGreaterThan(0);
  });

  test('moves the focus also when it is scrolled away before the next row is drawn', async () => {
    const { page } = await open('table');
    await rows(page).nth(3).focus();
    const scroller = page.locator('main');
    await scroller.evaluate((box) => box.scrollTo({ top: 200_000 }));
    await until(async () => !(await keysOf(page)).includes('model-7'));
    // One task, so that nothing is drawn in between.
    await page.evaluate(`
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      document.querySelector('main').scrollTo({ top: 300_000 });
    `);
    await until(() => page.evaluate(`document.activeElement?.getAttribute('aria-rowindex') === '7'`));
  });

  test('brings the next row into view after a scroll of a few pixels', async () => {
    const { page } = await open('table');
    await rows(page).nth(5).focus();
    await page.locator('main').evaluate((box) => box.scrollTo({ top: box.scrollTop + 90 }));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const row = page.locator(':focus');
    const head = page.getByRole('table', { name: 'Models' }).locator('thead');
    await until(async () => (await row.getAttribute('aria-rowindex')) === '6');
    const [below, above] = [await row.boundingBox(), await head.boundingBox()];
    expect(Math.round(below?.y ?? 0)).toBeGreaterThanOrEqual(Math.round((above?.y ?? 999) + (above?.height ?? 0)));
  });

  test('unfolds the parts of a row', async () => {
    const { page } = await open('short');
    await page.getByRole('button', { name: 'Details of model-1' }).click();
    expect(await keysOf(page)).toContain('model-1/model-1000001');
    await page.getByRole('button', { name: 'Details of model-1' }).click();
    expect(await keysOf(page)).not.toContain('model-1/model-1000001');
  });

  test('is saved in its order, no cell a formula, numbers unformatted', async () => {
    const { page } = await open('short');
    const csv = (await download(page, 'Save as CSV')).trimEnd().split('\r\n');
    expect(csv[0]).toBe('name,requests,cost');
    expect(csv[1]).toBe(`'=cmd|calc,23757,0.93`);
    expect(csv).toHaveLength(13);
    const json = JSON.parse(await download(page, 'Save as JSON')) as unknown[];
    expect(json[1]).toEqual({ name: 'model-0', requests: 0, cost: null });
    expect((await download(page, 'Save as CSV for spreadsheets')).charCodeAt(0)).toBe(0xfeff);
  });

  test('has rows of two lines on a phone, with order and choice in reach', async () => {
    const { page, problems } = await open('table', phone);
    await rows(page).first().waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await rows(page).count()).toBeLessThanOrEqual(60);
    await page.getByRole('button', { name: 'Sort: Model' }).click();
    const choice = page.getByRole('menuitemradio', { name: 'Requests, descending' });
    await choice.click();
    // Sorting and closing the menu take some frames after the click.
    await rows(page).first().filter({ hasText: '50.0K' }).waitFor();
    await choice.waitFor({ state: 'detached' });
    expect(await page.evaluate<number>(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(390);
    await picture(page, 'parts-table-390');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('distinguishes its states', async () => {
    const { page } = await open('states');
    for (const text of ['No model was used', 'Models could not be loaded', 'An unexpected error']) {
      await page.getByText(text).first().waitFor();
    }
    expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(1);
    expect(await page.locator('.pill').getByText('error').count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

describe('a chart', () => {
  test('speaks its buckets to arrow keys and opens one', async () => {
    const { page, problems } = await open('chart');
    const chart = page.getByRole('group', { name: 'Traffic today' });
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const spoken = chart.locator('[aria-live="polite"]');
    await spoken.filter({ hasText: '27 Aug 01:00 – 02:00, Requests 216, Failed 0' }).waitFor();
    const tooltip = page.locator('.chart-tooltip');
    await tooltip.filter({ hasText: '27 Aug 01:00 – 02:00 UTC' }).waitFor();
    await chart.blur();
    await tooltip.waitFor({ state: 'detached' });
    await chart.focus();
    await tooltip.filter({ hasText: '27 Aug 01:00 – 02:00 UTC' }).waitFor();
    await page.keyboard.press('Enter');
    await until(async () => (await output(page)) === 'picked 1');
    await page.keyboard.press('End');
    await tooltip.filter({ hasText: 'Incomplete' }).waitFor();
    expect(await page.getByText('Not collecting, 18 min').count()).toBe(1);
    await picture(page, 'parts-chart-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('takes keys before it is drawn, and shows their bucket then', async () => {
    const { page } = await open('chart', {}, HOLD_SIZES);
    await page.getByRole('group', { name: 'Traffic today' }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.getByText('27 Aug 01:00 – 02:00, Requests 216, Failed 0').waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    await page.evaluate('releaseSizes()');
    await page.locator('.chart-tooltip').filter({ hasText: '27 Aug 01:00 – 02:00 UTC' }).waitFor();
  });

  test('is a table at a key and by its switch, and a file', async () => {
    const { page } = await open('chart');
    await page.getByRole('group', { name: 'Traffic today' }).focus();
    await page.keyboard.press('t');
    const table = page.getByRole('table', { name: 'Traffic today' });
    expect(await table.locator('tbody tr').first().textContent()).toContain('27 Aug 14:00 – 15:00 · Incomplete');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show as chart' }).click();
    await page.locator('canvas').waitFor();
    const csv = (await download(page, 'Save as CSV')).split('\r\n');
    expect(csv[0]).toBe('from,to,complete,requests,failed,input,output,reasoning');
    expect(csv[1]).toContain('2026-08-27T00:00:00.000+00:00,2026-08-27T01:00:00.000+00:00,true,270,1,');
  });

  test('follows the size of the window and the theme', async () => {
    const { page, problems } = await open('chart', { colorScheme: 'light' });
    const canvas = page.locator('canvas');
    await canvas.waitFor();
    const pixels = () => canvas.evaluate((element) => (element as unknown as { toDataURL(): string }).toDataURL());
    const light = await pixels();
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(async () => (await pixels()) !== light);
    const width = async () => (await canvas.boundingBox())?.width ?? 0;
    const before = await width();
    await page.setViewportSize({ width: 900, height: 700 });
    await until(async () => (await width()) < before);
    expect(await width()).toBeGreaterThan(600);
    await page.setViewportSize(phone.viewport);
    await until(async () => (await page.evaluate<number>(`document.documentElement.scrollWidth`)) <= 390);
    await picture(page, 'parts-chart-390');
    expect(problems).toEqual([]);
  });

  test('with many lines colors the chosen ones', async () => {
    const { page, problems } = await open('lines');
    const epsilon = page.getByRole('button', { name: 'epsilon' });
    expect(await epsilon.getAttribute('aria-pressed')).toBe('false');
    await epsilon.click();
    expect(await epsilon.getAttribute('aria-pressed')).toBe('true');
    await picture(page, 'parts-lines-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('a dialog', () => {
  test('requires its word to be typed, acts once, and returns the focus', async () => {
    const { page } = await open('dialog');
    await page.getByRole('button', { name: 'Delete all' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete all events' });
    const field = dialog.getByLabel('Type DELETE to confirm');
    await field.waitFor();
    await page.waitForFunction(`document.activeElement?.tagName === 'INPUT'`);
    expect(await accessibilityProblems(page)).toEqual([]);
    const button = dialog.getByRole('button', { name: 'Delete', exact: true });
    await page.keyboard.type('delete');
    expect(await button.isDisabled()).toBe(true);
    await field.fill('DELETE');
    await button.dblclick();
    await dialog.waitFor({ state: 'detached' });
    expect(await output(page)).toBe('done 1');
    expect(await page.evaluate(`document.activeElement?.textContent`)).toBe('Delete all');
  });

  test('that cannot be undone starts on Cancel, shows why it failed, and closes on Escape', async () => {
    const { page } = await open('dialog');
    await page.getByRole('button', { name: 'Fail' }).click();
    const dialog = page.getByRole('dialog', { name: 'Fails always' });
    await dialog.waitFor();
    await page.waitForFunction(`document.activeElement?.textContent === 'Cancel'`);
    await dialog.getByRole('button', { name: 'Try' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

test('numbers and their changes fit their cells, and the text below them is on one line', async () => {
  for (const width of [1200, 700, 390]) {
    const { page } = await open('stats', { viewport: { width, height: 800 } });
    await page.getByText('−12.9 pt better').first().waitFor();
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.stat')].flatMap((cell) => {
      const right = cell.getBoundingClientRect().right;
      return [...cell.querySelectorAll('.stat-link, .change')]
        .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > right)
        .map((part) => part.textContent);
    })`);
    expect(cut).toEqual([]);
    const below = await page.evaluate<number[]>(`[...document.querySelectorAll('.stat')].map((cell) =>
      Math.round(cell.getBoundingClientRect().bottom - cell.querySelector('.stat-qualifier').getBoundingClientRect().bottom))`);
    expect(new Set(below).size).toBe(1);
    await picture(page, `parts-stats-${width}`);
  }
});

describe('a row of choices that is too long', () => {
  /** Position of an option in its row, and the arrows at both ends of the row. */
  const placed = (page: Page, row: string, choice: string) =>
    page.evaluate<{ readonly inView: boolean; readonly before: string; readonly after: string }>(`(() => {
      const row = document.querySelector(${JSON.stringify(row)});
      const choice = [...row.children].find((one) => one.textContent === ${JSON.stringify(choice)});
      const [box, own] = [row.getBoundingClientRect(), choice.getBoundingClientRect()];
      const arrow = (end) => getComputedStyle(row, end).content.match(/[‹›]/)?.[0] ?? '';
      return { inView: own.left >= box.left - 1 && own.right <= box.right + 1, before: arrow('::before'), after: arrow('::after') };
    })()`);

  test('keeps the chosen tab in view, also when there is less room for it', async () => {
    const { page, problems } = await open('rows', phone);
    const failures = () => placed(page, '[role=tablist]', 'Failures');
    await until(async () => (await failures()).inView);
    expect((await failures()).before).toBe('‹');
    await page.getByRole('button', { name: 'Less room' }).click();
    await page.getByText('Beside').waitFor();
    await until(async () => (await failures()).inView);
    await picture(page, 'parts-rows-390');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('shows that it can scroll, and scrolls to the chosen item', async () => {
    const { page } = await open('rows', phone);
    const parts = (choice: string) => placed(page, '.segmented', choice);
    expect(await parts('Error code')).toEqual({ inView: true, before: '', after: '' });
    // More options in the same width.
    await page.getByRole('button', { name: 'Less room' }).click();
    await until(async () => (await parts('Cause')).after === '›');
    expect(await parts('Cause')).toMatchObject({ inView: true, before: '' });
    await page.getByRole('radio', { name: 'Cause' }).focus();
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
    const middle = () => parts('Client key');
    await until(
      async () => (await middle()).inView && (await middle()).before === '‹' && (await middle()).after === '›',
    );
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight');
    await until(async () => (await parts('Failures')).inView && (await parts('Failures')).after === '');
  });

  test('that fits has no arrow', async () => {
    const { page } = await open('rows');
    await page.getByRole('button', { name: 'Less room' }).click();
    await page.getByRole('radio', { name: 'Model' }).waitFor({ state: 'attached' });
    for (const row of ['[role=tablist]', '.segmented'])
      expect(await placed(page, row, 'Model')).toEqual({ inView: true, before: '', after: '' });
  });
});

describe('the range control', () => {
  test('takes named ranges, any span, steps by keys, and a comparison', async () => {
    const { page, problems } = await open('range');
    await page.getByText('7 d', { exact: true }).click();
    expect(await output(page)).toStartWith('7d null');
    await page.keyboard.press('[');
    const [name, from, to] = ((await output(page)) ?? '').split(' ');
    expect(name).toBe('custom');
    expect(Math.round((Number(to) - Number(from)) / 86_400_000)).toBe(7);
    const enter = async (label: string, day: string, time: string) => {
      await page.getByLabel(label, { exact: true }).fill(day);
      await page.getByLabel(`Time, ${label}`).fill(time);
    };
    // The button names the dates of the chosen span.
    await page.getByRole('button', { name: /^\d+ \w+.* – \d+ \w+/, pressed: true }).click();
    await enter('From, UTC', '2026-01-02', '3:00');
    await enter('To, UTC', '2026-01-02', '02:00');
    const apply = page.getByRole('button', { name: 'Apply range' });
    expect(await apply.isDisabled()).toBe(true);
    await page.getByLabel('Time, To, UTC').fill('24:00');
    expect(await apply.isDisabled()).toBe(true);
    await page.getByLabel('Time, To, UTC').fill('5');
    await page.keyboard.press('Tab');
    expect(await page.getByLabel('Time, To, UTC').inputValue()).toBe('05:00');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Apply range' }).click();
    expect(await output(page)).toBe(`custom ${Date.UTC(2026, 0, 2, 3)} ${Date.UTC(2026, 0, 2, 5)} none`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Previous period').click();
    await page.getByRole('button', { name: 'vs 2 Jan 01:00 – 2 Jan 03:00' }).waitFor();
    await page.getByRole('button', { name: 'Next range' }).click();
    expect(await output(page)).toBe(`custom ${Date.UTC(2026, 0, 2, 5)} ${Date.UTC(2026, 0, 2, 7)} previous`);
    expect(problems).toEqual([]);
  });

  test('keeps everything in reach on a phone', async () => {
    const { page } = await open('range', phone);
    await page.getByRole('button', { name: 'Custom', exact: true }).click();
    await page.getByText('This month').click();
    expect(await output(page)).toStartWith('month');
    // The button names the chosen option.
    await page.getByRole('button', { name: 'This month', pressed: true }).first().waitFor();
    expect(await page.evaluate<number>(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(390);
    await picture(page, 'parts-range-390');
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
