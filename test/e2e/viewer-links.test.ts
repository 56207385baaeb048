import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { PANEL_SCRIPT_PATH } from '@manager/core/contract/constants';
import { viewerLinkCreatedSchema } from '@manager/core/contract/viewer-links/links';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Page } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { picture } from '../support/browser.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

const OWN_KEY = 'sk-client-key-of-the-viewer-0123456789';
const OTHER_KEY = 'sk-client-key-of-somebody-else-0123456789';
const EVENTS = 360;
/** Every third request is the viewer's: more than one page of them. */
const OWN = EVENTS / 3;
const SPAN_MS = 5 * 86_400_000;
const LINKS = '/usage-service/viewer-links';
const hashOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex');

let rig: PanelRig;
let manager: ManagerProcess;

beforeAll(async () => {
  rig = await startPanelRig();
  const gateway = await rig.gateway();
  manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  let clock = Date.now() - SPAN_MS;
  const now = () => {
    clock += SPAN_MS / EVENTS;
    return Math.min(clock, Date.now());
  };
  const events = makeEvents({ seed: 29, numberFrom: 0, now });
  for (let index = 0; index < EVENTS; index += 1) {
    const event = JSON.parse(events.next().value.text);
    await gateway.publish(JSON.stringify({ ...event, api_key: index % 3 === 0 ? OWN_KEY : OTHER_KEY }));
  }
  await until(async () => (await readStatus(manager)).events === EVENTS);
  const items = [
    { apiKeyHash: hashOf(OWN_KEY), alias: 'Own team' },
    { apiKeyHash: hashOf(OTHER_KEY), alias: 'Other team' },
  ];
  await manager.fetch('/v0/management/api-key-aliases', { method: 'PUT', body: JSON.stringify({ items }) });
}, 120_000);

afterEach(() => rig.closePages());
afterAll(() => rig.end());

const requests = (page: Page) => page.locator('[data-stat="requests"] .stat-value');
const table = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function createLink(keys: readonly string[] | null) {
  const body = JSON.stringify({ name: 'Team report', keys, expiresInDays: 30 });
  const created = viewerLinkCreatedSchema.parse(await (await manager.fetch(LINKS, { method: 'POST', body })).json());
  return { ...created, address: `${manager.url}/management.html#viewer=${created.token}` };
}

/** Paths that a page asks the manager from now on. */
function asked(page: Page): Set<string> {
  const paths = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.endsWith('.html')) paths.add(pathname);
    expect(request.url()).not.toContain('mgv_');
  });
  return paths;
}

describe('viewer links', () => {
  test('are made once, listed and revoked in the settings', async () => {
    const { page, problems } = await rig.open(manager, '/settings?tab=viewers');
    await page.getByText('No viewer links').waitFor();
    await page.getByRole('button', { name: 'New link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Own team report');
    await dialog.getByRole('checkbox', { name: 'Own team' }).check();
    await picture(page, 'viewer-links-new-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const address = await dialog.getByLabel('Link', { exact: true }).inputValue();
    expect(address).toMatch(/\/management\.html#viewer=mgv_[A-Za-z0-9_-]{43}$/);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await table(page, 'Viewer links').getByText('Own team report').waitFor();
    await picture(page, 'viewer-links-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.content()).not.toContain(address.slice(-43));

    await page.getByRole('button', { name: 'Revoke Own team report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('No viewer links').waitFor();
    const viewer = await rig.page({ expected: /401/ });
    await viewer.page.goto(address);
    await viewer.page.getByText('This link has expired or was revoked.').waitFor();
    await picture(viewer.page, 'viewer-ended-1440');
    expect(await accessibilityProblems(viewer.page)).toEqual([]);
    expect([...problems, ...viewer.problems]).toEqual([]);
  }, 60_000);

  test('open the own usage and requests, and nothing else', async () => {
    const { address, token } = await createLink([hashOf(OWN_KEY)]);
    const { page, problems } = await rig.page();
    const paths = asked(page);
    const ends: number[] = [];
    page.on('request', (request) => {
      const question = request.method() === 'POST' ? request.postDataJSON() : null;
      if (question?.include?.requests?.cursor === '') ends.push(question.to_ms);
    });
    await page.goto(address);
    await page.locator(`[data-stat="requests"] .stat-value[title="${OWN}"]`).waitFor();
    expect(page.url()).not.toContain(token);
    expect(await page.evaluate('window.history.length')).toBeLessThan(4);
    await table(page, 'Client keys').getByText('Own team').waitFor();
    await table(page, 'Models').locator('[data-row]').first().waitFor();
    await picture(page, 'viewer-usage-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await page.locator('nav a').allTextContents()).toEqual(['Usage', 'Requests']);

    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText(`100 of ${OWN}`).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(`${OWN} of ${OWN}`).waitFor();
    await picture(page, 'viewer-requests-1440');
    expect(await accessibilityProblems(page)).toEqual([]);
    // A refresh asks for the range that ends now.
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(() => ends.length === 2);
    expect(ends[1]).toBeGreaterThan(ends[0] ?? 0);
    const choices = page.getByRole('menuitemradio');
    const namesIn = async (filter: RegExp) => {
      await page.getByRole('button', { name: filter }).click();
      await choices.first().waitFor();
      return choices.allTextContents();
    };
    // Whichever model is chosen, the others stay.
    const models = await namesIn(/^Model/);
    expect(models.length).toBeGreaterThan(2);
    await choices.nth(1).click();
    await page.getByText(`${OWN} of ${OWN}`).waitFor({ state: 'detached' });
    expect(await namesIn(/^Model/)).toEqual(models);
    await choices.filter({ hasText: /^All$/ }).click();
    await page
      .getByText(`100 of ${OWN}`)
      .or(page.getByText(`${OWN} of ${OWN}`))
      .waitFor();
    await namesIn(/^Status/);
    await choices.filter({ hasText: /^Failed$/ }).click();
    await until(async () => (await page.getByText('Succeeded', { exact: true }).count()) === 0);

    // An address of the operator's panel leads to the usage.
    await page.goto(`${manager.url}/management.html#/settings`);
    await requests(page).waitFor();
    await page.reload();
    await requests(page).waitFor();
    expect(await page.content()).not.toContain('Other team');
    paths.delete(PANEL_SCRIPT_PATH);
    expect([...paths].sort()).toEqual(['/usage-service/viewer', '/usage-service/viewer/analytics']);
    expect(problems).toEqual([]);

    await page.getByRole('button', { name: 'Leave this link' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain('mgv_');
  }, 60_000);

  test('are usable on a phone, and end at once when they are revoked', async () => {
    const { address, link } = await createLink(null);
    const { page, problems } = await rig.page({
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      expected: /401/,
    });
    await page.goto(address);
    await page.locator(`[data-stat="requests"] .stat-value[title="${EVENTS}"]`).waitFor();
    await table(page, 'Client keys').getByText('Other team').waitFor();
    await picture(page, 'viewer-usage-390-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${manager.url}/management.html#/viewer-requests`);
    await page.getByText(`100 of ${EVENTS}`).waitFor();
    await picture(page, 'viewer-requests-390-dark');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await accessibilityProblems(page)).toEqual([]);
    await manager.fetch(`${LINKS}/${link.id}`, { method: 'DELETE' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('This link has expired or was revoked.').waitFor();
    expect(problems).toEqual([]);
  }, 60_000);
});
