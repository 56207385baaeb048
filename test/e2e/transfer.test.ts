// Over 400 lines because all tests of the page share one manager and one browser, which are slow to start.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPORT_SESSIONS_PATH, type ImportSessionsResponse } from '@manager/core/contract/transfer/import-sessions';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import type { Browser, Page, Route } from 'playwright-core';
import { accessibilityProblems, problemsInBothThemes } from '../support/axe.ts';
import { launchBrowser, type OpenedPage, openPage, picture, sidewaysScroll } from '../support/browser.ts';
import { ManagerProcess, TEST_ADMIN_KEY } from '../support/manager-process.ts';
import { openAsAdmin } from '../support/signed-in.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const CHUNK_BYTES = 65_536;
const COLLECTED = 60;

let browser: Browser;
let gateway: Simulator;
let manager: ManagerProcess;
let files: string;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'manager-import-files-'));
  browser = await launchBrowser();
  gateway = await startTestGateway();
  const env = { ...boundTo(gateway), USAGE_IMPORT_CHUNK_BYTES: String(CHUNK_BYTES) };
  manager = await ManagerProcess.start({ env });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 31, numberFrom: 0 });
  for (let index = 0; index < COLLECTED; index++) await gateway.publish(events.next().value);
  await until(async () => (await readStatus(manager)).events === COLLECTED);
}, 180_000);

afterEach(async () => {
  for (const page of opened.splice(0)) await page.close();
  // Each test starts with all slots free.
  for (const { id } of (await sessionList()).sessions)
    await manager.fetch(`${IMPORT_SESSIONS_PATH}/${id}`, { method: 'DELETE' });
});

afterAll(async () => {
  await browser.close();
  await manager.remove();
  await gateway.stop();
  rmSync(files, { recursive: true, force: true });
});

const sessionList = () => manager.json<ImportSessionsResponse>(IMPORT_SESSIONS_PATH);

type OpenOptions = Parameters<typeof openPage>[1] & { readonly url?: string; readonly address?: string };

/** The import page, signed in. */
async function open({ url = manager.url, address = '', ...options }: OpenOptions = {}): Promise<OpenedPage> {
  const one = await openPage(browser, options);
  opened.push(one);
  await openAsAdmin(one.page, url, `/import-export${address}`);
  await one.page.locator('.import-panel').waitFor();
  return one;
}

async function signIn(page: Page): Promise<void> {
  await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
  await page.keyboard.press('Enter');
  await page.locator('.import-panel').waitFor();
}

/** An exported event; the same number gives the same event. */
function lineOf(number: number, about: object = {}): string {
  const at = 1_780_000_000_000 + number * 1_000;
  const counts = { input_tokens: 5, output_tokens: 2, reasoning_tokens: 0, cached_tokens: 0, cache_tokens: 0 };
  return JSON.stringify({
    event_hash: number.toString(16).padStart(64, '0'),
    timestamp_ms: at,
    timestamp: new Date(at).toISOString(),
    created_at_ms: at,
    model: 'imported-model',
    ...counts,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    total_tokens: 7,
    failed: false,
    ...about,
  });
}

const linesOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${lineOf(from + index)}\n`).join('');

function fileOf(name: string, text: string | Uint8Array): string {
  const path = join(files, name);
  writeFileSync(path, text);
  return path;
}

const choose = (page: Page, path: string) => page.locator('input[type="file"]').setInputFiles(path);
const panel = (page: Page) => page.locator('.import-panel');
const row = (page: Page, name: string) => page.locator('tr[data-row]').filter({ hasText: name });

async function importFile(page: Page, path: string): Promise<void> {
  await choose(page, path);
  await page.getByRole('dialog').getByRole('button', { name: 'Start import' }).click();
}

/** Takes a picture and checks accessibility. */
async function checkAppearance(page: Page, name: string): Promise<void> {
  await picture(page, name);
  expect(await accessibilityProblems(page)).toEqual([]);
}

/** The number with this name in the result. */
const resultOf = (page: Page, name: string) =>
  page.locator('.import-result tr').filter({ hasText: name }).locator('td').textContent();

/** From the second part on, requests wait until released. */
async function holdBack(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let open = false;
  await page.route('**/chunk?offset=*', async (route) => {
    if (open || route.request().url().endsWith('offset=0')) await route.continue();
    else held.push(route);
  });
  return async () => {
    open = true;
    for (const route of held.splice(0)) await route.continue().catch(() => {});
  };
}

/** Waits until the manager has part of the file. */
const begun = (name: string) =>
  until(async () =>
    (await sessionList()).sessions.some(({ filename, received_bytes }) => filename === name && received_bytes > 0),
  );

describe('importing', () => {
  test('shows what there is to do before anything was imported', async () => {
    const fresh = await ManagerProcess.start({ env: boundTo(gateway) });
    try {
      const { page, problems } = await open({ url: fresh.url });
      await page.getByText('No imports yet').waitFor();
      await panel(page).getByRole('button', { name: 'Choose file' }).waitFor();
      await page.getByText('Active imports 0 of 2').waitFor();
      await page.getByText('Space 0 B of 16.0 GiB').waitFor();
      await checkAppearance(page, 'transfer-empty-1440');
      expect(problems).toEqual([]);
    } finally {
      await fresh.remove();
    }
  });

  test('a small file goes from its confirmation to its result, and a second time adds nothing', async () => {
    const { page, problems } = await open();
    const lines = [linesOf(1, 20), 'no event\n', `${lineOf(90, { input_tokens: 2 ** 53 })}\n`];
    const path = fileOf('small.jsonl', lines.join(''));
    await choose(page, path);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('small.jsonl').waitFor();
    await dialog.getByText(`${readFileSync(path).length.toLocaleString('en')} bytes`).waitFor();
    await dialog.getByText(/^1, /).waitFor();
    await checkAppearance(page, 'transfer-confirm-1440');
    await dialog.getByRole('button', { name: 'Start import' }).click();
    await page.locator('.import-result').waitFor();
    expect([await resultOf(page, 'Added'), await resultOf(page, 'Failed')]).toEqual(['21', '1']);
    await page.getByText('1 event has a token count below 0 or above 2^53').waitFor();
    await row(page, 'small.jsonl').getByText('Imported').waitFor();
    await page.getByText('Line 21: not valid JSON').waitFor();
    expect((await readStatus(manager)).events).toBe(COLLECTED + 21);
    await checkAppearance(page, 'transfer-result-1440');

    await importFile(page, path);
    await until(async () => (await resultOf(page, 'Skipped').catch(() => '')) === '21');
    expect(await resultOf(page, 'Added')).toBe('0');
    await panel(page).getByText('Already stored', { exact: true }).waitFor();
    await panel(page).getByRole('button', { name: 'Clear' }).click();
    await panel(page).getByRole('button', { name: 'Choose file' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('what cannot be imported is refused with what to do', async () => {
    const { page, problems } = await open();
    await choose(page, fileOf('usage.jsonl.gz', 'x'));
    await page.getByText('The file is compressed.').waitFor();
    await choose(page, fileOf('usage.csv', 'a,b'));
    await page.getByText('Files of this type cannot be imported.').waitFor();
    await choose(page, fileOf('empty.jsonl', ''));
    await page.getByText('The file is empty.').waitFor();
    expect((await sessionList()).sessions.some(({ filename }) => /usage|empty/.test(filename))).toBe(false);

    await importFile(page, fileOf('sums.json', '{"usage":{"total_requests":5}}'));
    await page.getByText('The file holds only totals.').waitFor();
    await row(page, 'sums.json').getByText('Failed').waitFor();
    await checkAppearance(page, 'transfer-sums-1440');

    await importFile(page, fileOf('wide.jsonl', Buffer.from(`\ufeff${linesOf(80, 2)}`, 'utf16le')));
    await page.getByText('Its text is not UTF-8 but UTF-16').waitFor();
    await row(page, 'wide.jsonl').getByText('Failed').waitFor();
    await importFile(page, fileOf('broken.jsonl', `${'x\n'.repeat(24)}{}\n`));
    await panel(page).getByText('Nothing imported', { exact: true }).waitFor();
    await row(page, 'broken.jsonl').getByText('Nothing imported').waitFor();
    await page.getByText('Line 20: not valid JSON').waitFor();
    await page.getByText('5 more are not listed.').waitFor();
    await checkAppearance(page, 'transfer-nothing-1440');
    expect(problems).toEqual([]);
  });

  test('continues on other pages, pauses on Space, and is canceled on request', async () => {
    const { page, problems } = await open();
    await holdBack(page);
    await importFile(page, fileOf('parts.jsonl', linesOf(1_000, 800)));
    await until(async () => /[1-9]\d*%/.test((await page.locator('.transfer-chip').textContent()) ?? ''));
    await page.getByRole('link', { name: 'Request monitoring' }).click();
    await page.getByRole('heading', { name: 'Request monitoring' }).waitFor();
    const chip = page.locator('.transfer-chip');
    await chip
      .getByText(/Import [1-9]\d*%/)
      .first()
      .waitFor();
    await picture(page, 'transfer-chip-1440');
    await chip.click();
    await panel(page).getByText('Uploading', { exact: true }).waitFor();
    const bar = panel(page).getByRole('progressbar', { name: 'Upload' });
    expect(Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
    await checkAppearance(page, 'transfer-uploading-1440');

    await page.locator('h1').focus();
    await page.keyboard.press('Space');
    await panel(page).getByText('Paused', { exact: true }).waitFor();
    await page.keyboard.press('Space');
    await panel(page).getByText('Uploading', { exact: true }).waitFor();

    await panel(page).getByRole('button', { name: 'Cancel import' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('parts.jsonl').waitFor();
    // Focus is on the safe choice.
    await until(async () => (await page.locator(':focus').textContent()) === 'Keep import');
    await dialog.getByRole('button', { name: 'Cancel import' }).click();
    await panel(page).getByText('Canceled', { exact: true }).waitFor();
    expect((await sessionList()).active_sessions).toBe(0);
    expect(problems).toEqual([]);
  });

  test('continues while the panel is locked, and is shown after unlocking', async () => {
    const { page, problems } = await open({ ownClock: true });
    await page.evaluate(`localStorage.setItem('mgrpanel:v1:prefs', '{"idleLockMinutes":15}')`);
    await page.reload();
    await panel(page).waitFor();
    const letGo = await holdBack(page);
    await importFile(page, fileOf('locked.jsonl', linesOf(20_000, 800)));
    await begun('locked.jsonl');
    await page.clock.fastForward('16:00');
    await page.getByLabel('Admin key', { exact: true }).waitFor();
    expect(await page.locator('.app').count()).toBe(0);
    const [held] = (await sessionList()).sessions;
    expect(held?.received_bytes).toBe(CHUNK_BYTES);

    await letGo();
    await until(async () => {
      const [sent] = (await sessionList()).sessions;
      return sent !== undefined && sent.received_bytes === sent.size_bytes;
    });
    expect(await page.locator('.app').count()).toBe(0);
    await signIn(page);
    await panel(page).getByText('locked.jsonl').waitFor();
    await page.locator('.import-result').waitFor();
    expect(await resultOf(page, 'Added')).toBe('800');
    expect(problems).toEqual([]);
  });

  test('resumes after a reload with the same file, and sends nothing of another one', async () => {
    const { page, problems } = await open();
    await holdBack(page);
    const text = linesOf(3_000, 800);
    const path = fileOf('resumed.jsonl', text);
    await importFile(page, path);
    await begun('resumed.jsonl');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.locator('.import-panel').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.url());
    });

    const resume = async (file: string) => {
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('complementary').getByRole('button', { name: 'Choose file to resume' }).click();
      await (await chosen).setFiles(file);
    };
    await row(page, 'resumed.jsonl').click();
    await until(() => /session=[0-9a-f]{32}/.test(page.url()));
    await resume(fileOf('another.jsonl', text));
    await page.getByText('This is a different file.').waitFor();
    // Same name and size as the started file, but another beginning.
    writeFileSync(path, text.replace('imported-model', 'IMPORTED-MODEL'));
    await resume(path);
    await page.getByText('This is not the file of this import.').waitFor();
    await page.getByRole('button', { name: 'Import from the beginning' }).waitFor();
    await picture(page, 'transfer-mismatch-1440');
    expect(sent).toEqual([]);

    writeFileSync(path, text);
    await resume(path);
    await page.locator('.import-panel .import-result').waitFor();
    expect(await page.locator('.import-panel .import-result tr').first().locator('td').textContent()).toBe('800');
    expect(sent.every((url) => !url.endsWith('offset=0'))).toBe(true);
    expect(problems).toEqual([]);
  });

  test('a second tab watches what the first one sends', async () => {
    const { page, problems } = await open();
    const letGo = await holdBack(page);
    const path = fileOf('watched.jsonl', linesOf(5_000, 600));
    await importFile(page, path);
    await begun('watched.jsonl');

    const second = await page.context().newPage();
    const wrong: string[] = [];
    second.on('pageerror', (error) => wrong.push(String(error)));
    await second.goto(`${manager.url}/management.html#/import-export`);
    await signIn(second);
    await importFile(second, path);
    await second.getByText('Another tab of this browser uploads this file.').waitFor();
    await letGo();
    await second.locator('.import-panel .import-result').waitFor({ timeout: 30_000 });
    await page.locator('.import-panel .import-result').waitFor();
    expect((await sessionList()).sessions.filter(({ filename }) => filename === 'watched.jsonl')).toHaveLength(1);
    expect([...problems, ...wrong]).toEqual([]);
  });

  test('when all places are taken, one of them can be given up on the spot', async () => {
    const { page, problems } = await open({ expected: /429/ });
    for (const name of ['a', 'b']) {
      const body = JSON.stringify({ filename: `waiting-${name}.jsonl`, size_bytes: 1_000 });
      await manager.fetch(IMPORT_SESSIONS_PATH, { method: 'POST', body });
    }
    await importFile(page, fileOf('third.jsonl', linesOf(7_000, 3)));
    await page.getByText('The limit of active imports is reached.').waitFor();
    await checkAppearance(page, 'transfer-places-1440');
    await page.getByRole('button', { name: 'Cancel import of waiting-a.jsonl' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click();
    await until(async () => (await sessionList()).active_sessions === 1);
    await panel(page).getByRole('button', { name: 'Resume' }).click();
    await page.locator('.import-panel .import-result').waitFor();
    expect(await resultOf(page, 'Added')).toBe('3');
    expect(problems).toEqual([]);
  });
});

describe('the list of imports', () => {
  test('keeps its filter and the open import in the address, and takes them back from it', async () => {
    const { page, problems } = await open();
    await importFile(page, fileOf('listed.jsonl', linesOf(8_000, 4)));
    await page.locator('.import-result').waitFor();
    await page.getByRole('button', { name: 'State: All' }).click();
    await page.getByRole('menuitemradio', { name: /Imported/ }).click();
    await until(() => page.url().includes('status=completed'));
    await row(page, 'listed.jsonl').click();
    const drawer = page.getByRole('complementary', { name: 'Import' });
    await drawer.getByText('listed.jsonl').first().waitFor();
    const address = page.url();
    await page.reload();
    await drawer.getByText('listed.jsonl').first().waitFor();
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'State: Imported' }).waitFor();
    await checkAppearance(page, 'transfer-drawer-1440');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.goBack();
    await drawer.waitFor();
    expect(problems).toEqual([]);
  });

  test('shows no name of a person while masking is on', async () => {
    const { page, problems } = await open();
    await importFile(page, fileOf('marker-person@example.com.jsonl', linesOf(8_200, 2)));
    await page.locator('.import-result').waitFor();
    await row(page, 'marker-per***').click();
    await page.getByRole('complementary', { name: 'Import' }).getByText('marker-per***').first().waitFor();
    expect(await page.content()).not.toContain('marker-person');
    await page.getByRole('button', { name: 'Toggle masking' }).click();
    await row(page, 'marker-person@example.com.jsonl').waitFor();
    expect(problems).toEqual([]);
  });

  test('corrects an invalid address, and reports a missing import', async () => {
    const { page, problems } = await open({ expected: /404/, address: '?status=nothing&session=../etc&other=1' });
    await until(() => page.url().endsWith('#/import-export?other=1'));
    await page.goto(`${manager.url}/management.html#/import-export?session=${'f'.repeat(32)}`);
    await page.getByText('This import is no longer kept').waitFor();
    expect(problems).toEqual([]);
  });

  test('reports failures and retries on request; an older server has no list', async () => {
    const { page } = await open({ expected: /500|404/ });
    await importFile(page, fileOf('kept.jsonl', linesOf(8_400, 1)));
    await row(page, 'kept.jsonl').waitFor();
    await page.route('**/import-sessions?*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: '{"error":"internal","code":"request_failed"}',
      }),
    );
    await page.reload();
    await page.getByText('The imports could not be loaded').waitFor();
    await checkAppearance(page, 'transfer-failed-1440');
    await page.unroute('**/import-sessions?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The imports could not be loaded').waitFor({ state: 'detached' });
    await row(page, 'kept.jsonl').waitFor();

    // Loaded data stays, with its age and the reason.
    await page.route('**/import-sessions?*', (route) => route.fulfill({ status: 500, body: '' }));
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await page.getByText(/old · HTTP 500/).waitFor();
    expect(await row(page, 'kept.jsonl').count()).toBe(1);
    await page.unroute('**/import-sessions?*');

    await page.route('**/import-sessions?*', (route) =>
      route.fulfill({ status: 404, contentType: 'application/json', body: '{"error":"not found"}' }),
    );
    await page.reload();
    await page.getByText('This server has no list of imports').waitFor();
    await choose(page, fileOf('simple.jsonl', linesOf(8_500, 2)));
    await page.getByText('one request, cannot be resumed').waitFor();
    await page.getByRole('button', { name: 'Start import' }).click();
    await page.locator('.import-result').waitFor();
    expect(await resultOf(page, 'Added')).toBe('2');
  });
});

describe('exporting', () => {
  const stored = async () => (await readStatus(manager)).events;

  test('downloads every stored event as a line', async () => {
    const { page, problems } = await open();
    await page.addInitScript('delete window.showSaveFilePicker');
    await page.reload();
    await page.getByText('Archived and deleted events are not included.').waitFor();
    await page.getByText('This browser keeps the file in memory').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export events' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('usage-events.jsonl');
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(await stored());
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('event_hash');
    await page.getByText(`${lines.length.toLocaleString('en')} events,`).waitFor();
    await checkAppearance(page, 'transfer-export-done-1440');
    expect(problems).toEqual([]);
  });

  test('writes to the file that was chosen, as it comes', async () => {
    const { page, problems } = await open();
    // The browser's own dialog cannot be used here; the file behind it is a real one.
    await page.addInitScript(`window.showSaveFilePicker = async ({ suggestedName }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`);
    await page.reload();
    await page.getByRole('button', { name: 'Export events' }).click();
    await page.getByText(/events, .* as/).waitFor();
    const text = await page.evaluate<string>(`navigator.storage.getDirectory()
      .then((folder) => folder.getFileHandle('usage-events.jsonl'))
      .then((handle) => handle.getFile())
      .then((file) => file.text())`);
    expect(text.trimEnd().split('\n')).toHaveLength(await stored());
    expect(problems).toEqual([]);
  });

  test('a truncated answer is reported and not saved', async () => {
    const { page } = await open({ expected: /ERR_|503/ });
    await page.addInitScript('delete window.showSaveFilePicker');
    await page.reload();
    const headers = { 'content-type': 'application/x-ndjson' };
    await page.route('**/usage/export', (route) => route.fulfill({ status: 200, headers, body: '{"a":1}\n{"b"' }));
    await page.getByRole('button', { name: 'Export events' }).click();
    await page.getByText('The response was cut off.').waitFor();
    await page.unroute('**/usage/export');
    await page.route('**/usage/export', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":"4 exports are running"}' }),
    );
    await page.getByRole('button', { name: 'Export again' }).click();
    await page.getByText('Too many exports are running.').waitFor();
    await picture(page, 'transfer-export-failed-1440');
  });
});

describe('appearance', () => {
  test.each([
    { name: 'on a phone, in Chinese', locale: 'zh-CN', widths: [390] },
    { name: 'on a phone, a tablet and a desktop', locale: 'en-GB', widths: [390, 1024, 1440] },
  ])('has no sideways scroll $name', async ({ locale, widths }) => {
    const { page, problems } = await open({ viewport: { width: 390, height: 844 }, locale });
    await page.locator('.table-foot').waitFor();
    await picture(page, `imports-phone-${locale}`);
    expect(await problemsInBothThemes(page)).toEqual([]);
    expect(await sidewaysScroll(page, widths)).toEqual(widths.map(() => 0));
    expect(problems).toEqual([]);
  });
});
