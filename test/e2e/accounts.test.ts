// Over 400 lines because all tests of the page share one manager and one browser, which are slow to start.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { QUOTA_SNAPSHOTS_QUERY_PATH } from '@manager/core/contract/constants';
import { until } from '@manager/core/testing/until';
import { accountFile, sharedFile } from '@manager/simulator';
import type { Browser, Page, Route } from 'playwright-core';
import { accessibilityProblems, problemsInBothThemes } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture, press } from '../support/browser.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const codex = (name: string, change: object = {}) =>
  accountFile({ provider: 'codex', name: `codex-${name}.json`, email: `${name}@example.test`, ...change });

const four = codex('four', { disabled: true, row: { note: 'holidays' } });
const FILES = [
  codex('one', { account: { primary: { usedPercent: 30 }, secondary: { usedPercent: 55 }, resetCredits: 1 } }),
  codex('two'),
  codex('three'),
  // As real gateways: the file has it, the list does not.
  { ...four, content: { ...four.content, last_refresh: '2026-05-04T08:00:00Z' } },
  accountFile({
    provider: 'claude',
    name: 'claude-five.json',
    email: 'five@example.test',
    account: { primary: { usedPercent: 100 }, secondary: { usedPercent: 10 } },
  }),
  accountFile({ provider: 'vertex', name: 'vertex-six.json', email: 'six@example.test' }),
  ...sharedFile({ name: 'codex-family.json', provider: 'codex', children: 2, sourceRow: false }),
  // The gateway lists files that it cannot assign to a provider.
  { name: 'unassigned.json', type: 'codex', row: { provider: '', type: '' } },
];
const COUNT = FILES.length;

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway({ authFiles: FILES });
  manager = await ManagerProcess.start({
    env: { ...boundTo(gateway, 'http'), USAGE_ACCOUNT_ACTIONS_ENABLED: 'true' },
  });
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

/** What somebody else sets. */
const setFields = (name: string, fields: object) =>
  manager.json('/v0/management/auth-files/fields', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `codex-${name}.json`, ...fields }),
  });

/** Opens the page, signed in. */
async function openAccounts(query = '', options: Parameters<typeof openPage>[1] = {}): Promise<OpenedPage> {
  const one = await openPage(browser, options);
  opened.push(one);
  const { page } = one;
  await openAsAdmin(page, manager.url, `/accounts${query}`);
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  return one;
}

/** The same once every state is loaded: until then rows are reordered and a click may hit another row. */
async function openSettled(...asked: Parameters<typeof openAccounts>): Promise<OpenedPage> {
  const one = await openAccounts(...asked);
  await one.page.locator('[data-stat="unconfirmed"] .stat-value').filter({ hasText: /\d/ }).waitFor();
  return one;
}

const rows = (page: Page) => page.locator('[data-row]');
const row = (page: Page, name: string) => rows(page).filter({ hasText: `codex-${name}.json` });
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Account' });
const file = (name: string) => gateway.authFiles().find((one) => one.name === `codex-${name}.json`);
const keyOf = (name: string) => String(file(name)?.auth_index);

async function menu(page: Page, name: string, item: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

describe('the list', () => {
  test('shows every account with its state, filters it, and keeps filters in the address', async () => {
    const { page, problems } = await openAccounts('?status=disabled');
    // Links opened before the sign-in keep their filters.
    await until(async () => (await rows(page).count()) === 1);
    await row(page, 'four').getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Remove Status: Disabled' }).click();
    await until(async () => (await rows(page).count()) === COUNT);
    await page.locator('[data-stat="disabled"]').getByText('1', { exact: true }).waitFor();
    await page
      .locator('[data-stat="unconfirmed"]')
      .getByText(String(COUNT - 1), { exact: true })
      .waitFor();
    expect(await page.getByText('Not loaded').count()).toBe(0);
    await picture(page, 'accounts-1440');
    // Names are masked everywhere: in texts, titles and labels.
    expect(await page.content()).not.toMatch(/(one|two|three|four|five|six)@example\.test/);

    await press(page.getByRole('radio', { name: 'claude 1' }));
    await until(async () => (await rows(page).count()) === 1);
    await until(() => page.url().includes('provider=claude'));
    await press(page.getByRole('radio', { name: `All ${COUNT}` }));
    await page.getByRole('searchbox', { name: 'Search' }).fill('HOLIDAYS');
    await until(async () => (await rows(page).count()) === 1);
    await until(() => page.url().includes('search=HOLIDAYS'));
    await page.reload();
    await until(async () => (await rows(page).count()) === 1);
    // Searched names of people stay out of the address.
    await page.getByRole('searchbox', { name: 'Search' }).fill('two@example.test');
    await row(page, 'two').waitFor();
    await until(async () => (await rows(page).count()) === 1);
    expect(page.url()).not.toContain('two');
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing has this');
    await page.getByText('No accounts match').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until(async () => (await rows(page).count()) === COUNT);
    expect(problems).toEqual([]);
  }, 180_000);

  test('that fails to load reports that and recovers', async () => {
    const { page } = await openAccounts('', { expected: /502|404/ });
    await rows(page).first().waitFor();
    let answer: Parameters<Route['fulfill']>[0] | null = { status: 502, json: { error: 'no upstream' } };
    await page.route('**/v0/management/auth-files', (route) =>
      answer === null ? route.continue() : route.fulfill(answer),
    );
    await page.reload();
    await page.getByText('The accounts could not be loaded').waitFor();
    // Another answer than a list does not mean that there are no accounts.
    answer = { json: { a: 1 } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Unexpected response.').waitFor();
    answer = { status: 404, json: { error: 'no upstream' } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This gateway does not list its accounts').waitFor();
    answer = null;
    await page.keyboard.press('r');
    await until(async () => (await rows(page).count()) === COUNT);
  }, 180_000);
});

describe('quota', () => {
  test('is loaded only on request, shown as bars, and kept by the manager', async () => {
    const { page, problems } = await openAccounts();
    await row(page, 'one').getByText('not observed yet').waitFor();
    expect(gateway.requests({ path: '/v0/management/api-call' })).toEqual([]);
    await menu(page, 'one', 'Refresh quota');
    await page.getByText('Quota of 1 account refreshed.').waitFor();
    await row(page, 'one').getByText('45%', { exact: true }).waitFor();
    await row(page, 'one').getByText('70%', { exact: true }).waitFor();
    const { items } = await manager.post<{ items: { windows: { provider_window_id: string }[] }[] }>(
      QUOTA_SNAPSHOTS_QUERY_PATH,
      {
        accounts: [
          {
            row_key: 'a',
            provider: 'codex',
            account: {
              auth_file_snapshot: 'codex-one.json',
              auth_index: keyOf('one'),
              auth_provider_snapshot: 'codex',
            },
          },
        ],
      },
    );
    expect(items[0]?.windows.map((window) => window.provider_window_id).sort()).toEqual(['five-hour', 'weekly']);

    await press(page.getByRole('radio', { name: 'claude 1' }));
    await until(async () => (await rows(page).count()) === 1);
    await page.getByRole('button', { name: 'Refresh quota' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Query providers' }).click();
    await rows(page).first().getByText('Limit reached').waitFor();
    await rows(page).first().getByText('0%', { exact: true }).waitFor();

    await page.goto(`${manager.url}/management.html#/accounts?account=${keyOf('one')}&tab=quota`);
    await drawer(page).getByText('1 credit left').waitFor();
    await drawer(page).getByText('This window').first().waitFor();
    await picture(page, 'accounts-quota');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 180_000);

  test('that is on its way or could not be loaded is not called unobserved', async () => {
    const { page } = await openAccounts();
    await row(page, 'one').getByText('45%', { exact: true }).waitFor();
    const held: Route[] = [];
    let letGo = false;
    await page.route(`**${QUOTA_SNAPSHOTS_QUERY_PATH}`, async (route) => {
      if (letGo) await route.continue();
      else held.push(route);
    });
    await page.evaluate(`globalThis.said = new Set();
      new MutationObserver(() => {
        for (const row of document.querySelectorAll('[data-row]'))
          if (row.textContent.includes('codex-new.json')) said.add(row.textContent.includes('not observed yet'));
      }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
    gateway.addAuthFile(codex('new'));
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await row(page, 'new').locator('.quota-bars .skeleton').waitFor();
    await until(() => held.length > 0);
    expect(await page.evaluate<boolean[]>('[...said]')).toEqual([false]);
    // Known data of the other accounts stays.
    expect(await row(page, 'one').getByText('45%', { exact: true }).count()).toBe(1);
    letGo = true;
    for (const route of held) await route.continue();
    await row(page, 'new').getByText('not observed yet').waitFor();

    gateway.removeAuthFile('codex-new.json');
    await page.route(`**${QUOTA_SNAPSHOTS_QUERY_PATH}`, (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await page.getByText('Not loaded: quota.').waitFor();
    await row(page, 'one').getByText('not loaded', { exact: true }).waitFor();
    expect(await page.getByText('not observed yet').count()).toBe(0);
  }, 180_000);
});

test('what an inspection has found is in the list when it has ended', async () => {
  const { page, problems } = await openSettled();
  await row(page, 'two').getByText('Unconfirmed').waitFor();
  const views = page.getByRole('navigation', { name: 'Account views' });
  await views.getByRole('link', { name: 'Account inspection' }).click();
  const start = page.getByRole('button', { name: 'Start inspection' });
  await start.click();
  await page.getByText('Completed').first().waitFor();
  await start.waitFor();
  await views.getByRole('link', { name: /^List/ }).click();
  await row(page, 'two').getByText('Available').waitFor();
  expect(problems).toEqual([]);
}, 180_000);

describe('changes', () => {
  test('a switch reaches the gateway, and has a way back', async () => {
    const { page, problems } = await openSettled();
    await row(page, 'two').waitFor();
    await press(row(page, 'two').getByRole('switch'));
    await page.getByText('two***@example.test is disabled.').waitFor();
    await until(() => file('two')?.disabled === true);
    await row(page, 'two').getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(() => file('two')?.disabled === false);
    await page.getByText(/is enabled\.$/).waitFor();

    // A field of several: what somebody else has set meanwhile is left alone, and named.
    for (const name of ['one', 'two']) await press(row(page, name).getByRole('checkbox'));
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Set priority' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('7');
    await setFields('one', { priority: 9 });
    await page.getByRole('dialog').getByRole('textbox').press('Enter');
    await page.getByText('Priority of 1 account set.').waitFor();
    expect([file('one')?.priority, file('two')?.priority]).toEqual([9, 7]);
    await page.getByRole('button', { name: 'Results' }).click();
    await page.getByRole('dialog').getByText('Priority is 9 by now').waitFor();
    // The dialog takes the focus, and with it the keys, after it is drawn.
    await page.locator('[role="dialog"]:focus-within').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Retry 1' }).click();
    await until(() => file('one')?.priority === 7);
    await page.getByText('one***@example.test is saved.').waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('two presses at one place never switch a second account, and every switch has its way back', async () => {
    const { page, problems } = await openSettled();
    const off = () =>
      gateway
        .authFiles()
        .filter(({ disabled }) => disabled === true)
        .map(({ name }) => name);
    const before = off();
    // The top two, once disabled, move to the end of the list.
    const key = (await rows(page).nth(0).getAttribute('data-row')) ?? '';
    const under = page.locator(`[data-row="${key}"]`);
    const box = await under.getByRole('switch').boundingBox();
    if (box === null) throw new Error('no switch is drawn');
    const pressHere = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await pressHere();
    await page.waitForTimeout(350);
    await pressHere();
    // Wait until all changes are done. The second click was too early, or undid the first one.
    await until(async () => {
      const control = under.getByRole('switch');
      return (await control.isEnabled()) && off().length === before.length + ((await control.isChecked()) ? 0 : 1);
    });
    expect((await under.getByRole('switch').boundingBox())?.y).toBe(box.y);
    if (off().length === before.length) await pressHere();
    await under.getByText('Disabled').waitFor();

    // By its key: the rows are held at their positions for a while only.
    const second = page.locator(`[data-row="${await rows(page).nth(1).getAttribute('data-row')}"]`);
    await press(second.getByRole('switch'));
    await until(() => off().length === before.length + 2);
    await second.getByText('Disabled').waitFor();
    await page.getByRole('button', { name: 'Undo' }).nth(1).waitFor();
    await picture(page, 'accounts-undo');
    for (const undo of await page.getByRole('button', { name: 'Undo' }).all()) await undo.click();
    await until(() => off().length === before.length);
    expect(off()).toEqual(before);
    // After a reload the rows are sorted again.
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await rows(page).last().getByText('Disabled').waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('an account that is another one by now is left alone', async () => {
    const { page } = await openSettled('', { expected: /409/ });
    await row(page, 'three').waitFor();
    gateway.removeAuthFile('codex-three.json');
    gateway.addAuthFile(codex('three', { email: 'somebody-else@example.test' }));
    await press(row(page, 'three').getByRole('switch'));
    await page.getByRole('alert').getByText('was not changed.').waitFor();
    await page.getByText('The account has changed at the gateway').waitFor();
    // The list is reloaded at once.
    await row(page, 'three').getByText('som***@example.test').waitFor();
    expect(file('three')?.disabled).toBe(false);
    await picture(page, 'accounts-changed');
  }, 180_000);

  test('several are switched one after the other, each with its own result', async () => {
    const { page } = await openSettled('', { expected: /409/ });
    await row(page, 'one').waitFor();
    for (const name of ['one', 'two']) await press(row(page, name).getByRole('checkbox'));
    await page.getByText('2 selected').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('codex-one');
    await page.getByText('1 of them not visible').waitFor();
    gateway.removeAuthFile('codex-two.json');
    gateway.addAuthFile(codex('two', { email: 'another@example.test' }));
    await page.getByRole('button', { name: 'Disable 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('1 account disabled.').waitFor();
    await page.getByText('1 not changed.').waitFor();
    expect([file('one')?.disabled, file('two')?.disabled]).toEqual([true, false]);
    await page.getByRole('button', { name: 'Results' }).click();
    await page.getByRole('dialog').getByText('The account has changed at the gateway').waitFor();
    await picture(page, 'accounts-results');
  }, 180_000);

  test('a file is deleted with all it holds, after all of that was shown', async () => {
    const { page, problems } = await openSettled();
    await rows(page).filter({ hasText: 'codex-family.json' }).first().waitFor();
    await rows(page)
      .filter({ hasText: 'codex-family.json' })
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Delete auth file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete auth files' });
    await dialog.getByText('Also deletes 1 account that you did not select.').waitFor();
    const button = dialog.getByRole('button', { name: 'Delete 1 file' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('DELETE');
    await picture(page, 'accounts-delete');
    await button.click();
    await page.getByText(/is deleted\.$/).waitFor();
    expect(gateway.authFiles().some((one) => one.name === 'codex-family.json')).toBe(false);
    await until(async () => (await rows(page).count()) === COUNT - 2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/is restored\.$/).waitFor();
    expect(gateway.authFiles().filter((one) => one.name === 'codex-family.json')).toHaveLength(1);
    expect(problems).toEqual([]);
  }, 180_000);
});

describe('the drawer', () => {
  // Beside the drawer the rows are cards; over the page the drawer takes the focus.
  test.each([1380, 1100])(
    'gives the focus back to the row that opened it: %i px',
    async (width) => {
      const { page, problems } = await openSettled('', { viewport: { width, height: 900 } });
      const key = (await rows(page).nth(2).getAttribute('data-row')) ?? '';
      const focused = () => page.evaluate<string | null>("document.activeElement.getAttribute('data-row')");
      const inDrawer = () => page.evaluate<boolean>("document.activeElement.matches('.drawer')");
      await page.locator(`[data-row="${key}"]`).focus();
      await page.keyboard.press('Enter');
      await drawer(page).waitFor();
      if (width > 1360) await page.locator('.list-row').first().waitFor();
      await until(async () => (width > 1360 ? (await focused()) === key : inDrawer()));
      await page.locator(`[data-row="${key}"][aria-current="true"]`).waitFor();
      await page.keyboard.press('Escape');
      await drawer(page).waitFor({ state: 'detached' });
      await page.locator('.list-row').first().waitFor({ state: 'detached' });
      await until(async () => (await focused()) === key);
      await page.keyboard.press('ArrowDown');
      // The order may change whenever new states arrive.
      const next = `[data-row="${key}"] ~ [data-row]`;
      await until(async () => (await focused()) === (await page.locator(next).first().getAttribute('data-row')));
      expect(problems).toEqual([]);
    },
    180_000,
  );

  test('edits fields of the file, and sends only the changed ones', async () => {
    await setFields('four', {
      headers: { 'X-Team': 'marker-header-1' },
      proxy_url: 'http://me:marker-pass@proxy.test',
    });
    const { page, problems } = await openAccounts(`?account=${keyOf('four')}`);
    await drawer(page).getByText('codex-four.json').waitFor();
    await drawer(page).getByText('No requests yet.').first().waitFor();
    await page.keyboard.press('3');
    const note = drawer(page).getByRole('textbox', { name: 'Note' });
    await note.waitFor();
    // What may be a secret is drawn when it is asked for.
    expect(await drawer(page).getByText('It holds a secret').count()).toBe(2);
    expect(
      await drawer(page)
        .getByRole('textbox', { name: /Headers|Proxy/ })
        .count(),
    ).toBe(0);
    await drawer(page).getByRole('button', { name: 'Show the value of Headers' }).click();
    expect(await drawer(page).getByRole('textbox', { name: 'Headers' }).inputValue()).toBe('X-Team: marker-header-1');
    await drawer(page)
      .getByText(/^Last refreshed .*2026/)
      .waitFor();
    await note.fill('back in May');
    await drawer(page).getByText('Changes to save').waitFor();
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await drawer(page).getByText('Saved.').waitFor();
    await until(() => file('four')?.note === 'back in May');
    expect(file('four')?.disabled).toBe(true);

    // An emptied number is not set.
    const weight = drawer(page).getByRole('textbox', { name: 'Weight' });
    for (const [typed, stored] of [
      ['7', 7],
      ['', undefined],
    ] as const) {
      await weight.fill(typed);
      await drawer(page).getByText('Changes to save').waitFor();
      await drawer(page).getByRole('button', { name: 'Save' }).click();
      await until(() => file('four')?.weight === stored);
      await drawer(page).getByText('Saved.').waitFor();
    }

    // Somebody else was faster: nothing is saved or lost, both values are shown, and mine can still be saved.
    await note.fill('of mine');
    // A refresh leaves what is typed.
    const [read] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('/auth-files/download')),
      page.getByRole('button', { name: 'Refresh now' }).click(),
    ]);
    await read.finished();
    await drawer(page).getByRole('textbox', { name: 'Model prefix' }).fill('mine');
    await setFields('four', { prefix: 'theirs' });
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await drawer(page).getByText('Both changed: Model prefix.').waitFor();
    expect(file('four')?.note).toBe('back in May');
    await drawer(page).getByText('Model prefix: theirs → mine').waitFor();
    expect(await note.inputValue()).toBe('of mine');
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'accounts-config-conflict');
    await drawer(page).getByRole('button', { name: 'Save my values' }).click();
    await drawer(page).getByText('Saved.').waitFor();
    expect(file('four')?.note).toBe('of mine');
    expect(await drawer(page).getByRole('textbox', { name: 'Model prefix' }).inputValue()).toBe('mine');

    await page.getByRole('button', { name: 'Models', exact: true }).click();
    await drawer(page)
      .getByText(/Available through it/)
      .waitFor();
    await page.getByRole('button', { name: 'Diagnostics', exact: true }).click();
    await drawer(page).getByText('Gateway record').waitFor();
    const text = await drawer(page).textContent();
    expect(text).not.toMatch(/sim-(access|refresh)-token|four@example/);
    await until(() => page.url().includes('tab=diagnostics'));
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  }, 180_000);
});

test('older addresses lead here', async () => {
  const { page } = await openAccounts('');
  for (const path of ['/auth-files', '/quota']) {
    await page.goto(`${manager.url}/management.html#${path}?status=disabled`);
    await until(() => /#\/accounts\?status=disabled/.test(page.url()));
  }
  await page.goto(`${manager.url}/management.html#/accounts?view=inspection`);
  await until(() => page.url().includes('view=health'));
}, 180_000);

test('has no sideways scroll on a phone, in both themes', async () => {
  const { page, problems } = await openAccounts('', { viewport: { width: 390, height: 844 } });
  await rows(page).first().waitFor();
  const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(await overflow()).toBe(0);
  await picture(page, 'accounts-phone');
  expect(await problemsInBothThemes(page)).toEqual([]);
  await rows(page).first().click();
  await drawer(page).waitFor();
  expect(await overflow()).toBe(0);
  await picture(page, 'accounts-phone-drawer');
  expect(problems).toEqual([]);
}, 180_000);
