import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { boundTo, type Simulator } from '../support/test-gateway.ts';

const PANEL_FILE = join(import.meta.dir, '../../packages/panel/dist/management.html');

let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway({
    panelFile: PANEL_FILE,
    authFiles: [
      accountFile({ provider: 'codex', email: 'one@example.test', name: 'codex-one@example.test.json' }),
      accountFile({ provider: 'codex', email: 'two@example.test', name: 'codex-two@example.test.json' }),
    ],
  });
  manager = await rig.managerOf(boundTo(gateway, 'http'));
}, 60_000);
afterEach(() => rig.closePages());
afterAll(() => rig.end());

const card = (page: Page, name: string) => page.getByRole('region', { name });

const asked = (path: string) =>
  gateway.requests({ protocol: 'http' }).filter((request) => request.path === `/v0/management/${path}`);
const stateOf = async (page: Page, name: string): Promise<string> => {
  const link = card(page, name).getByRole('link', { name: 'Open sign-in page' });
  const href = String(await link.getAttribute('href'));
  return new URL(href).searchParams.get('state') ?? '';
};

describe('the sign-in at a provider', () => {
  test('signs an account in again, tells what it replaced, and takes a pasted address', async () => {
    const { page, problems } = await rig.open(manager, '/accounts', { expected: /404|400/ });
    await page
      .locator('[data-row]')
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Sign-in (OAuth)', level: 1 }).waitFor();
    // The account is named, masked on screen and by its index in the address.
    await page.getByText(/^Sign in again: one\*+@example\.test\.$/).waitFor();
    expect(page.url()).not.toContain('one@');
    expect(await page.locator('.panel h2').first().textContent()).toBe('Codex (OpenAI)');

    const codex = card(page, 'Codex (OpenAI)');
    await codex.getByText('2 accounts').waitFor();
    await codex.getByRole('button', { name: 'Sign in: Codex (OpenAI)' }).click();
    await codex.getByText(/^Use the account one\*+@example\.test there\.$/).waitFor();
    await codex
      .getByRole('timer')
      .getByText(/^(5:00|4:\d\d) left$/)
      .waitFor();
    expect(asked('codex-auth-url').map(({ target }) => target)).toEqual([
      '/v0/management/codex-auth-url?is_webui=true',
    ]);
    await picture(page, 'provider-sign-in-code-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    const first = await stateOf(page, 'Codex (OpenAI)');

    // Starting again ends the earlier one.
    await codex.getByRole('button', { name: 'Start again: Codex (OpenAI)' }).click();
    await until(
      async () => (await codex.getByRole('timer').count()) > 0 && (await stateOf(page, 'Codex (OpenAI)')) !== first,
    );
    expect(asked('oauth-session').map(({ method, target }) => [method, target.split('=')[1]])).toEqual([
      ['DELETE', first],
    ]);
    const state = await stateOf(page, 'Codex (OpenAI)');
    const redirect = codex.getByRole('textbox', { name: 'Address of the last page' });
    await redirect.fill(`http://localhost:1455/auth/callback?code=a&state=${first}`);
    await codex.getByText('The address belongs to another sign-in.').waitFor();
    expect(asked('oauth-callback')).toEqual([]);

    // The provider answers for another account than the one that was meant.
    await redirect.fill(`  http://localhost:1455/auth/callback?code=a%2Fb&state=${state} `);
    await redirect.press('Enter');
    await codex.getByText('Another account than').waitFor();
    const sent = asked('oauth-callback').map(({ body }) => JSON.parse(body));
    const redirectUrl = `http://localhost:1455/auth/callback?code=a%2Fb&state=${state}`;
    expect(sent).toEqual([{ provider: 'codex', redirect_url: redirectUrl }]);
    await codex.getByText('3 accounts').waitFor();

    await codex.getByRole('button', { name: 'Sign in another account: Codex (OpenAI)' }).click();
    await codex.getByRole('timer').waitFor();
    // Another page is looked at meanwhile; the sign-in is still there afterwards.
    const third = await stateOf(page, 'Codex (OpenAI)');
    await page.evaluate("location.hash = '/system'");
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    gateway.clearRequests();
    gateway.completeOAuth(third, { email: 'one@example.test' });
    await page.goBack();
    await codex.getByText(/^one\*+@example\.test is signed in again\.$/).waitFor();
    expect(asked('get-auth-status').map(({ target }) => target.split('=')[1])).toEqual([third]);
    await codex.getByText(/Its file .* was replaced\./).waitFor();
    expect(gateway.authFiles().filter(({ email }) => email === 'one@example.test')).toHaveLength(1);

    // A plugin's provider, whose paths the manager forwards as those of plugins.
    const plugin = card(page, 'simplugin');
    await plugin.getByRole('button', { name: 'Sign in: simplugin' }).click();
    await plugin.getByRole('timer').waitFor();
    gateway.completeOAuth(await stateOf(page, 'simplugin'), 'ok');
    await plugin.getByText(/is signed in\.$/).waitFor();
    await codex.getByRole('link', { name: 'Open account' }).click();
    await page.getByRole('complementary', { name: 'Account' }).waitFor();
    expect(problems).toEqual([]);
  }, 120_000);

  test('shows a device code, cancels, and imports a service account, at a gateway alone', async () => {
    const { page } = await rig.openAtGateway(gateway, '/oauth', { expected: /404|400|500|Failed to load/ });
    const sent = new Set<string>();
    page.on('request', (request) => sent.add(new URL(request.url()).pathname.slice(1)));
    const kimi = card(page, 'Kimi (Moonshot)');
    gateway.clearRequests();
    await kimi.getByRole('button', { name: 'Sign in: Kimi (Moonshot)' }).click();
    await kimi.getByText(/^SIM-/).waitFor();
    await kimi.getByRole('img', { name: 'QR code of the sign-in page' }).waitFor();
    await kimi
      .getByRole('timer')
      .getByText(/^(30:00|29:\d\d) left$/)
      .waitFor();
    expect(await kimi.getByRole('textbox').count()).toBe(0);
    await picture(page, 'provider-sign-in-device-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await kimi.getByRole('button', { name: 'Cancel sign-in' }).click();
    await kimi.getByText('The sign-in is canceled.').waitFor();
    await until(() => asked('oauth-session').length === 1);

    // Nobody answers at first; what the provider says is shown, and the account is found.
    const xai = card(page, 'Grok (xAI)');
    let silent = true;
    await page.route('**/get-auth-status*', (route) => (silent ? route.abort() : route.continue()));
    await xai.getByRole('button', { name: 'Sign in: Grok (xAI)' }).click();
    await xai.getByText('The state of the sign-in is not known.').waitFor();
    silent = false;
    const target = () => asked('get-auth-status').at(-1)?.target ?? '';
    await until(() => target().includes('state=xai-'));
    gateway.completeOAuth(target().split('=')[1] ?? '', { error: 'access_denied' });
    await xai.getByText('The gateway reports: access_denied').waitFor();

    // A gateway of another version, and one without the internet.
    await page.route('**/antigravity-auth-url*', (route) => route.fulfill({ status: 404, body: '' }));
    await card(page, 'Antigravity (Google)')
      .getByRole('button', { name: /^Sign in/ })
      .click();
    await page.getByText('No sign-in at Antigravity (Google)').waitFor();

    const vertex = card(page, 'Vertex AI (Google)');
    const choose = (content: string) =>
      vertex.locator('input[type="file"]').setInputFiles({
        name: 'account.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
    await choose('{"type":"service_account"}');
    await vertex.getByRole('button', { name: 'Import' }).click();
    await vertex.getByText('The file is no key of a service account.').waitFor();
    const key = { type: 'service_account', project_id: 'sim-project', client_email: 'robot@example.test' };
    await choose(
      JSON.stringify({ ...key, private_key: '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n' }),
    );
    // A proxy in between gives up: what came of it is not known.
    gateway.fault({
      kind: 'http',
      match: { path: '/v0/management/vertex/import' },
      respond: { status: 504, body: '' },
    });
    await vertex.getByRole('button', { name: 'Import' }).click();
    await vertex.getByText('Whether the gateway stored it is not known').waitFor();
    await vertex.getByRole('button', { name: 'Import' }).click();
    await vertex.getByText('The service account is imported.').waitFor();
    await vertex.getByText('1 account', { exact: true }).waitFor();

    // An older gateway: it cannot cancel, and xAI shows a bare code.
    gateway.setProfile('v7.1.39');
    const codex = card(page, 'Codex (OpenAI)');
    await codex.getByRole('button', { name: 'Sign in: Codex (OpenAI)' }).click();
    await codex.getByRole('button', { name: 'Cancel sign-in' }).click();
    await codex.getByText('The gateway did not confirm it').waitFor();
    await xai.getByRole('button', { name: 'Start again: Grok (xAI)' }).click();
    await xai.getByRole('textbox', { name: 'Address of the last page' }).fill('bare-code');
    await xai.getByRole('button', { name: 'Finish sign-in' }).click();
    await xai.getByText(/is signed in\.$/).waitFor();
    gateway.setProfile('latest');
    expect(JSON.parse(asked('oauth-callback').at(-1)?.body ?? '').redirect_url).toContain(
      '/callback?code=bare-code&state=',
    );

    const allowed =
      /^(usage-service\/info|v0\/management\/(config|auth-files|plugins|(codex|kimi|xai|antigravity)-auth-url|get-auth-status|oauth-session|oauth-callback|vertex\/import))$/;
    expect([...sent].filter((path) => !allowed.test(path))).toEqual([]);
  }, 120_000);
});

describe('auth files', () => {
  const auth = (type: string, email: string) => ({ type, email, access_token: `token-of-${email}` });
  const chosen = (name: string, content: unknown) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
  });
  const stored = (name: string) => gateway.authFiles().find((one) => one.name === name);

  test('are dropped, chosen and pasted, and each has its result', async () => {
    const { page, problems } = await rig.open(manager, '/accounts', { expected: /Failed to load resource/ });
    await page.locator('[data-row]').first().waitFor();
    await page.getByRole('button', { name: 'Add accounts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add accounts' });
    const lines = dialog.getByRole('list', { name: 'Files to upload' }).locator('> li');
    const line = (name: string) => lines.filter({ hasText: name });
    const dropped = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['{"type":"kimi","access_token":"t"}'], 'kimi-dropped.json'));
      return data;
    })()`);
    await dialog.getByRole('region', { name: 'Drop auth files here' }).dispatchEvent('drop', { dataTransfer: dropped });
    await line('kimi-dropped.json').waitFor();
    await dialog
      .locator('input[type="file"]')
      .setInputFiles([
        chosen('codex-two@example.test.json', auth('codex', 'two@example.test')),
        chosen('retired.json', auth('gemini', 'old@example.test')),
        chosen('lost.json', auth('claude', 'lost@example.test')),
        chosen('unsent.json', auth('claude', 'unsent@example.test')),
        chosen('broken.json', '{"type":'),
      ]);
    await line('broken.json').getByText('It is not valid JSON.').waitFor();
    const paste = dialog.getByRole('textbox', { name: 'Or paste' });
    await paste.fill(JSON.stringify({ accounts: [auth('xai', 'a@example.test'), auth('xai', 'b@example.test')] }));
    await dialog.getByRole('button', { name: 'Add pasted text' }).click();
    await until(async () => (await lines.count()) === 8);
    expect(await paste.inputValue()).toBe('');
    await picture(page, 'account-upload-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.content()).not.toMatch(/token-of|(lost|old|two)@example/);

    // An existing file is replaced only after a confirmation.
    await dialog.getByRole('button', { name: 'Upload 6 files' }).waitFor();
    await line('codex-two')
      .getByRole('checkbox', { name: /^Replace the existing file of two/ })
      .check();
    let down = true;
    await page.route('**/v0/management/auth-files', async (route) => {
      const body = route.request().postDataBuffer()?.toString() ?? '';
      if (body.includes('lost.json')) await route.fetch();
      if (body.includes('lost.json') || (down && body.includes('unsent.json'))) await route.abort();
      else await route.continue();
    });
    await dialog.getByRole('button', { name: 'Upload 7 files' }).click();
    await dialog.getByText('5 files uploaded.').waitFor();
    await dialog.getByText('Of 1 it is not known. 1 stored, but not in the list.').waitFor();
    await line('retired.json').getByText('not in the list').waitFor();
    await line('lost.json').getByText('uploaded', { exact: true }).waitFor();
    await line('unsent.json').getByText('The answer of the gateway was lost').waitFor();
    expect(
      ['kimi-dropped.json', 'xai-a@example.test.json', 'lost.json', 'unsent.json'].map((name) => stored(name)?.type),
    ).toEqual(['kimi', 'xai', 'claude', undefined]);
    await picture(page, 'account-upload-results-1440');
    down = false;
    await dialog.getByRole('button', { name: 'Retry 1' }).click();
    await dialog.getByText('6 files uploaded.').waitFor();
    expect(stored('unsent.json')?.type).toBe('claude');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.locator('[data-row]').filter({ hasText: 'kimi-dropped.json' }).waitFor();
    expect(problems).toEqual([]);
  }, 120_000);
});
