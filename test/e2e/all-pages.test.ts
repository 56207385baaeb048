import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { navigationPages } from '../../scripts/screenshots/pages.ts';
import type { Scene } from '../../scripts/screenshots/scene.ts';
import { startScene } from '../../scripts/screenshots/scenes.ts';
import { watchRequests } from '../../scripts/screenshots/settle.ts';
import { problemsInBothThemes } from '../support/axe.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';

let rig: PanelRig;
let scene: Scene;

beforeAll(async () => {
  [rig, scene] = await Promise.all([startPanelRig(), startScene('little', 0)]);
}, 180_000);

afterEach(() => rig.closePages());
afterAll(async () => {
  await rig.end();
  await scene.end();
});

// What opens on a page, its tabs and its other states are checked by the tests of that page.
test('every page of the navigation is accessible with data, in both themes', async () => {
  const { page, problems } = await rig.open(scene.manager, '/settings');
  const requests = watchRequests(page);
  const found: string[] = [];
  for (const { name, path } of await navigationPages()) {
    requests.begin();
    await page.evaluate(`location.hash = ${JSON.stringify(`#${path}`)}`);
    expect(await requests.settled(60_000)).toBe(true);
    found.push(...(await problemsInBothThemes(page)).map((text) => `${name}: ${text}`));
  }
  expect(found).toEqual([]);
  expect(problems).toEqual([]);
}, 180_000);
