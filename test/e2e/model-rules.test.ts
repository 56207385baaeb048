import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const PANEL_FILE = join(import.meta.dir, '../../packages/panel/dist/management.html');
const HEADERS = { Authorization: `Bearer ${TEST_UPSTREAM_KEY}`, 'Content-Type': 'application/json' };
let rig: PanelRig;
let gateway: Simulator;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway({
    panelFile: PANEL_FILE,
    authFiles: [
      { name: 'claude-one@example.test.json', type: 'claude', email: 'one@example.test', row: { priority: 3 } },
      { name: 'claude-off@example.test.json', type: 'claude', email: 'off@example.test', disabled: true },
      { name: 'codex-two@example.test.json', type: 'codex', email: 'two@example.test' },
    ],
  });
}, 60_000);
afterEach(() => rig.closePages());
afterAll(() => rig.end());

const url = (path: string) => `${gateway.url}/v0/management/${path}`;
const rules = async (name: string) => {
  const body = (await (await fetch(url(name), { headers: HEADERS })).json()) as Record<string, unknown>;
  return body[name];
};
const patch = (name: string, body: unknown) =>
  fetch(url(name), { method: 'PATCH', headers: HEADERS, body: JSON.stringify(body) });

describe('model rules', () => {
  test('excludes and renames models, keeps what others changed, and shows who serves a model', async () => {
    const manager = await rig.managerOf(boundTo(gateway));
    const { page, problems } = await rig.open(manager, '/accounts?view=oauth', { expected: /Failed to load resource/ });
    const known = (
      (await (await fetch(url('model-definitions/claude'), { headers: HEADERS })).json()) as {
        models: { id: string }[];
      }
    ).models.map(({ id }) => id);
    const model = known[0] ?? '';
    const field = page.getByRole('textbox', { name: 'Excluded models' });
    await field.fill('no-such-model');
    await page.getByText('No known model matches: no-such-model').waitFor();
    await field.fill('');
    await page.getByText(`Pick from ${known.length} known models`).click();
    await page.getByRole('checkbox', { name: model, exact: true }).check();
    await page.getByText(`Hides 1 of ${known.length} known models.`).waitFor();
    // Somebody else excludes another model meanwhile, which is refused with a choice.
    await patch('oauth-excluded-models', { provider: 'claude', models: ['theirs'] });
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('claude was changed elsewhere meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Save my values' }).click();
    await page.getByText('claude is saved.').waitFor();
    expect(await rules('oauth-excluded-models')).toEqual({ claude: [model] });
    // An undo is refused where somebody changed the rules since, also once the page shows theirs.
    const since = { claude: [model, 'since'] };
    await patch('oauth-excluded-models', { provider: 'claude', models: since.claude });
    await page.getByRole('button', { name: 'Refresh' }).first().click();
    await until(async () => (await field.inputValue()).includes('since'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('claude was changed elsewhere meanwhile.').waitFor();
    expect(await rules('oauth-excluded-models')).toEqual(since);
    // The rule of everything needs a confirmation; the answer to it is lost.
    await field.fill('*');
    await page.getByRole('button', { name: 'Save rules' }).click();
    gateway.fault({ kind: 'close-before-reply', on: 'HTTP', match: { method: 'PATCH' } });
    await page.getByRole('dialog').getByRole('button', { name: 'Exclude all models' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => JSON.stringify(await rules('oauth-excluded-models')) === JSON.stringify(since));

    await page.getByRole('radio', { name: 'Aliases' }).press('Space');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Model', { exact: true }).fill('same');
    await page.getByLabel('Name for clients').fill('same');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('This is the name of the model.').waitFor();
    await page.getByLabel('Model', { exact: true }).fill(known[1] ?? '');
    await page.getByLabel('Name for clients').fill('team-model');
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('claude is saved.').waitFor();
    expect(await rules('oauth-model-alias')).toEqual({ claude: [{ name: known[1], alias: 'team-model' }] });

    const ask = async (name: string) => {
      await page.getByRole('searchbox').fill(name);
      await page.getByRole('searchbox').press('Enter');
    };
    const row = (text: string) => page.locator('[data-row]').filter({ hasText: text });
    await ask('team-model');
    await row('one***').getByText(`as ${known[1]}`).waitFor();
    await row('off***').getByText('Disabled').waitFor();
    await row('two***').getByText('Does not offer it').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'model-rules-1440');
    await ask(model);
    await row('one***').getByText(`Excluded by ${model}`).waitFor();
    await until(() => page.url().includes(`model=${model}`));
    // A key is looked up, and stays out of the address.
    await ask('sk-marker-0001');
    await until(() => !page.url().includes('model='));
    expect(await page.getByRole('searchbox').inputValue()).toBe('sk-marker-0001');
    expect(problems).toEqual([]);
  }, 60_000);

  test('works at a gateway alone, on a phone, and says what an older one does not have', async () => {
    gateway.setProfile('v7.1.39');
    const { page, problems } = await rig.openAtGateway(gateway, '/accounts?view=oauth&editor=errors', {
      expected: /404|400/,
      viewport: { width: 390, height: 844 },
    });
    await page.getByText('Not supported by this gateway version').waitFor();
    await page.getByText('Excluded models', { exact: true }).first().click();
    await page.getByText(/^Hides \d+ of/).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'model-rules-phone');
    expect(problems).toEqual([]);
  }, 60_000);
});
