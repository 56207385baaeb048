import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { accountFile } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { launchBrowser, openPage, picture } from '../support/browser.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const NAMES = ['one', 'two', 'three', 'expired', 'gone', 'busy', 'odd'] as const;
const INSPECTION = '/v0/management/account-inspection';

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;

beforeAll(async () => {
  browser = await launchBrowser();
  gateway = await startTestGateway({
    authFiles: NAMES.map((name) =>
      accountFile({ provider: 'codex', name: `codex-${name}.json`, email: `${name}@example.test` }),
    ),
  });
  manager = await ManagerProcess.start({ env: boundTo(gateway, 'http') });
}, 180_000);

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
});

async function inspect(): Promise<InspectionRunDetail> {
  const { run } = await manager.post<InspectionRunDetail>(`${INSPECTION}/run`, {});
  return until(async () => {
    const detail = await manager.json<InspectionRunDetail>(`${INSPECTION}/runs/${run.id}`);
    return detail.run.active ? null : detail;
  });
}

const row = (page: Page, name: string) => page.locator('[data-row]').filter({ hasText: `codex-${name}.json` });

test('a refusal of a quota query supersedes an older healthy inspection, and every page tells a deactivated workspace from an expired sign-in', async () => {
  expect((await inspect()).run).toMatchObject({ status: 'completed', keepCount: NAMES.length });
  gateway.setAccount('codex-expired.json', { state: 'expired' });
  gateway.setAccount('codex-gone.json', { state: 'deactivated-workspace' });
  gateway.setAccount('codex-busy.json', { state: 'rate-limited' });
  gateway.setAccount('codex-odd.json', { state: 'unrecognised' });

  const one = await openPage(browser);
  const { page } = one;
  await openAsAdmin(page, manager.url, '/accounts');
  for (const name of NAMES) await row(page, name).getByText('Available').waitFor();
  await page.getByRole('button', { name: 'Refresh quota' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Query providers' }).click();
  await page.getByText('Quota of 3 accounts refreshed.').waitFor();
  await page.getByText('2 refused, 1 busy, 1 unreadable').waitFor();
  await row(page, 'expired').getByText('Sign-in invalid').waitFor();
  await row(page, 'gone').getByText('Deactivated by provider').waitFor();
  for (const name of ['one', 'busy', 'odd']) await row(page, name).getByText('Available').waitFor();
  await picture(page, 'accounts-refused');
  expect(await accessibilityProblems(page)).toEqual([]);

  // The sign-in was renewed: a newer answer counts again.
  gateway.setAccount('codex-expired.json', { state: 'healthy' });
  await page.getByRole('button', { name: 'Retry 4' }).click();
  await page.getByText('Quota of 1 account refreshed.').waitFor();
  await row(page, 'expired').getByText('Available').waitFor();

  gateway.setAccount('codex-expired.json', { state: 'expired' });
  expect((await inspect()).run).toMatchObject({ reauthCount: 1, deleteCount: 1 });
  await page.goto(`${manager.url}/management.html#/accounts?view=health`);
  const shown = [
    'The workspace was deactivated',
    'Sign-in rejected',
    'Inconclusive: the provider returned 429',
    'Inconclusive: the response could not be read',
  ];
  for (const reason of shown) await page.getByText(reason, { exact: true }).waitFor();
  await page.goto(`${manager.url}/management.html#/accounts`);
  await page.reload();
  await row(page, 'expired').getByText('Sign-in invalid').waitFor();
  await row(page, 'gone').getByText('Deactivated by provider').waitFor();
  expect(one.problems).toEqual([]);
  await one.close();
}, 180_000);
