import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ANALYTICS_PATH } from '@manager/core/contract/monitoring/analytics';
import { until } from '@manager/core/testing/until';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { MARKER, type MonitoredManager, settled, startMonitored, watchQuestions } from '../support/monitored.ts';

let site: MonitoredManager;

beforeAll(async () => {
  site = await startMonitored(78, 1300);
}, 180_000);

afterEach(() => site.closePages());
afterAll(() => site.stop());

const rows = (page: Page) => page.locator('[data-row]');
/** How long the chosen range is. */
const hoursOf = (page: Page) => {
  const chosen = new URLSearchParams(page.url().split('?')[1]);
  return (Number(chosen.get('to_ms')) - Number(chosen.get('from_ms'))) / 3_600_000;
};
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
/** Then a file is a download. */
const withoutFilePicker = (page: Page) => page.addInitScript('delete window.showSaveFilePicker');
const phone = { viewport: { width: 390, height: 844 } } as const;

describe('the list of requests', () => {
  test('has the columns and rows that were chosen, and remembers them', async () => {
    const { page, problems } = await site.open('?range=all');
    await rows(page).first().waitFor();
    await page.keyboard.press('c');
    const menu = page.getByRole('dialog', { name: 'Columns' });
    // Checked as the address says, which follows the click: no `check`, which would look at once.
    await menu.getByRole('checkbox', { name: 'Last five', checked: false }).click();
    await menu.getByRole('checkbox', { name: 'Last five', checked: true }).waitFor();
    await menu.getByRole('checkbox', { name: 'TTFT', checked: true }).click();
    await menu.getByRole('checkbox', { name: 'TTFT', checked: false }).waitFor();
    await menu.getByText('Comfortable').click();
    await until(() => /cols=/.test(page.url()) && /density=comfortable/.test(page.url()));
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Last five' }).waitFor();
    await page.getByRole('columnheader', { name: 'TTFT' }).waitFor({ state: 'detached' });
    await until(async () => (await rows(page).first().boundingBox())?.height === 36);
    await page.goto(`${site.manager.url}/management.html#/monitoring?range=24h`);
    await page.getByRole('columnheader', { name: 'Last five' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('is saved as a view under a name, and opened by it', async () => {
    const { page } = await site.open('?range=7d&status=failed');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('View name').fill('Failures of the week');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: 'Failures of the week' }).waitFor();
    await page.goto('about:blank');
    await page.goto(`${site.manager.url}/management.html#/monitoring`);
    await settled(page);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'Failures of the week' }).click();
    await until(() => page.url().includes('range=7d') && page.url().includes('status=failed'));
  });

  test('is exported as a whole, masked like the screen', async () => {
    const { page } = await site.open('?range=all', { before: withoutFilePicker });
    await settled(page);
    await page.locator('.page-head').getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export requests' });
    await dialog.getByText('JSONL').click();
    await dialog.getByText('Names, addresses and keys are masked in the file.').waitFor();
    await picture(page, 'export-dialog-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBe(site.events);
    expect(new Set(lines.map((line) => (JSON.parse(line) as { event_hash: string }).event_hash)).size).toBe(
      site.events,
    );
    expect(lines.join('\n')).not.toContain(MARKER);
  });

  test('of a filter is exported as a table with full names, if that is chosen', async () => {
    const { page, problems } = await site.open('?range=all&search=marker-1', { before: withoutFilePicker });
    await settled(page);
    await page.locator('.page-head').getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export requests' });
    await dialog.getByText('Full', { exact: true }).click();
    await dialog.getByText('The file contains full names, addresses and hashes.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^requests-\d{8}T\d{6}Z\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(2);
    // Masked, it is shortened.
    expect(lines[1]).toMatch(/,[0-9a-f]{64},POST /);
    await dialog.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('has rows that are links: for another tab, and for their address', async () => {
    const { page, problems } = await site.open('?range=all');
    await settled(page);
    const row = rows(page).first();
    const address = (await row.locator('a.row-link').getAttribute('href')) ?? '';
    expect(address).toMatch(/^#\/monitoring\/event\/[0-9a-f]{64}\?at=\d+$/);
    expect(await row.locator('a.row-link').getAttribute('tabindex')).toBe('-1');
    for (const where of [row.locator('a.row-link'), row.locator('td').nth(3)]) {
      const [other] = await Promise.all([page.context().waitForEvent('page'), where.click({ button: 'middle' })]);
      await until(() => other.url().endsWith(address));
      await other.close();
    }
    expect(page.url()).toContain('range=all');
    await row.locator('a.row-link').click();
    await until(() => page.url().includes('/monitoring/event/'));
    await page.goBack();
    await tab(page, /Models/).click();
    await settled(page);
    const model = rows(page).first();
    expect(await model.locator('a.row-link').getAttribute('href')).toMatch(/#\/monitoring\?.*model=/);
    await model.press('Enter');
    await until(() => /model=/.test(page.url()));
    expect(problems).toEqual([]);
  });

  test('is narrowed to what is dragged over in the chart, and Back returns', async () => {
    const { page, problems } = await site.open('?range=24h');
    await settled(page);
    const plot = page.locator('.chart-panel .u-over').first();
    const box = await plot.boundingBox();
    if (box === null) throw new Error('no plot');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
    await page.mouse.move(box.x + box.width * 0.9, y, { steps: 4 });
    await page.locator('.chart-mark').first().waitFor();
    await page.mouse.up();
    await until(() => /range=custom/.test(page.url()));
    expect(hoursOf(page)).toBeGreaterThan(8);
    expect(hoursOf(page)).toBeLessThan(16);
    await page.goBack();
    await until(() => /range=24h/.test(page.url()));
    // Escape cancels a drag; the keys select as well.
    await settled(page);
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 });
    const mark = page.locator('.chart-mark').first();
    await mark.waitFor();
    await page.keyboard.press('Escape');
    await mark.waitFor({ state: 'hidden' });
    await page.mouse.up();
    expect(page.url()).toContain('range=24h');
    await page.locator('.chart-panel .chart').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await until(() => /range=custom/.test(page.url()));
    // At most three quarters of an hour: all requests are recent. What was dragged over is longer.
    expect(hoursOf(page)).toBeGreaterThan(0);
    expect(hoursOf(page)).toBeLessThanOrEqual(0.75);
    expect(problems).toEqual([]);
  });

  test('shows no name while masking is on, on any tab', async () => {
    const { page } = await site.open('?range=all&search=marker-1');
    await rows(page).first().click();
    await page.getByRole('complementary', { name: 'Request' }).getByText('Identifiers').waitFor();
    for (const name of [/Realtime/, /Accounts/, /Client keys/, /Models/, /Failures/]) {
      await tab(page, name).click();
      await settled(page);
      expect(await page.content()).not.toContain(MARKER);
    }
    expect(page.url()).not.toContain('marker.identity');
  });

  test('is filtered by what only some requests have', async () => {
    const { page, problems } = await site.open('?range=all');
    await settled(page);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('More filters').click();
    await page.getByRole('combobox', { name: 'Auth index' }).fill('marker-1');
    await page.getByRole('combobox', { name: 'Auth index' }).press('Enter');
    await until(() => page.url().includes('auth_index=marker-1'));
    await page.keyboard.press('Escape');
    await page.getByText('Loaded 1 of 1').waitFor();
    // The chip shows the masked account name.
    await page
      .getByTitle('Auth index: marker-1')
      .filter({ hasText: /^Account: mar\*+@/ })
      .waitFor();
    await page.getByRole('button', { name: /^Remove Account: mar\*/ }).click();
    await until(() => !page.url().includes('auth_index'));
    expect(problems).toEqual([]);
  });
});

describe('what the page costs', () => {
  test('asks three questions at most for each tab, and for the dashboard', async () => {
    const { page } = await site.open('?range=24h');
    await settled(page);
    const asked = watchQuestions(page);
    for (const query of [
      '',
      '?tab=accounts&status=failed',
      '?tab=keys',
      '?tab=failures&compare=previous',
      '?compare=previous',
    ]) {
      await page.goto('about:blank');
      asked.length = 0;
      await page.goto(`${site.manager.url}/management.html#/monitoring${query}`);
      await settled(page);
      await page.locator('[data-row], .state').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect({ query, asked: asked.length > 3 ? asked : [] }).toEqual({ query, asked: [] });
    }
    await page.goto('about:blank');
    asked.length = 0;
    await page.goto(`${site.manager.url}/management.html#/dashboard`);
    await page.locator('.chart-panel canvas').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  test('asks nothing while its tab is hidden, and catches up when it is seen again', async () => {
    const { page } = await site.open('', {
      before: (one) =>
        one.addInitScript(`localStorage.setItem('mgrpanel:v1:prefs', JSON.stringify({ liveRefreshSeconds: 5 }))`),
    });
    await settled(page);
    await page.waitForLoadState('networkidle');
    const hide = (hidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: ${hidden} ? 'hidden' : 'visible', configurable: true });
        Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await hide(true);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // Long enough for two refreshes of the page.
    await page.waitForTimeout(11_000);
    expect(asked).toEqual([]);
    await hide(false);
    await until(() => asked.some((url) => url.endsWith(ANALYTICS_PATH)));
  });

  test('holds few rows however many it has, wherever it is scrolled to', async () => {
    const { page } = await site.open('?range=all');
    await rows(page).first().waitFor();
    const body = page.locator('main');
    const loaded = page.getByText(/^Loaded /);
    const whole = `Loaded ${site.events.toLocaleString('en')} of`;
    await until(async () => {
      await body.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
      expect(await rows(page).count()).toBeLessThanOrEqual(60);
      return (await loaded.textContent())?.startsWith(whole);
    });
    // The last row is reachable.
    await until(async () => {
      await body.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
      return page.locator(`tr[aria-rowindex="${site.events + 1}"]`).isVisible();
    });
  });
});

describe('a list that is flung', () => {
  test('draws no rows during fast scrolling, and those at the position where it stops', async () => {
    const { page, problems } = await site.open('?range=all');
    await rows(page).first().waitFor();
    const fewest = await page.evaluate<number>(`
      new Promise((resolve) => {
        const box = document.querySelector('main');
        let fewest = Infinity;
        let direction = 1;
        let frames = 0;
        const frame = () => {
          fewest = Math.min(fewest, document.querySelectorAll('[data-row]').length);
          if (fewest === 0 || ++frames > 240) return resolve(fewest);
          const before = box.scrollTop;
          box.scrollTop = before + direction * 4000;
          if (box.scrollTop === before) direction = -direction;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      })
    `);
    expect(fewest).toBe(0);
    await page.locator('main').evaluate((box) => box.scrollTo({ top: 6_000 }));
    await until(() =>
      page.evaluate<boolean>(`
        [...document.querySelectorAll('[data-row]')].some((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          return top < innerHeight / 2 && bottom >= innerHeight / 2;
        })
      `),
    );
    expect(problems).toEqual([]);
  });
});

describe('on a phone', () => {
  test('the range that is chosen stands in the bar', async () => {
    const { page, problems } = await site.open('?range=7d', phone);
    for (const [query, name] of [
      ['?range=month', 'This month'],
      ['?range=all', 'All'],
      ['?range=custom&from_ms=1770000000000&to_ms=1770003600000', 'Custom'],
    ] as const) {
      await page.goto(`${site.manager.url}/management.html#/monitoring${query}`);
      await page.locator('.filter-bar').getByRole('radio', { name, exact: true, checked: true }).waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    expect(problems).toEqual([]);
  });

  test('every list has rows of two lines and no sideways scroll', async () => {
    const { page, problems } = await site.open('?range=all', phone);
    for (const [name, label] of [
      ['realtime', /^Realtime/],
      ['accounts', /^Accounts/],
      ['failures', /^Failures/],
    ] as const) {
      await page.goto(`${site.manager.url}/management.html#/monitoring?range=all&tab=${name}`);
      await page.getByRole('tab', { name: label, selected: true }).waitFor();
      await page.getByRole('tabpanel', { name: label }).locator('[data-row]').first().waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      // Tabs and the export button.
      expect((await page.locator('.monitoring-head').boundingBox())?.height).toBeLessThan(50);
      expect(await accessibilityProblems(page)).toEqual([]);
      await picture(page, `monitoring-${name}-390`);
    }
    expect(problems).toEqual([]);
  });

  test('From and To follow the range that is chosen in the sheet, also after a reload', async () => {
    const { page, problems } = await site.open('?range=today', phone);
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    const from = sheet.getByLabel(/^From/).first();
    for (const reload of [false, true]) {
      if (reload) {
        await page.goto(`${site.manager.url}/management.html#/monitoring?range=today`);
        await page.reload();
      }
      await page.locator('.filter-bar').getByRole('radio', { name: 'Today', exact: true, checked: true }).waitFor();
      await page.getByRole('button', { name: /^Filter/ }).click();
      const today = await from.inputValue();
      await from.fill('2026-01-02');
      await sheet.getByText('30 d', { exact: true }).click();
      await until(async () => ![today, '2026-01-02'].includes(await from.inputValue()));
      await sheet.getByRole('button', { name: 'Apply range' }).click();
      await until(() => page.url().includes('range=custom'));
      const asked = new URLSearchParams(page.url().split('?')[1]);
      const days = (Number(asked.get('to_ms')) - Number(asked.get('from_ms'))) / 86_400_000;
      expect(days).toBeGreaterThan(28);
      await page.keyboard.press('Escape');
    }
    expect(problems).toEqual([]);
  });

  test('a row in a range of several days shows its day', async () => {
    const { page } = await site.open('?range=all', phone);
    expect(await rows(page).first().textContent()).toMatch(/^\d{1,2} [A-Z][a-z]+ \d\d:\d\d/);
    await page.goto(`${site.manager.url}/management.html#/monitoring?range=1h`);
    await until(async () => /^\d\d:\d\d:\d\d/.test((await rows(page).first().textContent()) ?? ''));
  });
});
