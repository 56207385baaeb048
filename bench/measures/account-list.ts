import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { authFilesOf, makeAccountFiles } from '@manager/simulator';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { trafficAccounts } from '../../test/support/traffic.ts';
import { copyOf } from '../dataset/database.ts';
import {
  firstPaintMs,
  heapMib,
  keyDelays,
  load,
  longTasks,
  openSignedIn,
  showsNumber,
  untilTrue,
  watchFirstPaint,
  watchInput,
} from '../lib/browser-page.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { maximum, median } from '../lib/statistics.ts';
import { atMost, declareMeasure, type Measured, type Site } from '../measure.ts';

/** In addition to the accounts of the generated traffic. */
const RESTING = { codex: 3_000, claude: 1_000, gemini: 300, xai: 256 };
/** Part of some account names only. */
const TYPED = 'codex-01';
const KEY_PAUSE_MS = 90;
const INSPECTION_PATH = '/v0/management/account-inspection';
const ADDRESS = '#/accounts';
const ROW = '[data-row]';
const ROW_COUNT = `document.querySelector('main [aria-rowcount]').getAttribute('aria-rowcount')`;
/** History and quota of all accounts are loaded. */
const SETTLED = showsNumber('[data-stat="unconfirmed"]');

export const accountList = declareMeasure({
  name: 'account-list',
  title: 'The list of 5,000 accounts',
  how: 'the accounts page in Chromium over a gateway whose list is 8 MB, after an inspection of all Codex accounts; medians. Rows: from the start of the navigation; a key: to the next frame, of those above 16 ms; a search: from Enter to its rows',
  when: 'named',
  figures: {
    'first rows': { unit: 'ms', bar: atMost(1_500) },
    'every state known': { unit: 'ms' },
    'longest task meanwhile': { unit: 'ms' },
    'heap with all accounts': { unit: 'MiB' },
    'key, while it loads': { unit: 'ms', bar: atMost(100) },
    'search, while it loads': { unit: 'ms', bar: atMost(100) },
    'key, at rest': { unit: 'ms', bar: atMost(100) },
    'search, at rest': { unit: 'ms', bar: atMost(100) },
  },
  async run(site) {
    using copy = copyOf(site.base);
    await using gateway = await startGateway({
      authFiles: [...authFilesOf(trafficAccounts(), Date.now()), ...makeAccountFiles(RESTING)],
    });
    await using manager = await startManager(site.build, copy, { gateway });
    const browser = await launchBrowser({ optimised: true });
    try {
      site.progress('inspection of all Codex accounts');
      await inspect(manager);
      site.progress('first rows');
      const rows = await measureFirstRows(site, browser, manager);
      site.progress('typing');
      const loading = await measureTyping(site, browser, manager, 'while it loads');
      const rest = await measureTyping(site, browser, manager, 'at rest');
      return { figures: { ...rows, ...loading, ...rest } };
    } finally {
      await browser.close();
    }
  },
});

/** Gives every Codex account quota windows and an inspection result. */
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
  const opened = await openSignedIn(browser, manager);
  await opened.page.addInitScript(watchFirstPaint([ROW]));
  await opened.page.addInitScript(watchInput);
  return opened;
}

async function measureFirstRows({ plan }: Site, browser: Browser, manager: ManagerProcess) {
  await using opened = await openList(browser, manager);
  const { page } = opened;
  const session = await page.context().newCDPSession(page);
  const rows: number[] = [];
  const settled: number[] = [];
  const longest: number[] = [];
  for (let run = 0; run <= plan.pageLoads; run++) {
    await load(page, manager, ADDRESS);
    const first = await firstPaintMs(page);
    await untilTrue(page, SETTLED);
    // The first load reads from disk too.
    if (run === 0) continue;
    rows.push(first);
    settled.push(await page.evaluate<number>('performance.now()'));
    longest.push(maximum(await longTasks(page)));
  }
  return {
    'first rows': noted(rows),
    'every state known': noted(settled),
    'longest task meanwhile': noted(longest),
    'heap with all accounts': await heapMib(session),
  };
}

/** Types into the search, while histories and quotas load or after they loaded. */
async function measureTyping<When extends 'while it loads' | 'at rest'>(
  { plan }: Site,
  browser: Browser,
  manager: ManagerProcess,
  when: When,
) {
  await using opened = await openList(browser, manager);
  const { page } = opened;
  const delays: number[] = [];
  const searches: number[] = [];
  for (let run = 0; run < plan.pageLoads; run++) {
    await load(page, manager, ADDRESS);
    await firstPaintMs(page);
    if (when === 'at rest') await untilTrue(page, SETTLED);
    const whole = await page.evaluate<string>(ROW_COUNT);
    await page.locator('main input[type="search"]').focus();
    await page.keyboard.type(TYPED, { delay: KEY_PAUSE_MS });
    delays.push(...(await keyDelays(page)));
    // On a busy machine the pause between two keys is long enough for a search to start.
    await page.keyboard.press('Escape');
    await untilTrue(page, `${ROW_COUNT} === ${JSON.stringify(whole)}`);
    searches.push(await searchMs(page));
  }
  return { [`key, ${when}`]: noted(delays), [`search, ${when}`]: noted(searches) } as Record<
    `key, ${When}` | `search, ${When}`,
    Measured
  >;
}

function noted(samples: readonly number[]): Measured {
  return { value: median(samples), note: `slowest ${Math.round(maximum(samples))} ms` };
}

/** From Enter to the frame with the found rows; the text arrives in the same task, so nothing else starts a search. */
async function searchMs(page: Page): Promise<number> {
  return page.evaluate<number>(`
    new Promise((resolve) => {
      const whole = ${ROW_COUNT};
      const field = document.querySelector('main input[type="search"]');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(TYPED)});
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const startedMs = performance.now();
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      const check = () => {
        if (${ROW_COUNT} === whole) return requestAnimationFrame(check);
        requestAnimationFrame(() => resolve(performance.now() - startedMs));
      };
      requestAnimationFrame(check);
    })
  `);
}
