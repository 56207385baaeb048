import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import type { Page, Route } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture, press } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { isListed } from '../support/page-endpoints.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const PANEL_FILE = join(import.meta.dir, '../../packages/panel/dist/management.html');
const MARKER = 'sk-marker-0123456789';
let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway({ panelFile: PANEL_FILE });
  manager = await rig.managerOf(boundTo(gateway));
}, 180_000);
afterEach(() => rig.closePages());
afterAll(() => rig.end());

const atGateway = async (method: string, body?: string) => {
  const answer = await fetch(`${gateway.url}/v0/management/config.yaml`, {
    method,
    headers: { authorization: `Bearer ${TEST_UPSTREAM_KEY}` },
    ...(body === undefined ? {} : { body }),
  });
  return answer.text();
};
const read = () => atGateway('GET');
/** As another panel does, behind this one's back. */
const changeElsewhere = async (change: (text: string) => string) => atGateway('PUT', change(await read()));

/** Paths that the page requests, and those that it writes to. */
function watch(page: Page) {
  const paths = new Set<string>();
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (!protocol.startsWith('http')) return;
    paths.add(pathname);
    if (request.method() === 'PUT') sent.push(pathname);
  });
  return { sent, foreign: () => [...paths].filter((path) => !isListed('/config', path)) };
}

const mode = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Parts' }).getByText(name, { exact: true }).click();
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name }).click();
const review = (page: Page) => page.getByRole('button', { name: 'Review and save' }).click();
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Review changes' });
const save = async (page: Page, name = 'Save') => {
  await dialog(page).getByRole('button', { name, exact: true }).click();
  await dialog(page).waitFor({ state: 'hidden' });
};
const saved = (page: Page) => page.getByText('Saved.', { exact: true }).waitFor();
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe('the configuration, from the manager', () => {
  test('is changed by fields, merged with a change elsewhere, and nothing is sent without a change', async () => {
    const before = await read();
    const { page, problems } = await rig.open(manager, '/config');
    const { sent, foreign } = watch(page);
    await page.getByRole('textbox', { name: 'Port' }).waitFor();
    await picture(page, 'configuration-visual');
    await page.keyboard.press('Control+s');
    expect(await page.getByRole('button', { name: 'Review and save' }).count()).toBe(0);

    await section(page, 'Routing and retries');
    await choose(page, 'Routing strategy', 'Fill first');
    await page.getByText('1 unsaved change').waitFor();
    await changeElsewhere((text) => text.replace('request-retry: 3', 'request-retry: 5 # theirs'));
    await review(page);
    await dialog(page).getByText('Somebody else changed the configuration').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'configuration-review');
    await save(page);
    await saved(page);
    const after = before
      .replace('request-retry: 3', 'request-retry: 5 # theirs')
      .replace('strategy: round-robin', 'strategy: fill-first');
    expect(await read()).toBe(after);
    expect(sent).toHaveLength(1);
    await page.getByRole('textbox', { name: 'Retries per request' }).and(page.locator('[value="5"]')).waitFor();

    // Both sides: a choice.
    await page.getByRole('textbox', { name: 'Retries per request' }).fill('7');
    await page.getByText('Saved.', { exact: true }).waitFor({ state: 'detached' });
    await changeElsewhere((text) => text.replace('request-retry: 5', 'request-retry: 6'));
    await review(page);
    await dialog(page).getByText('1 setting was changed on both sides').waitFor();
    await dialog(page).getByText('Theirs', { exact: true }).click();
    await dialog(page).getByText('No difference.').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).last().click();
    expect(await read()).toContain('request-retry: 6');

    // A consequence is named; nothing is sent without a yes.
    await section(page, 'Logging and system');
    await press(page.getByRole('switch', { name: 'Publish usage events' }));
    await review(page);
    await dialog(page).getByText('Collection stops.').waitFor();
    await dialog(page).getByRole('button', { name: 'Save anyway' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Undo the change of Publish usage events' }).click();
    expect(sent).toHaveLength(1);

    // Payload rules, and a part that is edited as YAML.
    await page.getByRole('searchbox').fill('payload.override');
    const rules = page.getByRole('group', { name: 'Always set', exact: true });
    await rules.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('Each rule needs a model').waitFor();
    expect(await page.getByRole('button', { name: 'Review and save' }).isEnabled()).toBe(false);
    await rules.getByRole('textbox', { name: 'Model', exact: true }).fill('gpt-*');
    await rules.getByRole('button', { name: 'Add path' }).click();
    await rules.getByRole('textbox', { name: 'Path' }).fill('a.b');
    const value = rules.getByRole('textbox', { name: 'JSON value' });
    await value.fill('one');
    await page.getByText('Not valid JSON').waitFor();
    await value.fill('"1"');
    await rules.getByRole('button', { name: 'Add conditions' }).click();
    const conditions = rules.getByRole('textbox', { name: 'Conditions' });
    await conditions.fill('exist: [');
    await page.getByText(/^Line 1: /).waitFor();
    await conditions.fill('exist: [x]');
    await page.getByRole('button', { name: 'Review and save' }).and(page.locator(':enabled')).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'configuration-rules');
    await review(page);
    await save(page);
    await saved(page);
    expect(await read()).toEndWith(
      'payload:\n  override:\n    - models:\n        - name: "gpt-*"\n          exist:\n            - x\n      params:\n        a.b: "1"\n',
    );
    expect(foreign()).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('is changed as text in the code editor, and what is wrong with it is shown', async () => {
    const { page, problems } = await rig.open(manager, '/config?mode=source');
    const { sent, foreign } = watch(page);
    const editor = page.locator('.cm-content');
    await editor.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'configuration-source');
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('a: [');
    await page.keyboard.press('Enter');
    await page.getByText(/not valid YAML/).waitFor();
    await page.locator('.cm-lint-marker-error').first().waitFor();
    await mode(page, 'Settings');
    await page.getByText('Settings cannot be shown').waitFor();
    await page.getByRole('button', { name: 'Open YAML' }).click();
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+s');
    await dialog(page).getByText('An empty configuration is not saved', { exact: false }).waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.locator('.cm-line', { hasText: 'port: 8317' }).waitFor();

    // A value that the gateway does not accept: at its line, and before it is saved.
    const misfit = /^Line 1: nonstream-keepalive-interval: abc is not valid here\.$/;
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('nonstream-keepalive-interval: abc');
    await page.keyboard.press('Enter');
    await page.getByText(misfit).waitFor();
    await page.locator('.cm-lint-marker-warning').waitFor();
    await picture(page, 'configuration-misfit');
    await page.keyboard.press('Control+s');
    await dialog(page).getByText(misfit).waitFor();
    await dialog(page).getByRole('button', { name: 'Save anyway' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByText(misfit).waitFor({ state: 'detached' });

    const before = await read();
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# written in the editor');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await dialog(page).getByText('# written in the editor').waitFor();
    await save(page);
    await saved(page);
    expect(await read()).toBe(`# written in the editor\n${before}`);
    expect(sent).toHaveLength(1);
    expect(foreign()).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('has a history: what was saved here, what changed elsewhere, and back', async () => {
    await changeElsewhere((text) => `# a stranger\n${text.replace('sim-client-key-0002', MARKER)}`);
    const { page, problems } = await rig.open(manager, '/config?mode=history');
    const rows = page.getByRole('row');
    await rows.filter({ hasText: 'Current' }).getByText('Changed outside this page').waitFor();
    await rows.filter({ hasText: 'Current' }).getByText('api-keys', { exact: true }).waitFor();
    await rows.filter({ hasText: 'First seen' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'configuration-history');
    const before = rows.filter({ hasText: 'Saved here' }).first();
    await before.getByRole('button', { name: /^Compare/ }).click();
    const compared = page.getByRole('dialog', { name: /^Version of [\d:]{8} and the current one$/ });
    await compared.getByText('# a stranger').waitFor();
    await compared.getByText(/^Lines with - are in the current version \([\d:]{8}\), lines with \+ in /).waitFor();
    expect(await compared.textContent()).not.toContain(MARKER);
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'configuration-compare');
    const count = await rows.count();
    await compared.getByRole('button', { name: 'Restore' }).click();
    // The review opens; without a save, the version stays in the editor.
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/is in the editor\.$/).waitFor();
    await page.getByText('It is not saved yet.').waitFor();
    expect(await read()).toContain(MARKER);
    await mode(page, 'History');
    await before.getByRole('button', { name: /^Restore/ }).click();
    await dialog(page).getByText('1 client key stops working: sk-…89.').waitFor();
    await dialog(page).getByText('1 removed client key works again: si…02.').waitFor();
    await picture(page, 'configuration-restore');
    await save(page);
    await saved(page);
    expect(await read()).not.toContain(MARKER);
    // What is typed afterwards is neither saved nor the restored version.
    await page.locator('.cm-content').click();
    await page.keyboard.type('#');
    await page.getByText('Unsaved text').waitFor();
    expect(await page.getByText(/^Saved\.$|is in the editor\.$/).count()).toBe(0);
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await mode(page, 'History');
    await rows
      .filter({ hasText: 'Current' })
      .getByText(/^Saved here, equal to [\d:]{8}/)
      .waitFor();
    // A row of its own, with its own changes: those before it stay.
    expect(await rows.count()).toBe(count + 1);
    expect(await rows.nth(1).textContent()).toContain('Current');
    expect(await rows.nth(2).textContent()).toMatch(/Changed outside this page.*api-keys/);
    expect(await rows.filter({ hasText: 'Saved here' }).count()).toBeGreaterThan(1);
    await picture(page, 'configuration-history-restored');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText(/^Saved here, equal to/).waitFor();
    await picture(page, 'configuration-history-phone');
    expect(problems).toEqual([]);
  });

  test('tells what is known when the gateway breaks off a save, and a reload shows the truth', async () => {
    const { page } = await rig.open(manager, '/config?section=system');
    const debug = page.getByRole('switch', { name: 'Debug log' });
    await debug.waitFor();
    let reads = true;
    let stored = false;
    await page.route('**/v0/management/config.yaml', async (route: Route) => {
      if (route.request().method() === 'PUT') {
        if (stored) await route.fetch();
        await route.abort();
      } else if (reads) await route.continue();
      else await route.abort();
    });
    await press(debug);
    await review(page);
    await save(page);
    await page.getByText('Not saved.', { exact: true }).waitFor();
    expect(await read()).toContain('debug: false');

    stored = true;
    await review(page);
    await dialog(page).waitFor();
    await page.unroute('**/v0/management/config.yaml');
    await page.route('**/v0/management/config.yaml', async (route: Route) => {
      if (route.request().method() !== 'PUT') return reads ? route.continue() : route.abort();
      reads = false;
      await route.fetch();
      await route.abort();
    });
    await save(page);
    await page.getByText('It is not known whether it was saved.').waitFor();
    await page.unroute('**/v0/management/config.yaml');
    await page.getByRole('button', { name: 'Read again' }).click();
    await until(async () => (await read()).includes('debug: true'));
    await page.getByText('The configuration was changed elsewhere.').waitFor();
    await review(page);
    await page.getByText('Nothing to save: the gateway already has this configuration.').waitFor();

    // A gateway that does not answer at all.
    await page.route('**/v0/management/config.yaml', () => undefined);
    await page.reload();
    await page.getByText(`The gateway (${gateway.url}) has not answered for 5 s.`).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'configuration-waiting');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Reading was canceled.').waitFor();
    await page.unroute('**/v0/management/config.yaml');
    await page.getByRole('button', { name: 'Try again' }).click();
    await debug.waitFor();
  });
});

test('a gateway alone has the same without the code editor and the history', async () => {
  const filler = '# a line\n'.repeat(2_000);
  await changeElsewhere((text) => `${text}proxy-url: http://me:${MARKER}@proxy.test\n${filler}`);
  const { page, problems } = await rig.openAtGateway(gateway, '/config?mode=source', {
    expected: /usage-service\/info|404/,
  });
  const { foreign } = watch(page);
  await page.getByRole('button', { name: 'Show the text' }).click();
  const area = page.getByRole('textbox', { name: 'Configuration as YAML' });
  const before = await read();
  // A long text is shown in pieces; what is typed into each is saved together.
  await page.getByText(/^Lines 1 to 2,000 of 2,/).waitFor();
  expect(before).toStartWith(await area.inputValue());
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'configuration-plain');
  await area.press('Control+Home');
  await area.pressSequentially('# plain\n');
  await page.getByRole('button', { name: 'Lines after' }).click();
  await page.getByText(/^Lines 2,001 to 2,/).waitFor();
  await area.press('Control+End');
  await area.pressSequentially('# the end');
  await page.keyboard.press('Control+s');
  await save(page);
  await saved(page);
  expect(await read()).toBe(`# plain\n${before}# the end`);
  await page.getByText(/^Lines 2,001 to 2,/).waitFor();
  await mode(page, 'History');
  await page.getByText('A gateway alone keeps no history').waitFor();
  await mode(page, 'Settings');
  await page.getByRole('textbox', { name: 'Port' }).waitFor();
  await section(page, 'Network');
  const show = page.getByRole('button', { name: 'Show the value of Proxy for provider requests' });
  await show.waitFor();
  expect(await page.content()).not.toContain(MARKER);
  await show.click();
  expect(await page.getByRole('textbox', { name: 'Proxy for provider requests' }).inputValue()).toContain(MARKER);
  expect(foreign()).toEqual([]);
  expect(problems).toEqual([]);
});
