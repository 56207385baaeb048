import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { accountFile } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const FILES = ['d', 'a', 'c', 'b'].map((name, index) => ({
  ...accountFile({ provider: 'codex', name: `file-${name}.json`, email: `codex-${name}@mock.test` }),
  // Neither the order of the list nor that of the names.
  authIndex: `index-${(index * 3) % 4}`,
}));
/** Masks by file, in the order of `auth_index`. */
const MASKS = Object.fromEntries(
  FILES.toSorted((left, right) => (left.authIndex < right.authIndex ? -1 : 1)).map(({ name }, index) => [
    name,
    index === 0 ? 'cod***@mock.test' : `cod***@mock.test (${index + 1})`,
  ]),
);

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway({ authFiles: FILES });
  manager = await ManagerProcess.start({ env: boundTo(gateway, 'http') });
}, 180_000);

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

const listed = (page: Page) => page.locator('[data-row]');

/** The shown account of each file. */
async function masksIn(page: Page): Promise<Record<string, string>> {
  const masks: [string, string][] = [];
  for (const text of await listed(page).allInnerTexts()) {
    const file = /file-\w\.json/.exec(text)?.[0];
    const mask = /cod\*\*\*@mock\.test(?: \(\w+\))?/.exec(text)?.[0];
    if (file !== undefined && mask !== undefined) masks.push([file, mask]);
  }
  return Object.fromEntries(masks);
}

test.each(['/accounts', '/accounts?sort=name&direction=desc', '/monitoring', '/accounts?view=health'])(
  'masked names have the same numbers when %s was opened first, and in the export',
  async (first) => {
    const one = await openPage(browser);
    const { page } = one;
    await openAsAdmin(page, manager.url, first);
    await page.locator('#main').waitFor();
    await page.goto(`${manager.url}/management.html#/accounts`);
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    await listed(page)
      .nth(FILES.length - 1)
      .waitFor();
    expect(await masksIn(page)).toEqual(MASKS);

    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Save as CSV', exact: true }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    for (const [file, mask] of Object.entries(MASKS)) {
      const line = text.split('\n').find((each) => each.includes(file));
      expect(/cod\*\*\*@mock\.test(?: \(\w+\))?/.exec(line ?? '')?.[0]).toBe(mask);
    }
    await one.close();
  },
  120_000,
);
