import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { ArchiveListResponse, ArchiveRunResponse } from '@manager/core/contract/archives/runs';
import { until } from '@manager/core/testing/until';
import type { Page } from 'playwright-core';
import {
  ARCHIVES_PAGE,
  type ArchivePages,
  checkAppearance,
  drawer,
  EACH,
  press,
  startArchivePages,
} from '../support/archive-page.ts';
import { archiveRuns, createRun, segmentPaths } from '../support/archive-server.ts';
import { picture } from '../support/browser.ts';

const USAGE = '/v0/management/usage';
const ARCHIVES = `${USAGE}/archives`;
/** One hundred events of each age. */
const AGES = [100, 40, 1];

let pages: ArchivePages;
let manager: ArchivePages['manager'];

beforeAll(async () => {
  pages = await startArchivePages();
  manager = pages.manager;
}, 180_000);
afterEach(() => pages.closePages());
afterAll(() => pages.stop());

const maintenance = () => pages.maintenance();
const open: ArchivePages['open'] = (address, options) => pages.open(address, options);
const rows = (page: Page) => page.locator('.table-panel tr[data-row]');
const stat = (page: Page, name: string) => page.locator(`[data-stat="${name}"] .stat-value`);

describe('an empty database', () => {
  test('explains what an archive does, and that there is nothing to archive', async () => {
    const { page, problems } = await open();
    await page.getByText('No run is active').waitFor();
    await page.getByText('Nothing is archived automatically.').waitFor();
    await checkAppearance(page, 'archives-empty-overview');
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByText('No runs yet').waitFor();
    await picture(page, 'archives-empty-runs');
    await page.getByRole('navigation', { name: 'Archives' }).getByRole('link', { name: 'New archive' }).click();
    await page.getByText('No requests before this time.').waitFor();
    expect(await page.getByRole('button', { name: 'Create run' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Storage', exact: true }).click();
    await page.getByText('Not measured yet').waitFor();
    await page.getByText('manager-server compact-usage --db-path').waitFor();
    await page.getByText('Container', { exact: true }).click();
    await page.getByText('docker stop CONTAINER').waitFor();
    await checkAppearance(page, 'archives-empty-storage');
    expect(problems).toEqual([]);
  });

  test('has its retention changed here, without a restart, and only within the range', async () => {
    const { page, problems } = await open();
    const panel = page.getByRole('region', { name: 'Retention' });
    const days = panel.getByLabel('Keep rows for');
    await days.fill('0');
    await days.blur();
    await panel.getByText('1 to 106,751').waitFor();
    expect(await panel.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await days.fill('400');
    await panel.getByRole('switch').click();
    await panel.getByRole('button', { name: 'Save' }).click();
    // It deletes, so it is asked.
    await page.getByRole('dialog').getByText('older than 400 days').waitFor();
    await checkAppearance(page, 'archives-retention-asked');
    await press(page, 'Delete after 400 days');
    await panel.getByText('Requests older than 400 days are archived').waitFor();
    expect((await maintenance()).retention).toMatchObject({ enabled: true, days: 400, enabled_locked: false });
    await checkAppearance(page, 'archives-retention');
    // What is discarded on the way to another page is not sent.
    await days.fill('500');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await press(page, 'Discard');
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect((await maintenance()).retention?.days).toBe(400);
    await page.goBack();
    await panel.getByRole('switch').click();
    // Less is deleted: nothing to ask.
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Nothing is archived automatically.').waitFor();
    expect(problems).toEqual([]);
  });
});

describe('a database with history', () => {
  beforeAll(() => pages.fill(AGES));

  test('is archived, verified and cleared of old rows, each step on request, and shows that from then on', async () => {
    const { page, problems } = await open('?tab=create');
    await page.getByLabel('Older than').getByText('90 days').waitFor();
    // The longest preset that contains events.
    await until(async () => page.getByRole('radio', { name: '90 days' }).isChecked());
    await page.getByText('100', { exact: true }).waitFor();
    await page.getByText('30 days', { exact: true }).click();
    await page.getByText('200', { exact: true }).waitFor();
    await checkAppearance(page, 'archives-create');
    await page.getByRole('button', { name: 'Create run' }).click();
    await press(page, 'Create run');
    await drawer(page).getByText('Counted', { exact: true }).waitFor();
    // The existing run is shown instead of a second one.
    await page.getByRole('region', { name: 'Current run' }).getByText('200 requests before').waitFor();

    await drawer(page).getByRole('button', { name: 'Start archiving' }).click();
    await press(page, 'Start archiving');
    await drawer(page).getByRole('button', { name: 'Verify' }).click();
    await drawer(page).getByRole('button', { name: 'Verify again' }).waitFor();
    expect((await maintenance()).raw_event_count).toBe(AGES.length * EACH);
    await checkAppearance(page, 'archives-verified');

    await drawer(page).getByRole('button', { name: 'Delete rows' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Strictly before').waitFor();
    // Focus is on the safe choice.
    await until(async () => (await page.locator(':focus').textContent()) === 'Cancel');
    await picture(page, 'archives-delete-first');
    // The second click of a double click does nothing.
    await dialog.getByRole('button', { name: 'Continue' }).dblclick();
    const confirm = dialog.getByRole('button', { name: 'Delete 200 rows' });
    await dialog.getByRole('textbox').fill('199');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('200');
    await checkAppearance(page, 'archives-delete-second');
    await confirm.click();
    await until(async () => (await maintenance()).raw_deleted_event_count === 200);
    expect((await maintenance()).raw_event_count).toBe(EACH);
    await drawer(page).getByText('Completed', { exact: true }).first().waitFor();
    await until(async () => (await drawer(page).getByRole('button').count()) === 2);
    // Neither path nor checksum.
    expect(await drawer(page).textContent()).not.toMatch(/jsonl|sha|usage-archives/);

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await until(async () => (await stat(page, 'deleted').textContent()) === '200');
    await picture(page, 'archives-after-overview');
    await page.goto(`${manager.url}/management.html#/monitoring?range=all`);
    await page.getByText('200 of 300 requests are only in archive files.').waitFor();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await page.getByText('Not listed and cannot be opened').waitFor();
    await picture(page, 'monitoring-archived-history');
    expect(problems).toEqual([]);
  }, 180_000);

  test('keeps filters, tab and open run in its address', async () => {
    const { runs } = await manager.json<ArchiveListResponse>(ARCHIVES);
    const id = runs[0]?.id ?? '';
    const { page, problems } = await open(`?tab=runs&status=completed&mode=manual&run=${id}`);
    await drawer(page).getByText(id).waitFor();
    await until(async () => (await rows(page).count()) === 1);
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'hidden' });
    expect(page.url()).toEndWith('?tab=runs&status=completed&mode=manual');
    await page.getByText('Retention', { exact: true }).click();
    await page.getByText('No runs match').waitFor();
    expect(page.url()).toContain('mode=retention');
    await page.goBack();
    await rows(page).first().click();
    await drawer(page).waitFor();
    expect(page.url()).toContain(`run=${id}`);
    await page.goto(`${manager.url}/management.html#${ARCHIVES_PAGE}?tab=runs&status=uploading&run=1`);
    await until(async () => page.url().endsWith('?tab=runs'));
    await page.goto(`${manager.url}/management.html#${ARCHIVES_PAGE}?run=${'0'.repeat(32)}`);
    await drawer(page).getByText('This run does not exist.').waitFor();
    // The browser writes the 404 to the console.
    expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('a run that was started elsewhere is shown, and can be canceled here', async () => {
    const { page, problems } = await open('?tab=create', { expected: /409/ });
    await page.getByText('Custom', { exact: true }).click();
    const enter = async (moment: string) => {
      const [day = '', time = ''] = moment.split('T');
      await page.locator('input[type="date"]').fill(day);
      await page.getByLabel(/^Time,/).fill(time);
    };
    await enter('2999-01-01T00:00');
    await page.getByText('This time is in the future. Enter an earlier one.').waitFor();
    expect(await page.getByRole('button', { name: 'Create run' }).isDisabled()).toBe(true);
    await enter(new Date().toISOString().slice(0, 16));
    await page.getByText(String(EACH), { exact: true }).waitFor();
    await createRun(manager, Date.now());
    await page.getByRole('button', { name: 'Create run' }).click();
    await press(page, 'Create run');
    const note = page.getByRole('status').filter({ hasText: 'Another run is active.' });
    await note.getByRole('link', { name: 'Open run' }).click();
    await drawer(page).getByRole('button', { name: 'Cancel run' }).click();
    await press(page, 'Cancel run');
    await drawer(page).getByText('Canceled', { exact: true }).waitFor();
    expect((await archiveRuns(manager))[0]?.status).toBe('cancelled');
    // An error message disappears after the next success.
    await note.waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  test('a changed file is detected, and the run continues once it is restored', async () => {
    const id = await createRun(manager, Date.now());
    const act = (action: string) => manager.json(`${ARCHIVES}/${id}/${action}`, { method: 'POST' });
    await act('resume');
    await act('verify');
    const [segment = ''] = segmentPaths(manager.dataDir, id);
    const kept = `${manager.dataDir}/kept`;
    copyFileSync(segment, kept);
    const bytes = readFileSync(segment);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(segment, bytes);

    const { page, problems } = await open(`?tab=runs&run=${id}`);
    await drawer(page).getByRole('button', { name: 'Verify again' }).click();
    await drawer(page).getByRole('button', { name: 'Resume verification' }).waitFor();
    await drawer(page).getByText('Reading the files back failed').waitFor();
    expect(await drawer(page).getByRole('button', { name: 'Cancel run' }).isEnabled()).toBe(true);
    expect(await drawer(page).getByRole('button', { name: 'Delete rows' }).count()).toBe(0);
    await checkAppearance(page, 'archives-failed');
    copyFileSync(kept, segment);
    await drawer(page).getByRole('button', { name: 'Resume verification' }).click();
    await page.getByRole('dialog').getByText('reading files back').waitFor();
    await press(page, 'Resume');
    await drawer(page).getByRole('button', { name: 'Delete rows' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a stage of another browser holds everything back and can be watched or left alone', async () => {
    const [run] = await archiveRuns(manager);
    if (run === undefined) throw new Error('there is no run');
    const active = {
      ...run,
      id: 'f'.repeat(32),
      status: 'deleting',
      progress: { phase: 'deleting_records', current: 40, total: 100, unit: 'events' },
    };
    const lock = { run_id: active.id, operation: 'deleting', acquired_at_ms: Date.now(), updated_at_ms: Date.now() };
    const busy = { ...(await maintenance()), active_run: active, active_lock: lock };
    const answer = await manager.json<ArchiveRunResponse>(`${ARCHIVES}/${run.id}`);
    let status: string = answer.run.status;
    const { page, problems } = await open(`?run=${run.id}`, {
      route: async (target) => {
        await target.route('**/usage/maintenance', (route) =>
          route.request().method() === 'GET' ? route.fulfill({ json: busy }) : route.continue(),
        );
        await target.route(`**/usage/archives/${run.id}`, (route) =>
          route.fulfill({ json: { ...answer, run: { ...answer.run, status } } }),
        );
      },
    });
    await drawer(page).getByText('Another run is active (deleting rows)').waitFor();
    expect(await drawer(page).getByRole('button', { name: 'Delete rows' }).isDisabled()).toBe(true);
    const current = page.getByRole('region', { name: 'Current run' });
    const bar = current.getByRole('progressbar', { name: 'Deleting rows' });
    expect(await bar.getAttribute('aria-valuenow')).toBe('40');
    await current.getByText('deleting rows, run ffffffff').waitFor();
    await checkAppearance(page, 'archives-locked');
    await current.getByRole('button', { name: 'Stop watching' }).click();
    await current.getByText('This page checks once a minute.').waitFor();
    await current.getByRole('button', { name: 'Watch', exact: true }).waitFor();
    await page.getByRole('link', { name: 'New archive', exact: true }).first().click();
    await page.getByRole('region', { name: 'Current run' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create run' }).count()).toBe(0);

    // A status of a later server version is shown as it is, without actions.
    status = 'uploading';
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await drawer(page).getByText('uploading', { exact: true }).waitFor();
    expect(
      await drawer(page)
        .getByRole('button', { name: /Delete|Verify|Resume|Cancel|Start/ })
        .count(),
    ).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('a server that does not answer as it should', () => {
  test('without archives is distinguished from an empty list, and a failed one can be retried', async () => {
    const old = await open('?tab=runs', {
      expected: /404/,
      route: (page) => page.route('**/usage/maintenance', (route) => route.fulfill({ status: 404, json: {} })),
    });
    await old.page.getByText('Panel and server do not match').waitFor();
    await checkAppearance(old.page, 'archives-unsupported');
    expect(old.problems).toEqual([]);

    let failing = true;
    const failed = await open('', {
      expected: /500/,
      route: (page) =>
        page.route('**/usage/maintenance', (route) =>
          failing && route.request().method() === 'GET'
            ? route.fulfill({ status: 500, json: { error: 'no', code: 'request_failed' } })
            : route.continue(),
        ),
    });
    await failed.page.getByText('The archive state could not be loaded').waitFor();
    await picture(failed.page, 'archives-error');
    failing = false;
    await failed.page.getByRole('button', { name: 'Try again' }).click();
    await failed.page.getByRole('region', { name: 'Readiness' }).waitFor();
    expect(failed.problems).toEqual([]);
  });
});

describe('on a phone', () => {
  test('rows have two lines, the run fills the screen, and nothing scrolls sideways', async () => {
    const { page, problems } = await open('?tab=runs', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const wide = () => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    await page.locator('.list-row').first().waitFor();
    await checkAppearance(page, 'archives-390');
    expect(await wide()).toBeLessThanOrEqual(0);
    await page.locator('.list-row').first().tap();
    const box = await drawer(page).boundingBox();
    expect(Math.round(box?.width ?? 0)).toBe(390);
    await drawer(page).getByText('Files', { exact: true }).first().waitFor();
    await checkAppearance(page, 'archives-run-390');
    await drawer(page).getByRole('button', { name: 'Close' }).tap();
    for (const tab of ['Overview', 'New archive', 'Storage']) {
      await page.getByRole('navigation', { name: 'Archives' }).getByRole('link', { name: tab }).tap();
      await page.locator('.panel').first().waitFor();
      expect(await wide()).toBeLessThanOrEqual(0);
    }
    expect(problems).toEqual([]);
  });
});
