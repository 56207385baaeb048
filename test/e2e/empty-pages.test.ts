import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

// Where there is nothing yet, a page says so in a line.

let rig: PanelRig;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  const gateway = await rig.gateway({ authFiles: 0, apiKeys: [], installedPlugins: [], requestLogs: [] });
  manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
}, 180_000);

afterEach(() => rig.closePages());
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
    const { page, problems } = await rig.open(manager, path);
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
