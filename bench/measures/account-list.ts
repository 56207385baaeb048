import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { authFilesOf, makeCredentials } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test/support/browser.ts';
import { type ManagerProcess, TEST_ADMIN_KEY } from '../../test/support/manager-process.ts';
import { startUpstream } from '../../test/support/upstream.ts';
import { copyOf } from '../dataset/database.ts';
import { benchAccounts } from '../dataset/events.ts';
import {
  firstPaintMs,
  heapMib,
  keyDelays,
  longTasks,
  untilTrue,
  watchFirstPaint,
  watchInput,
} from '../lib/browser-page.ts';
import { type Figure, maximum, median } from '../lib/figures.ts';
import { startManager } from '../lib/manager.ts';
import type { Measure } from './measure.ts';

const RUNS = 3;
/** Beside those that the generated traffic is of. */
const RESTING = { codex: 3_000, claude: 1_000, gemini: 300, xai: 256 };
const FIRST_ROWS_MS = 1_500;
const KEY_MS = 100;
/** Something that only some accounts have in their names. */
const TYPED = 'codex-01';
const KEY_PAUSE_MS = 90;
const INSPECTION_PATH = '/v0/management/account-inspection';
/** Says how many of the accounts are listed. */
const LIST_HEAD = `document.querySelector('.table-head').textContent`;
/** Every state has its number: history and quota of all accounts are there. */
const SETTLED = `document.querySelector('[data-stat="unconfirmed"] .stat-value')?.textContent.trim().length > 0`;

/** The list of 5,000 accounts in a browser: when it stands, and how it answers while one types. */
export const measureAccountList: Measure = async ({ base, progress }) => {
  const copy = copyOf(base);
  const credentials = [...authFilesOf(benchAccounts(), Date.now()), ...makeCredentials(RESTING)];
  const upstream = await startUpstream({ authFiles: credentials, retentionSeconds: 3_600, recordLimit: 100 });
  const browser = await launchBrowser();
  try {
    const manager = await startManager(copy, { upstream });
    try {
      progress('inspection of all Codex accounts');
      await inspect(manager);
      const figures: Figure[] = [];
      progress('first rows');
      figures.push(...(await measureFirstRows(browser, manager)));
      progress('typing');
      figures.push(...(await measureTyping(browser, manager)));
      return { figures, details: { credentials: credentials.length } };
    } finally {
      await manager.stop();
    }
  } finally {
    await browser.close();
    await upstream.stop();
    copy.remove();
  }
};

/** Gives every Codex account quota windows and a result. */
async function inspect(manager: ManagerProcess): Promise<void> {
  const { config } = await manager.json<{ config: Record<string, object> }>('/usage-service/config');
  const codexInspection = { ...config.codexInspection, workers: 32 };
  await manager.json('/usage-service/config', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ config: { ...config, codexInspection } }),
  });
  const { run } = await manager.post<InspectionRunDetail>(`${INSPECTION_PATH}/run`, {});
  const ended = async () => {
    const { items } = await manager.json<{ items: { active: boolean; status: string }[] }>(
      `${INSPECTION_PATH}/runs?limit=1`,
    );
    return items[0]?.active === false ? items[0] : null;
  };
  const { status } = await until(ended, `the end of inspection ${run.id}`, 300_000);
  if (status !== 'completed') throw new Error(`the inspection is ${status}`);
}

async function openList(browser: Browser, manager: ManagerProcess) {
  const opened = await openPage(browser);
  const { page } = opened;
  await page.goto(`${manager.url}/management.html#/settings`);
  await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
  await page.keyboard.press('Enter');
  await page.locator('.sidebar').waitFor();
  await page.addInitScript(watchFirstPaint(['[data-row]']));
  await page.addInitScript(watchInput);
  return opened;
}

async function goToList(page: Page, manager: ManagerProcess): Promise<void> {
  // A page that is left for another document begins with nothing but the file itself.
  await page.goto('about:blank');
  await page.goto(`${manager.url}/management.html#/accounts`);
}

async function measureFirstRows(browser: Browser, manager: ManagerProcess): Promise<readonly Figure[]> {
  const { page, close } = await openList(browser, manager);
  try {
    const session = await page.context().newCDPSession(page);
    const rows: number[] = [];
    const settled: number[] = [];
    const longest: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      await goToList(page, manager);
      const first = await firstPaintMs(page);
      await untilTrue(page, SETTLED);
      const all = await page.evaluate<number>('performance.now()');
      const tasks = maximum(await longTasks(page));
      // The first one reads from the disk as well.
      if (run === 0) continue;
      rows.push(first);
      settled.push(all);
      longest.push(tasks);
    }
    return [
      {
        name: '5,000 accounts, first rows, median',
        value: median(rows),
        unit: 'ms',
        bar: { atMost: FIRST_ROWS_MS },
        note: `slowest of ${RUNS} ${Math.round(maximum(rows))} ms`,
      },
      { name: '5,000 accounts, every state known, median', value: median(settled), unit: 'ms' },
      { name: '5,000 accounts, longest task meanwhile, median', value: median(longest), unit: 'ms' },
      { name: 'heap with 5,000 accounts', value: await heapMib(session), unit: 'MiB' },
    ];
  } finally {
    await close();
  }
}

/** Types into the search, once while histories and quotas arrive and once when everything is there. */
async function measureTyping(browser: Browser, manager: ManagerProcess): Promise<readonly Figure[]> {
  const { page, close } = await openList(browser, manager);
  try {
    const figures: Figure[] = [];
    for (const when of ['while it loads', 'at rest']) {
      const delays: number[] = [];
      const filtered: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        await goToList(page, manager);
        await firstPaintMs(page);
        if (when === 'at rest') await untilTrue(page, SETTLED);
        const whole = await page.evaluate<string>(LIST_HEAD);
        await page.locator('input[type="search"]').focus();
        await page.keyboard.type(TYPED, { delay: KEY_PAUSE_MS });
        delays.push(...(await keyDelays(page)));
        // On a busy machine the pause between two keys is long enough for a search to begin.
        await page.keyboard.press('Escape');
        await untilTrue(page, `${LIST_HEAD} === ${JSON.stringify(whole)}`);
        filtered.push(await filterMs(page));
      }
      figures.push(
        {
          name: `${when}: key to the next frame, median`,
          value: median(delays),
          unit: 'ms',
          bar: { atMost: KEY_MS },
          note: `slowest ${Math.round(maximum(delays))} ms`,
        },
        {
          name: `${when}: search to its rows, median`,
          value: median(filtered),
          unit: 'ms',
          bar: { atMost: KEY_MS },
          note: `slowest of ${RUNS} ${Math.round(maximum(filtered))} ms`,
        },
      );
    }
    return figures;
  } finally {
    await close();
  }
}

/** Time from Enter to the frame with the rows that are found; the text comes in the same task, so that nothing else begins a search. */
async function filterMs(page: Page): Promise<number> {
  return page.evaluate<number>(`
    new Promise((resolve) => {
      const whole = ${LIST_HEAD};
      const field = document.querySelector('input[type="search"]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(TYPED)});
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const startedMs = performance.now();
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      const look = () => {
        if (${LIST_HEAD} === whole) return requestAnimationFrame(look);
        requestAnimationFrame(() => resolve(performance.now() - startedMs));
      };
      requestAnimationFrame(look);
    })
  `);
}
