import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, untilStill } from '@manager/core/testing/until';
import { eventWith } from '@manager/simulator';
import type { Page, Route } from 'playwright-core';
import { accessibilityProblems } from '../support/axe.ts';
import { type OpenedPage, picture, requestsUnderWay } from '../support/browser.ts';
import { countDrawnInVain } from '../support/drawn-rows.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type PanelRig, startPanelRig } from '../support/panel-rig.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const PANEL_FILE = join(import.meta.dir, '../../packages/panel/dist/management.html');
const MODES = ['manager', 'gateway'] as const;
type Mode = (typeof MODES)[number];

const KEY = 'sk-marker1234567890abcdef';
const FAILED = 'a1b2c3d4';
const FILE = `error-v1-responses-2026-11-29T064253-${FAILED}.log`;
const FILE_TEXT = `=== REQUEST INFO ===
URL: /v1/responses
=== HEADERS ===
Authorization: Bearer ${KEY}
=== REQUEST BODY ===
{"model":"gpt-5","input":"${'find this needle, and '.repeat(300)}"}
=== RESPONSE ===
Status: 429
from person.marker@example.org
`;
/** What the page may request, and what the frame of every page requests. */
const OWN = /^(?:logs|request-error-logs(?:\/.*)?|request-log-by-id\/.*|request-log|logging-to-file)$/;
const FRAME = /^(?:config|auth-files|account-action-candidates|plugins)$/;

let rig: PanelRig;
let gateway: Simulator;
let manager: ManagerProcess;
const nowMs = Date.now();

beforeAll(async () => {
  rig = await startPanelRig();
  gateway = await rig.gateway({
    panelFile: PANEL_FILE,
    accessLog: true,
    requestLogs: [
      { name: FILE, text: FILE_TEXT },
      { name: 'error-v1-messages-2026-11-29T064000-0badcafe.log', text: 'another' },
    ],
  });
  manager = await rig.managerOf(boundTo(gateway));
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const failed = { failed: true, fail: { status_code: 429, body: 'rate limit' } };
  await gateway.publish(
    JSON.stringify(eventWith({ request_id: FAILED, timestamp: new Date(nowMs).toISOString(), ...failed })),
  );
  await until(async () => (await readStatus(manager)).events === 1);
}, 180_000);
beforeEach(() => gateway.rotateLog());
afterEach(() => rig.closePages());
afterAll(() => rig.end());

const stamp = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1000).toISOString().slice(0, 19).replace('T', ' ');
const write = (text: string, { ago = 0, id = '--------', level = 'info ' } = {}) =>
  gateway.writeLog(`[${stamp(ago)}] [${id}] [${level}] [main.go:1] ${text}`);
const request = (status: number, path: string, id = FAILED) =>
  write(`${status} |        1.62s |     203.0.113.7 | POST    "${path}"`, {
    id,
    level: status < 400 ? 'info ' : 'warn ',
  });
/** A log of many short lines with known numbers. */
const fill = (from: number, to: number) => {
  for (let number = from; number < to; number++) write(`number ${number}.`, { ago: 20_000 - number });
};

const open = (mode: Mode, query = '', options: Parameters<PanelRig['page']>[0] = {}): Promise<OpenedPage> =>
  mode === 'manager'
    ? rig.open(manager, `/logs${query}`, options)
    : rig.openAtGateway(gateway, `/logs${query}`, { expected: /usage-service\/info|404/, ...options });
const rows = (page: Page) => page.locator('.log-table [data-row]');
const line = (page: Page, text: string) => rows(page).filter({ hasText: text });
const look = (page: Page) => page.getByRole('button', { name: 'Refresh now' }).click();
const setting = (name: string, value: boolean) =>
  fetch(`${gateway.url}/v0/management/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TEST_UPSTREAM_KEY}` },
    body: JSON.stringify({ value }),
  });
/** Paths of the management API that the page requests from now on. */
function managementRequests(page: Page): ReadonlySet<string> {
  const paths = new Set<string>();
  page.on('request', (request) => {
    const [, path] = new URL(request.url()).pathname.split('/v0/management/');
    if (path !== undefined) paths.add(path);
  });
  return paths;
}
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const copied = async (page: Page) => String(await page.evaluate('navigator.clipboard.readText()'));

describe.each(MODES)('the log of a gateway, from the %s', (mode) => {
  test('is shown line by line, filtered by the address, masked, and grows', async () => {
    write('started');
    request(200, '/v1/chat/completions', '00112233');
    request(429, '/v1/responses');
    write(`refused key ${KEY} of person.marker@example.org`, { level: 'error' });
    gateway.writeLog('  at dispatcher.go:12');
    gateway.writeLog('  <b>at</b> pool.go:99');
    const { page, problems } = await open(mode, '', clipboard);
    const asked = managementRequests(page);
    await line(page, 'started').waitFor();
    const failed = line(page, '/v1/responses');
    for (const text of ['warn', '429', 'POST', '1.6 s', '203.0.*.*', FAILED]) await failed.getByText(text).waitFor();
    // The page's own requests are hidden, which a chip shows.
    expect(await line(page, '/v0/management').count()).toBe(0);
    await page.getByText('Without management requests', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, `logs-${mode}`);

    // Lines without a time belong to the one before, and are text.
    const refused = line(page, 'refused key');
    await refused.getByRole('button', { name: '2 more lines' }).click();
    await refused.getByText('<b>at</b> pool.go:99').waitFor();
    await refused.locator('td').first().dblclick();
    await page.getByText('Line copied').waitFor();
    const text = await copied(page);
    expect(text).toMatch(/\[error\].*refused key .*\n {2}at dispatcher\.go:12\n {2}<b>at<\/b> pool\.go:99$/);
    for (const secret of [KEY, 'person.marker']) {
      expect(text).not.toContain(secret);
      expect(await page.content()).not.toContain(secret);
    }

    write('a new line');
    await look(page);
    await line(page, 'a new line').waitFor();

    await page.goto(`${page.url().split('#')[0]}#/logs?level=warn&status_class=4xx&path=%2Fv1%2F&method=POST`);
    await until(async () => (await rows(page).count()) === 1);
    await failed.waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await line(page, '/v0/management/logs').first().waitFor();
    expect(page.url()).toMatch(/#\/logs\?hide_management=0$/);
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('CHAT/completions');
    await until(async () => (await rows(page).count()) === 1);
    await until(() => page.url().includes('q=CHAT%2Fcompletions'));
    // A key is found and stays out of the address.
    await search.fill(KEY);
    await refused.waitFor();
    await until(() => !page.url().includes('q='));
    await search.fill('no such line');
    await page.getByText('No line matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await line(page, 'started').waitFor();

    await page.getByRole('button', { name: 'Raw lines' }).click();
    await line(page, '[error] [main.go:1] refused').waitFor();
    await until(() => page.url().includes('raw=1'));
    expect(await page.content()).not.toContain(KEY);
    await failed.focus();
    await page.keyboard.press('y');
    await until(async () => (await copied(page)).includes('/v1/responses'));

    expect([...asked].filter((path) => !OWN.test(path) && !FRAME.test(path))).toEqual([]);
    expect(asked).toContain('logs');
    expect(problems).toEqual([]);
  }, 180_000);

  test('opens the logs of failed requests in place', async () => {
    const { page, problems } = await open(mode, '?tab=errors', { expected: /404|400|usage-service\/info/ });
    const list = page.getByRole('region', { name: 'Error logs' });
    await list.getByText(FILE).click();
    const drawer = page.getByRole('complementary', { name: 'Request log' });
    await drawer.getByText('Authorization: [redacted]').waitFor();
    await until(() => page.url().includes(`file=${FILE}`));
    const find = drawer.getByRole('searchbox', { name: 'Search in the log' });
    await find.fill('STATUS: 4');
    await drawer.getByText('1 of 1').waitFor();
    await drawer.locator('mark').getByText('Status: 4').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, `logs-error-${mode}`);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(FILE);
    const saved = readFileSync(await file.path(), 'utf8');
    expect(saved).toContain('Status: 429');
    for (const secret of [KEY, 'person.marker']) expect(saved).not.toContain(secret);
    await drawer.getByRole('button', { name: 'Close' }).click();

    // By id, also in a link; an unknown one is no failure.
    await page.getByRole('textbox', { name: 'Request ID' }).fill('ffffffff');
    await page.keyboard.press('Enter');
    await drawer.getByText('No log for this request').waitFor();
    await page.goto(`${page.url().split('#')[0]}#/logs?request=${FAILED}`);
    await drawer.getByText(`Log of request ${FAILED}`).waitFor();
    await drawer.getByText('Authorization: [redacted]').waitFor();

    // A list with such a name is none of the gateway, so it comes from the test.
    const bad = '../main.log';
    await page.route('**/v0/management/request-error-logs', (route) =>
      route.fulfill({ json: { files: [{ name: bad, size: 5, modified: 1 }] } }),
    );
    gateway.clearRequests();
    await page.goto(`${page.url().split('#')[0]}#/logs?tab=errors`);
    await look(page);
    await page.getByText('1 file has a name with a slash.').waitFor();
    await list.getByText(bad).click();
    await page.goto(`${page.url().split('#')[0]}#/logs?file=${encodeURIComponent(bad)}`);
    await until(() => !page.url().includes('file='));
    expect(gateway.requests({ path: '/v0/management/request-error-logs/*' })).toEqual([]);
    expect(problems).toEqual([]);
  }, 180_000);
});

describe('the live log', () => {
  test('follows its end, loads older lines, keeps the place of a reader, and holds 10,000 lines', async () => {
    fill(0, 12_000);
    const { page, problems } = await open('gateway');
    const underWay = requestsUnderWay(page);
    await line(page, 'number 11999.').waitFor();
    await page.getByText(/^100 lines|of 100 lines/).waitFor();
    const box = page.locator('.log-panel .log-box');
    const place = () => box.evaluate((element) => element.scrollTop);
    await box.evaluate((element) => element.scrollTo({ top: 0 }));
    await page.getByRole('button', { name: 'Follow' }).waitFor();
    // The older lines are above, and what was read has not moved.
    await until(async () => (await place()) > 1_000);
    fill(12_000, 12_003);
    // Older lines may still arrive.
    const before = await untilStill(() => until(() => underWay.size === 0).then(place));
    await look(page);
    await page.getByRole('button', { name: '3 new entries' }).waitFor();
    expect(await place()).toBe(before);
    // What a search finds is drawn at that place, and nothing else before.
    await box.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 4 }));
    await untilStill(async () => (await rows(page).allTextContents()).join());
    const drawnInVain = await countDrawnInVain(page, '.log-table tbody');
    await page.getByRole('searchbox', { name: 'Search' }).fill('7');
    await rows(page).filter({ hasNotText: '7' }).first().waitFor({ state: 'detached' });
    await untilStill(async () => (await rows(page).allTextContents()).join());
    expect(await drawnInVain()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await box.press('End');
    await line(page, 'number 12002.').waitFor();

    // A search goes through all lines that the gateway returns.
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such line');
    await page.getByText('The filters hide all 10,000 loaded lines.').waitFor({ timeout: 120_000 });
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByText('Only the newest 10,000 lines are kept here.').waitFor();
    await line(page, 'number 12002.').waitFor();
    expect(await rows(page).count()).toBeLessThan(80);
    fill(12_003, 12_500);
    await look(page);
    await line(page, 'number 12499.').waitFor();
    await page.getByText(/of 10,000 lines/).waitFor();
    const limits = gateway
      .requests({ path: '/v0/management/logs' })
      .map(({ target }) => Number(new URL(target, 'http://x').searchParams.get('limit')));
    expect(Math.max(...limits)).toBe(10_000);
    expect(limits[0]).toBe(100);

    // The file has the lines that the page does not keep, and is masked.
    write(`refused key ${KEY}`);
    await page.getByRole('button', { name: 'Download' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'The whole log' }).click(),
    ]);
    const saved = readFileSync(await file.path(), 'utf8');
    expect([...(saved.match(/number \d+\./g) ?? [])]).toEqual(
      Array.from({ length: 12_500 }, (_, number) => `number ${number}.`),
    );
    expect(saved).toContain('refused key ');
    expect(saved).not.toContain(KEY);
    expect(problems).toEqual([]);
  }, 180_000);

  test('shows where the log began again, is cleared after a question, and can be turned on', async () => {
    const { page, problems } = await open('gateway', '', { expected: /400|404|usage-service\/info/ });
    write('before');
    await look(page);
    await line(page, 'before').waitFor();
    gateway.rotateLog();
    write('after');
    await look(page);
    await line(page, 'after').waitFor();
    await page.getByText('The log began again here.').waitFor();
    expect(await line(page, 'before').count()).toBe(0);

    await page.getByRole('button', { name: 'Fill the window' }).click();
    await page.getByRole('navigation').first().waitFor({ state: 'hidden' });
    await picture(page, 'logs-maximized');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').first().waitFor();

    await page.keyboard.press('p');
    await page.getByRole('region', { name: 'Live log' }).getByText('Paused').waitFor();
    await page.keyboard.press('p');

    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete log' }).click();
    await line(page, 'after').waitFor({ state: 'detached' });
    expect(gateway.requests({ method: 'DELETE' }).map(({ path }) => path)).toEqual(['/v0/management/logs']);

    await setting('logging-to-file', false);
    await look(page);
    await page.getByText('The gateway writes no log file').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Turn on logging to a file' }).click();
    write('it writes again');
    await look(page);
    await line(page, 'it writes again').waitFor();

    await page.route('**/v0/management/logs?*', (route) => route.fulfill({ status: 404, body: '404 page not found' }));
    await page.reload();
    await page.getByText('This gateway version cannot show its log').waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('fits on a phone, in the dark theme and in Chinese', async () => {
    request(429, '/v1/responses');
    write('x'.repeat(3_000));
    const { page, problems } = await open('gateway', '', {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'zh-CN',
    });
    await line(page, '[warn ]').waitFor();
    // A long line breaks, and all of it is in its row, also beside a scroll bar: the browser of the tests draws none.
    await page.addStyleTag({ content: '.log-box { border-right: 15px solid }' });
    await until(async () => (await line(page, 'xxx').boundingBox())?.width === 349);
    const [shown, needed] = (await line(page, 'xxx')
      .locator('td')
      .evaluate((cell) => [cell.clientHeight, cell.scrollHeight])) as [number, number];
    expect(needed).toBeLessThanOrEqual(shown);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await picture(page, 'logs-phone-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    const touched = line(page, '[warn ]');
    await touched.dispatchEvent('pointerdown', { pointerType: 'touch' });
    await page.getByText('已复制该行').waitFor();
    await touched.dispatchEvent('pointerup', { pointerType: 'touch' });
    await page.getByRole('button', { name: '筛选' }).click();
    await page.getByText('隐藏管理请求').waitFor();
    await picture(page, 'logs-filter-phone-dark');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 180_000);
});

describe('with a manager', () => {
  test('a line opens its request, and the request opens its log', async () => {
    request(429, '/v1/responses');
    const { page, problems } = await open('manager', '');
    await line(page, '/v1/responses').getByRole('link', { name: FAILED }).click();
    await until(() => page.url().includes(`search=${FAILED}`));
    // The lines of the log are rows too.
    await page.getByRole('heading', { name: 'Request monitoring', level: 1 }).waitFor();
    const event = page.locator('#main [data-row]').first();
    await event.click();
    const drawer = page.getByRole('complementary', { name: 'Request' });
    await drawer.getByRole('button', { name: 'Open request log' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request log' });
    await dialog.getByText('Authorization: [redacted]').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'logs-request-dialog');
    await dialog.getByRole('link', { name: 'Open in logs' }).click();
    await page.getByText(`Log of request ${FAILED}`).waitFor();
    await page.getByRole('link', { name: 'Open request', exact: true }).click();
    await page.getByRole('heading', { name: 'Request monitoring', level: 1 }).waitFor();
    await event.waitFor();
    expect(problems).toEqual([]);
  }, 180_000);

  test('a key that the gateway refuses ends no session, and a list that is not kept says so', async () => {
    await setting('request-log', true);
    const { page, problems } = await open('manager', '?tab=errors', { expected: /401/ });
    await page.getByText('The gateway logs every request.').waitFor();
    await page.getByText('Error logs are not listed').waitFor();
    await setting('request-log', false);
    let answer: Parameters<Route['fulfill']>[0] = { status: 401, json: { error: 'invalid management key' } };
    await page.route('**/v0/management/logs?*', (route) => route.fulfill(answer));
    await page.getByRole('link', { name: 'Live log' }).click();
    await page.getByText('The log could not be loaded').waitFor();
    await page.getByText("The gateway rejects the manager's management key.").waitFor();
    const link = page.getByRole('link', { name: 'Open the connection settings' });
    expect(await link.getAttribute('href')).toContain('/settings');
    // Another answer than a log is no empty log.
    answer = { json: { a: 1 } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Unexpected response.').waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  }, 180_000);
});
