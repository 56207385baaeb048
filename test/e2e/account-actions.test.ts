import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { candidateListResponseSchema } from '@manager/core/contract/account-actions';
import { ACCOUNT_ACTIONS_PATH, PROCESSING_POLICY_PATH } from '@manager/core/contract/constants';
import { processingPolicyResponseSchema } from '@manager/core/contract/settings/processing-policy';
import { until } from '@manager/core/testing/until';
import { type AccountEventKind, accountFile } from '@manager/simulator';
import type { Browser, Locator, Page } from 'playwright-core';
import { accessibilityProblems, problemsInBothThemes } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const FAILING: readonly (readonly [string, string, AccountEventKind])[] = [
  ['codex-one.json', 'one@example.test', 'token-revoked'],
  ['codex-two.json', 'two@example.test', 'account-deactivated-header'],
  ['codex-three.json', 'three@example.test', 'authentication-error'],
  ['codex-four.json', 'four@example.test', 'token-revoked'],
  ['codex-five.json', 'five@example.test', 'token-revoked'],
];

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway({
    authFiles: FAILING.map(([name, email]) => accountFile({ provider: 'codex', name, email })),
  });
  manager = await ManagerProcess.start({ env: boundTo(gateway, 'http') });
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

async function open(options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> {
  const page = await openPage(browser, options);
  opened.push(page);
  return page;
}

async function openQueue(page: Page, query = '', path = '/accounts/actions'): Promise<void> {
  await openAsAdmin(page, manager.url, `${path}${query}`);
}

const rows = (page: Page) => page.locator('[data-row]');
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Sign-in problem' });

async function stored() {
  return candidateListResponseSchema.parse(await manager.json(ACCOUNT_ACTIONS_PATH));
}

async function idOf(file: string): Promise<number> {
  const found = (await stored()).items.find((item) => item.authFileName === file && item.status === 'pending');
  if (found === undefined) throw new Error(`nothing waits for ${file}`);
  return found.id;
}

/**
 * Presses a switch by keyboard: a click could miss a control that still moves. The new state appears with the server's answer, so
 * the test waits for it instead of checking at once.
 */
async function turn(control: Locator): Promise<void> {
  await control.press('Space');
}

describe('the switches', () => {
  test('a disabled queue reports that and links to its switch, which enables it', async () => {
    const { page, problems } = await open();
    await openQueue(page);
    await page.getByText('The action queue is off.').waitFor();
    await picture(page, 'account-actions-off');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Turn on' }).click();
    const automation = page.getByRole('region', { name: 'Automation' });
    await turn(automation.getByRole('switch', { name: 'Action queue' }));
    await until(async () => {
      const policy = processingPolicyResponseSchema.parse(await manager.json(PROCESSING_POLICY_PATH));
      return policy.authIssueQueue.enabled;
    });
    await picture(page, 'settings-automation');
    expect(await accessibilityProblems(page)).toEqual([]);
    await automation.getByRole('link', { name: 'Open action queue' }).click();
    await page.getByText('No pending decisions').waitFor();
    await page.getByText('Queue is on').waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('automatic disabling is confirmed first', async () => {
    const { page, problems } = await open();
    await openQueue(page, '?tab=automation', '/settings');
    const automatic = page.getByRole('switch', { name: 'Disable accounts automatically' });
    await turn(automatic);
    await page.getByRole('dialog', { name: 'Allow automatic disabling' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const policy = processingPolicyResponseSchema.parse(await manager.json(PROCESSING_POLICY_PATH));
    expect([policy.authIssueAutoDisable.configured, await automatic.isChecked()]).toEqual([false, false]);
    expect(problems).toEqual([]);
  }, 180_000);

  test('a switch that the environment sets is shown and cannot be turned', async () => {
    const locked = await ManagerProcess.start({
      env: {
        ...boundTo(gateway, 'http'),
        USAGE_ACCOUNT_ACTIONS_ENABLED: 'false',
        USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'true',
      },
    });
    try {
      const { page, problems } = await open();
      await page.goto(`${locked.url}/management.html#/settings?tab=automation`);
      await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
      await page.keyboard.press('Enter');
      const automation = page.getByRole('region', { name: 'Automation' });
      await page.locator('.sidebar').first().waitFor();
      await page.goto(`${locked.url}/management.html#/settings?tab=automation`);
      await automation.getByText('USAGE_ACCOUNT_ACTIONS_ENABLED').waitFor();
      expect(await automation.getByRole('switch', { name: 'Action queue' }).isDisabled()).toBe(true);
      await automation.getByText('Needs the action queue, which is off').waitFor();
      await picture(page, 'settings-automation-locked');
      await page.goto(`${locked.url}/management.html#/accounts/actions`);
      await page.getByText('USAGE_ACCOUNT_ACTIONS_ENABLED').waitFor();
      expect(problems).toEqual([]);
    } finally {
      await locked.remove();
    }
  }, 180_000);
});

describe('the queue', () => {
  beforeAll(async () => {
    for (const [name, , kind] of FAILING) await gateway.publishFor(name, { kind });
    await until(async () => (await stored()).pendingCount === FAILING.length);
  }, 180_000);

  test('shows what waits, filters it, and keeps filters in the address', async () => {
    const { page, problems } = await open();
    await openQueue(page);
    await until(async () => (await rows(page).count()) === FAILING.length);
    await page.getByRole('link', { name: `Action queue, ${FAILING.length} pending` }).waitFor();
    await picture(page, 'account-actions-1440');

    await page.getByRole('button', { name: 'Suggestion All' }).click();
    await page.getByRole('menuitemradio', { name: 'Sign in again' }).click();
    await until(async () => (await rows(page).count()) === 3);
    await page.getByRole('searchbox', { name: 'Search' }).fill('FOUR@');
    await until(async () => (await rows(page).count()) === 1);
    expect(page.url()).toContain('type=reauth');
    await until(() => /search=FOUR/.test(page.url()));
    await page.reload();
    await until(async () => (await rows(page).count()) === 1);
    await rows(page).first().getByText('codex-four.json').waitFor();

    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing has this');
    await page.getByText('No problems match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await until(async () => (await rows(page).count()) === FAILING.length);
    await page.getByRole('button', { name: 'Status Pending' }).click();
    await page.getByRole('menuitemradio', { name: 'Deleted' }).click();
    await page.getByText('No problems with this status').waitFor();
    expect(page.url()).toContain('status=deleted');
    expect(problems).toEqual([]);
  }, 180_000);

  test('opens a problem with its evidence, and ignores it', async () => {
    const { page, problems } = await open();
    const id = await idOf('codex-one.json');
    await openQueue(page, `?candidate=${id}`);
    await drawer(page).getByText('"statusCode": 401').waitFor();
    const again = await drawer(page).getByRole('link', { name: 'Sign in again' }).getAttribute('href');
    expect(again).toMatch(/#\/oauth\?account=[0-9a-f]{16}&provider=codex$/);
    await picture(page, 'account-actions-drawer-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await drawer(page).getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('codex-one.json is ignored.').waitFor();
    await until(async () => (await rows(page).count()) === FAILING.length - 1);
    await drawer(page).getByText('Ignored', { exact: true }).waitFor();
    expect((await stored()).items.find((item) => item.id === id)?.status).toBe('ignored');
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  }, 180_000);

  test('j and k go through the queue, also beside a drawer that the address opened', async () => {
    const { page, problems } = await open();
    await openQueue(page, `?candidate=${await idOf('codex-four.json')}`);
    await drawer(page).getByText('codex-four.json').first().waitFor();
    const views = page.getByRole('navigation', { name: 'Account views' });
    expect(await views.locator('[aria-current="page"]').allTextContents()).toEqual([
      expect.stringContaining('Action queue'),
    ]);
    await until(async () => (await rows(page).count()) > 2);
    const order = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
    const openRow = () => page.locator('[data-row][aria-current="true"]').getAttribute('data-row');
    const at = order.indexOf(await openRow());
    const [key, back, next] = at + 1 < order.length ? ['j', 'k', order[at + 1]] : ['k', 'j', order[at - 1]];
    await page.keyboard.press(key ?? '');
    await until(async () => (await openRow()) === next);
    await until(() => page.url().includes(`candidate=${next}`));
    await page.keyboard.press(back ?? '');
    await drawer(page).getByText('codex-four.json').first().waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('deletes an auth file only after the word was typed', async () => {
    const { page, problems } = await open();
    await openQueue(page, `?candidate=${await idOf('codex-two.json')}`);
    await drawer(page).getByRole('button', { name: 'Delete auth file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this auth file' });
    const button = dialog.getByRole('button', { name: 'Delete auth file' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('DELETE');
    await picture(page, 'account-actions-delete');
    await button.click();
    await page.getByText('codex-two.json is deleted.').waitFor();
    expect(gateway.authFiles().some((file) => file.name === 'codex-two.json')).toBe(false);
    expect(problems).toEqual([]);
  }, 180_000);

  test('shows who was faster, and what the gateway refused', async () => {
    const { page } = await open({ expected: /409|500/ });
    const three = await idOf('codex-three.json');
    await openQueue(page, `?candidate=${three}`);
    await drawer(page).getByRole('button', { name: 'Resolve' }).waitFor();
    await manager.fetch(`${ACCOUNT_ACTIONS_PATH}/${three}/resolve`, { method: 'POST' });
    await drawer(page).getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('codex-three.json was handled by someone else.').waitFor();

    gateway.fault({ kind: 'mutation', answer: 'unconfirmed', applies: false });
    await page.goto(`${manager.url}/management.html#/accounts/actions?candidate=${await idOf('codex-four.json')}`);
    await drawer(page).getByText('codex-four.json').first().waitFor();
    await drawer(page).getByRole('button', { name: 'Enable again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable again' }).click();
    await page.getByText('codex-four.json was not changed.').waitFor();
    await page.getByRole('alert').getByText('the gateway did not confirm the change').waitFor();
    await picture(page, 'account-actions-refused');
  }, 180_000);

  test('a list that fails to load reports that and recovers', async () => {
    const { page } = await open({ expected: /500/ });
    let failing = true;
    await page.route(`**${ACCOUNT_ACTIONS_PATH}?**`, (route) =>
      failing ? route.fulfill({ status: 500, json: { error: 'the disk is full' } }) : route.continue(),
    );
    await openQueue(page);
    await page.getByText('The action queue could not be loaded').waitFor();
    failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page).first().waitFor();
  }, 180_000);

  test.each([
    ['phone', 390],
    ['tablet', 1024],
  ] as const)(
    'has no sideways scroll: %s',
    async (name, width) => {
      const { page, problems } = await open({ viewport: { width, height: 844 } });
      await openQueue(page);
      await rows(page).first().waitFor();
      const overflow = () =>
        page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(await overflow()).toBe(0);
      const file = `account-actions-${name}`;
      await picture(page, file);
      expect(await problemsInBothThemes(page)).toEqual([]);
      await rows(page).first().click();
      await drawer(page).waitFor();
      expect(await overflow()).toBe(0);
      await picture(page, `${file}-drawer`);
      expect(problems).toEqual([]);
    },
    180_000,
  );
});
