import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import { type ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const PANEL_FILE = join(import.meta.dir, '../../packages/panel/dist/management.html');
const SECRET = 'sk-ant-marker-secret-0001';
const OTHER = 'sk-marker-openai-secret-0002';
const EVENTS = 6;
type Entry = Record<string, unknown>;

let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway({ panelFile: PANEL_FILE });
  manager = await rig.managerOf(boundTo(gateway));
  await write('claude-api-key', [
    {
      'api-key': SECRET,
      priority: 5,
      headers: { 'X-Team': 'secret-header-value' },
      models: [{ name: 'claude-opus-9', alias: 'opus', thinking: { min: 1024 } }],
      'excluded-models': ['claude-2*'],
    },
  ]);
  await write('codex-api-key', [{ 'api-key': 'sk-codex-marker-0003', 'base-url': 'https://codex.example.test/v1' }]);
  await write('openai-compatibility', [
    {
      name: 'northwind',
      'base-url': 'https://llm.example.test/v1',
      'api-key-entries': [{ 'api-key': OTHER, weight: 3 }, { 'api-key': 'sk-marker-second-0004' }],
      models: [{ name: 'northwind-large', alias: 'nw-large' }],
    },
  ]);
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const [claude] = await list('claude-api-key');
  const events = makeEvents({ seed: 5, numberFrom: 0 });
  for (let index = 0; index < EVENTS; index += 1) {
    const event = {
      ...(JSON.parse(events.next().value.text) as Entry),
      auth_index: claude?.['auth-index'],
      source: SECRET,
      auth_type: 'apikey',
    };
    await gateway.publish(JSON.stringify({ ...event, failed: index === 0, timestamp: new Date().toISOString() }));
  }
  await until(async () => (await readStatus(manager)).events === EVENTS);
  for (const [url, status] of [
    ['https://api.anthropic.com/v1/messages', 401],
    ['https://llm.example.test/v1/chat/completions', 200],
  ] as const) {
    const body = status === 200 ? '{"choices":[]}' : `{"error":{"message":"invalid x-api-key: ${SECRET}"}}`;
    gateway.addApiCall({ method: 'POST', url, result: { status_code: status, header: {}, body } });
  }
  gateway.addApiCall({
    method: 'GET',
    url: 'https://llm.example.test/v1/models',
    result: { status_code: 200, header: {}, body: '{"data":[{"id":"northwind-large"},{"id":"northwind-small"}]}' },
  });
}, 120_000);
afterEach(() => rig.closePages());
afterAll(() => rig.end());

const HEADERS = { Authorization: `Bearer ${TEST_UPSTREAM_KEY}`, 'Content-Type': 'application/json' };
const path = (name: string) => `${gateway.url}/v0/management/${name}`;
const list = async (name: string) =>
  ((await (await fetch(path(name), { headers: HEADERS })).json()) as Record<string, Entry[]>)[name] ?? [];
const write = (name: string, entries: readonly Entry[]) =>
  fetch(path(name), { method: 'PUT', headers: HEADERS, body: JSON.stringify(entries) });

const row = (page: Page, text: string) => page.locator('[data-row]').filter({ hasText: text });
const pane = (page: Page) => page.getByRole('complementary', { name: 'Provider' });

describe('providers', () => {
  test('shows every list with its history, and changes entries one by one', async () => {
    const { page, problems } = await rig.page();
    await page.goto(`${manager.url}/management.html#/providers`);
    await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
    await page.keyboard.press('Enter');
    await row(page, 'sk-…001').getByText('6', { exact: true }).waitFor();
    await row(page, 'sk-…001').getByText('16.7%').waitFor();
    // Each kind has its own list.
    await until(async () => (await page.locator('[data-row]').count()) === 4);
    expect(await page.content()).not.toMatch(/marker-(secret|openai)|secret-header/);
    await picture(page, 'providers-1440');

    // Priority in the row: Escape reverts, Enter saves; somebody else changes the entry meanwhile.
    const [before] = await list('openai-compatibility');
    await write('openai-compatibility', [{ ...before, prefix: 'theirs' }]);
    const priority = row(page, 'northwind').getByRole('spinbutton');
    await priority.fill('9');
    await priority.press('Escape');
    expect(await priority.inputValue()).toBe('0');
    await priority.fill('7');
    await priority.press('Enter');
    await page.getByText('northwind is saved.').waitFor();
    expect((await list('openai-compatibility'))[0]).toMatchObject({ priority: 7, prefix: 'theirs' });

    // Off keeps the person's exclusions, undo brings them back.
    await row(page, 'sk-…001').getByRole('switch').press('Space');
    await page.getByText('sk-…001 is saved.').waitFor();
    expect((await list('claude-api-key'))[0]?.['excluded-models']).toEqual(['claude-2*', '*']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await list('claude-api-key'))[0]?.['excluded-models'] !== undefined);
    await row(page, 'sk-…001').getByRole('switch', { checked: true }).waitFor();
    expect((await list('claude-api-key'))[0]?.['excluded-models']).toEqual(['claude-2*']);

    // The editor: another tab changes the same member, which is refused with a choice.
    await row(page, 'sk-…001').getByText('Claude').click();
    const form = pane(page);
    await form.getByRole('link', { name: '1 failed' }).waitFor();
    await form.getByLabel('Prefix').fill('mine');
    const [claude] = await list('claude-api-key');
    await write('claude-api-key', [{ ...claude, prefix: 'other', weight: 4 }]);
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('Both changed: prefix.').waitFor();
    await picture(page, 'providers-conflict-1440');
    await form.getByRole('button', { name: 'Save my values' }).click();
    await until(async () => (await list('claude-api-key'))[0]?.prefix === 'mine');
    await form.getByText('Both changed: prefix.').waitFor({ state: 'hidden' });
    expect((await list('claude-api-key'))[0]).toMatchObject({
      prefix: 'mine',
      weight: 4,
      models: [{ name: 'claude-opus-9', alias: 'opus', thinking: { min: 1024 } }],
      headers: { 'X-Team': 'secret-header-value' },
    });
    expect(await accessibilityProblems(page)).toEqual([]);

    // A test only when asked for; the answer never shows the key.
    expect(gateway.requests({ path: '/v0/management/api-call' })).toEqual([]);
    await page.locator('h1').focus();
    await page.keyboard.press('t');
    await form.getByRole('button', { name: 'Test sk-…001' }).click();
    await form.getByText(/^Key refused \(401\) · /).waitFor();
    await form.getByText('invalid x-api-key').waitFor();
    expect(await page.content()).not.toContain('marker-secret');
    await form.getByRole('button', { name: 'JSON' }).click();
    const json = form.getByRole('textbox', { name: 'JSON' });
    expect(await json.inputValue()).not.toMatch(/marker-secret|secret-header/);
    expect(await json.inputValue()).toContain('<sk-…001>');
    await picture(page, 'providers-json-1440');

    // Delete shows what ends, and can be undone.
    await form.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this provider' });
    await dialog.getByText('6 requests went there').waitFor();
    await dialog.getByText('these models: opus').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('sk-…001 is deleted.').waitFor();
    expect(await list('claude-api-key')).toEqual([]);
    await row(page, 'sk-…001').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'sk-…001').waitFor();
    expect((await list('claude-api-key'))[0]).toMatchObject({ 'api-key': SECRET, prefix: 'mine', priority: 5 });

    expect(problems).toEqual([]);
  }, 120_000);

  test('adds a provider with discovered models, refuses what the gateway would drop, and disables what fails', async () => {
    const { page, problems } = await rig.open(manager, '/providers', { expected: /Failed to load resource|502|504/ });
    await row(page, 'northwind').waitFor();
    await page.getByRole('button', { name: 'New provider' }).press('Enter');
    await page.locator('[role=menuitem]:focus').press('End');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.locator('[role=menuitem]:focus', { hasText: 'OpenAI-compatible' }).press('Enter');
    const form = pane(page);
    await form.locator('input:focus').waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await form.locator('input:focus').count()).toBe(1);
    await form.getByLabel('Name', { exact: true }).fill('northwind');
    await form.getByRole('button', { name: 'Add provider' }).click();
    await form.getByText('Another provider has this name.').waitFor();
    await form.getByText('the gateway drops entries').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('southwind');
    await form.getByLabel('Address').fill(' https://llm.example.test/v1 ');
    await form.getByRole('group', { name: 'Keys' }).getByRole('button', { name: 'Add' }).click();
    await form.getByLabel('API key').fill('  sk-marker-south-0005 ');
    await form.getByRole('group', { name: 'Headers' }).getByRole('button', { name: 'Add' }).click();
    await form.getByText('Enter a header name').waitFor();
    await form.getByLabel('Header', { exact: true }).fill('X-South');
    // A warning beside the button, and the hint at the models.
    await until(async () => (await form.getByText('Without models it serves nothing.').count()) === 2);
    await picture(page, 'providers-new-1440');
    await form.getByRole('button', { name: 'Find models' }).click();
    const finder = page.getByRole('dialog', { name: 'Find models' });
    await finder.getByRole('button', { name: 'Ask the provider' }).click();
    await finder.getByLabel('northwind-small').check();
    await picture(page, 'providers-models-1440');
    await finder.getByRole('button', { name: 'Add 1 model' }).click();
    // The gateway dies after it stored the list: the answer is lost, the change is not.
    gateway.fault({ kind: 'close-before-reply', on: 'HTTP', match: { method: 'PUT' } });
    await form.getByRole('button', { name: 'Add provider' }).click();
    await page.getByText('southwind is saved.').waitFor();
    expect((await list('openai-compatibility'))[1]).toMatchObject({
      name: 'southwind',
      'base-url': 'https://llm.example.test/v1',
      'api-key-entries': [{ 'api-key': 'sk-marker-south-0005' }],
      models: [{ name: 'northwind-small', alias: 'northwind-small' }],
    });

    // It dies before: nothing was written, and the page says so. It stays dead: nothing is known.
    const prefix = form.getByLabel('Prefix');
    await prefix.fill('south');
    gateway.fault({ kind: 'close-before-reply', on: 'HTTP', match: { method: 'PUT' }, runs: false });
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('Nothing was written.').waitFor();
    gateway.fault({
      kind: 'http',
      match: { path: '/v0/management/openai-compatibility' },
      skip: 2,
      times: 'always',
      respond: { status: 503, body: { error: 'down' } },
    });
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.getByText('It is not known whether southwind was changed.').waitFor();
    gateway.clearFaults();
    await page.getByRole('button', { name: 'Refresh' }).first().click();
    await row(page, 'south/').waitFor();
    await form.getByRole('button', { name: 'Close' }).click();

    for (const name of ['sk-…001', 'southwind']) await row(page, name).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Check providers' }).click();
    const check = page.getByRole('complementary', { name: 'Check providers' });
    await check.getByRole('button', { name: 'Test 2 providers' }).click();
    await check.getByText(/^Works \(200\) · /).waitFor();
    await check.getByRole('button', { name: 'Disable 1 failing provider' }).click();
    await picture(page, 'providers-check-1440');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable 1 failing provider' }).click();
    await check.getByText('Disabled now').waitFor();
    expect((await list('claude-api-key'))[0]?.['excluded-models']).toEqual(['claude-2*', '*']);
    expect((await list('openai-compatibility')).map(({ disabled }) => disabled)).toEqual([false, false]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 120_000);

  test('works at a gateway alone, on a phone, without history and without the lists it does not know', async () => {
    gateway.setProfile('v7.1.39');
    const { page, problems } = await rig.openAtGateway(gateway, '/providers', {
      expected: /404|500/,
      viewport: { width: 390, height: 844 },
    });
    gateway.fault({ kind: 'http', match: { path: '/v0/management/codex-api-key' }, respond: { status: 500 } });
    await page.reload();
    // A list that fails hides no other one.
    await page.getByText('Not loaded: Codex.').waitFor();
    await row(page, 'northwind').waitFor();
    expect(await row(page, 'sk-…03').count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'sk-…03').waitFor();
    await page.getByText('history needs the manager').waitFor();
    await page.getByText('Not supported by this gateway version: Gemini Interactions, xAI.').waitFor();
    await row(page, 'northwind').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'providers-phone');
    await row(page, 'northwind').getByText('OpenAI-compatible').click();
    await pane(page).getByLabel('Prefix').fill('phone');
    await picture(page, 'providers-editor-phone');
    await pane(page).getByRole('button', { name: 'Save changes' }).click();
    await until(async () => (await list('openai-compatibility'))[0]?.prefix === 'phone');
    expect(problems).toEqual([]);
  }, 60_000);
});
