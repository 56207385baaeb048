import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { watchRequests } from '../../scripts/screenshots/settle.ts';
import { accessibilityProblems } from '../support/axe.ts';
import { type OpenedPage, picture } from '../support/browser.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

// Where there is nothing yet, a page says so in a line.

let rig: PanelRig;
/** Loaded once; every test goes on from the page of the one before. */
let opened: OpenedPage;
let requests: ReturnType<typeof watchRequests>;

beforeAll(async () => {
  rig = await startPanelRig();
  const gateway = await rig.gateway({ authFiles: 0, apiKeys: [], installedPlugins: [], requestLogs: [] });
  const manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  opened = await rig.open(manager, '/settings');
  requests = watchRequests(opened.page);
}, 180_000);

afterAll(() => rig.end());

/** Two lines and their padding. */
const MOST_PX = 64;

test.each([
  '/dashboard',
  '/monitoring',
  '/monitoring?tab=failures',
  '/usage-analytics',
  '/usage-analytics?tab=heatmap',
  '/accounts',
  '/accounts?view=health',
  '/accounts/actions',
  '/api-keys',
  '/import-export',
  '/usage-maintenance?tab=runs',
  '/logs?tab=errors',
])(
  '%s',
  async (path) => {
    const { page, problems } = opened;
    requests.begin();
    await page.evaluate(`location.hash = ${JSON.stringify(`#${path}`)}`);
    expect(await requests.settled(60_000)).toBe(true);
    const states = page.locator('.state');
    await states.first().waitFor();
    for (const state of await states.all()) {
      expect((await state.boundingBox())?.height ?? 0).toBeLessThanOrEqual(MOST_PX);
    }
    expect(await page.locator('canvas').count()).toBe(0);
    await picture(page, `empty${path.replace(/\W+/g, '-')}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  60_000,
);
