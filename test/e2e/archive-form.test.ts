import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import {
  ARCHIVES_PAGE,
  type ArchivePages,
  checkAppearance,
  drawer,
  EACH,
  startArchivePages,
} from '../support/archive-page.ts';
import { act, archiveRuns, createRun } from '../support/archive-server.ts';

let pages: ArchivePages;
let manager: ArchivePages['manager'];

beforeAll(async () => {
  pages = await startArchivePages();
  manager = pages.manager;
}, 180_000);
afterEach(() => pages.closePages());
afterAll(() => pages.stop());

/** Something was archived before, so that sizes of files can be expected. */
beforeAll(async () => {
  await pages.fill([200]);
  const id = await createRun(manager, Date.now());
  for (const action of ['resume', 'verify']) await act(manager, id, action);
});

const maintenance = () => pages.maintenance();
const open: ArchivePages['open'] = (address, options) => pages.open(address, options);
test.each([
  ['desktop', { width: 1440, height: 900 }, 'light', 1_000],
  ['phone', { width: 390, height: 844 }, 'dark', 2_000],
] as const)(
  'archives and deletes after one confirmation, at the width of a %s',
  async (name, viewport, colorScheme, from) => {
    await pages.fill([120], from);
    const before = await maintenance();
    const { page, problems } = await open('?tab=create', { viewport, colorScheme });
    await page.getByText('90 days', { exact: true }).click();
    await page.getByText(String(EACH), { exact: true }).waitFor();
    // Earlier runs show how much smaller files are.
    await page.getByText('Expected size of the files').waitFor();
    await checkAppearance(page, `archives-form-${name}`);
    await page.getByRole('button', { name: 'Archive and delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    for (const text of ['Rows to delete', 'Days', 'Afterwards only in the files:', 'Does not change:'])
      await dialog.getByText(text, { exact: true }).waitFor();
    const confirm = dialog.getByRole('button', { name: `Archive and delete ${EACH} rows` });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(String(EACH));
    await checkAppearance(page, `archives-form-asked-${name}`);
    await confirm.click();
    await drawer(page).waitFor();
    if (name === 'desktop') {
      // The manager goes on without the page, and the page shows where it is when it is opened again.
      await page.goto('about:blank');
      await until(async () => (await archiveRuns(manager))[0]?.compaction === 'not_needed');
      const id = (await archiveRuns(manager))[0]?.id ?? '';
      await page.goto(`${manager.url}/management.html#${ARCHIVES_PAGE}?tab=runs&run=${id}`);
    }
    await drawer(page).getByText('little space is free; new requests reuse it').waitFor();
    await drawer(page).getByText('Completed', { exact: true }).first().waitFor();
    await checkAppearance(page, `archives-form-done-${name}`);
    // The earlier run waits for a person, and is not forgotten.
    if (name === 'phone') await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page
      .getByRole('region', { name: 'Current run' })
      .getByText('You can delete the rows now or keep them')
      .waitFor();
    const now = await maintenance();
    expect(now.raw_event_count).toBe(before.raw_event_count - EACH);
    expect(now).not.toHaveProperty('active_run');
    expect(problems).toEqual([]);
  },
  90_000,
);

test('shows where it is, why it stopped and what to do, and stops before the deletion when asked', async () => {
  const [run] = await archiveRuns(manager);
  if (run === undefined) throw new Error('there is no run');
  const { completed_at_ms: _, delete_started_at_ms: __, compaction: ___, ...begun } = run;
  const active = {
    ...begun,
    status: 'verifying',
    deleted_event_count: 0,
    progress: { phase: 'verifying_archive', current: 1, total: 4, unit: 'segments' },
  };
  const shown = { ...(await maintenance()), active_run: active };
  let failed = false;
  const state = () => (failed ? { ...active, status: 'failed', resume_status: 'verifying', has_error: true } : active);
  const held: string[] = [];
  const { page, problems } = await open(`?run=${run.id}`, {
    route: async (target) => {
      await target.route('**/usage/maintenance', (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ json: { ...shown, active_run: state() } })
          : route.continue(),
      );
      await target.route(`**/usage/archives/${run.id}**`, (route) => {
        if (route.request().method() === 'POST') held.push(new URL(route.request().url()).pathname);
        return route.fulfill({ json: { run: state(), segments: [] } });
      });
    },
  });
  const current = page.getByRole('region', { name: 'Current run' });
  await current.locator('[aria-current="step"]').getByText('Verify').waitFor();
  await checkAppearance(page, 'archives-form-verifying');
  await drawer(page).getByRole('button', { name: 'Stop before deletion' }).click();
  await until(() => held.length > 0);
  expect(held[0]).toEndWith(`/${run.id}/hold`);
  failed = true;
  await page.keyboard.press('r');
  await drawer(page).getByText('Reading the files back failed').waitFor();
  await drawer(page).getByRole('button', { name: 'Resume verification' }).click();
  await page.getByRole('dialog').getByText('Then the remaining steps follow automatically').waitFor();
  await checkAppearance(page, 'archives-form-failed');
  expect(problems).toEqual([]);
});

test.each([
  ['desktop', { width: 1440, height: 900 }, 'light'],
  ['phone', { width: 390, height: 844 }, 'dark'],
] as const)(
  'offers a new run beside the compaction of the last one, at the width of a %s',
  async (name, viewport, colorScheme) => {
    const [run] = await archiveRuns(manager);
    if (run === undefined) throw new Error('there is no run');
    const { retention: _, ...kept } = await maintenance();
    const shown = {
      ...kept,
      compacting_run: { ...run, status: 'completed', automatic: true, compaction: 'running' },
      compaction: { ...kept.compaction, state: 'running', returned_pages: 1_000, pages_to_return: 4_000 },
      retention_unreadable: true,
    };
    const { page, problems } = await open('?tab=create', {
      viewport,
      colorScheme,
      route: (target) =>
        target.route('**/usage/maintenance', (route) =>
          route.request().method() === 'GET' ? route.fulfill({ json: shown }) : route.continue(),
        ),
    });
    await page.getByRole('button', { name: 'Archive and delete', exact: true }).waitFor();
    const current = page.getByRole('region', { name: 'Current run' });
    expect(await current.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    await checkAppearance(page, `archives-form-compacting-${name}`);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await current.getByRole('progressbar').waitFor();
    await page.getByRole('region', { name: 'Retention' }).getByText('The saved setting is damaged').waitFor();
    await checkAppearance(page, `archives-compacting-${name}`);
    expect(problems).toEqual([]);
  },
  60_000,
);
