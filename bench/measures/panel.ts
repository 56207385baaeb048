import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test/support/browser.ts';
import { type ManagerProcess, TEST_ADMIN_KEY } from '../../test/support/manager-process.ts';
import { copiedDatabase, copyOf } from '../dataset/database.ts';
import { HISTORY_END_MS } from '../dataset/events.ts';
import {
  countThreadTicks,
  droppedShare,
  firstPaintMs,
  heapMib,
  mainThreadMs,
  scrollFrames,
  untilTrue,
  watchFirstPaint,
} from '../lib/browser-page.ts';
import { type Figure, maximum, median, quantile } from '../lib/figures.ts';
import { startGateway, startManager } from '../lib/manager.ts';
import { isFull } from '../options.ts';
import type { Measure } from './measure.ts';

const DAY_MS = 86_400_000;
/** The size that the bars speak of. */
const EVENTS = 3_200_000;
const FIRST_PAINT_MS = 1_000;
const DROPPED_PERCENT = 5;
const FRAME_MS = 1000 / 60;
const MOST_ROWS = 60;
const HEAP_MIB = 250;
const LISTED = 50_000;
/**
 * px a frame. Rows can be told apart at three screens a second at most; a wheel that spins freely turns seven screens a second,
 * a list that is flung far more.
 */
const SPEEDS = [
  { name: 'looked through', step: 40 },
  { name: 'wheel', step: 120 },
  { name: 'flung', step: 400 },
] as const;

/** What a page has to show before it says something: its sums, its timeline, its rows. */
const PAGES = {
  dashboard: {
    address: '#/dashboard',
    shows: ['[data-stat="requests"] .stat-value', '.chart-panel canvas, .chart-panel .state'],
  },
  monitoring: { address: '#/monitoring', shows: ['[data-stat="requests"] button', '[data-row]'] },
  accounts: { address: '#/monitoring', shows: ['[data-stat="requests"] button', '[data-row]'], tab: 'accounts' },
} as const;

/** The panel in a browser: when it says something, how it scrolls, what it holds. */
export const measurePanel: Measure = async ({ base, plan, fresh, progress }) => {
  const large = base.events < EVENTS ? await copiedDatabase(base, EVENTS, fresh) : base;
  const copy = copyOf(large);
  const upstream = await startGateway();
  const browser = await launchBrowser();
  try {
    const manager = await startManager(copy, { upstream });
    try {
      const runs = isFull(plan) ? 7 : 3;
      progress('first paint');
      const paints = await measurePaints(browser, manager, runs);
      progress(`${LISTED.toLocaleString('en')} rows`);
      const list = await measureList(browser, manager, LISTED, progress);
      return { figures: [...paints.figures, ...list.figures], details: { paints: paints.times, frames: list.frames } };
    } finally {
      await manager.stop();
    }
  } finally {
    await browser.close();
    await upstream.stop();
    copy.remove();
  }
};

/** Thirty days up to the newest event. */
function addressOf({ address, ...rest }: (typeof PAGES)[keyof typeof PAGES]): string {
  if (address === '#/dashboard') return address;
  const tab = 'tab' in rest ? `&tab=${rest.tab}` : '';
  return `${address}?range=custom&from_ms=${HISTORY_END_MS - 30 * DAY_MS}&to_ms=${HISTORY_END_MS}${tab}`;
}

async function signIn(page: Page, manager: ManagerProcess): Promise<void> {
  await page.goto(`${manager.url}/management.html#/dashboard`);
  await page.locator('input[type="password"]').fill(TEST_ADMIN_KEY);
  await page.keyboard.press('Enter');
  await page.locator('[data-stat="requests"] .stat-value').waitFor();
}

async function measurePaints(
  browser: Browser,
  manager: ManagerProcess,
  runs: number,
): Promise<{ readonly figures: readonly Figure[]; readonly times: Readonly<Record<string, readonly number[]>> }> {
  const times: Record<string, number[]> = {};
  for (const [name, of] of Object.entries(PAGES)) {
    const { page, close } = await openPage(browser);
    await signIn(page, manager);
    await page.addInitScript(watchFirstPaint(of.shows));
    const samples: number[] = [];
    for (let run = 0; run <= runs; run++) {
      // A page that is left for another document begins with nothing but the file itself.
      await page.goto('about:blank');
      await page.goto(`${manager.url}/management.html${addressOf(of)}`);
      const paint = await firstPaintMs(page);
      // The first one also reads the columns from the disk, which is measured elsewhere.
      if (run > 0) samples.push(paint);
    }
    times[name] = samples;
    await close();
  }
  const figures = Object.entries(times).map(([name, samples]) => ({
    name: `first meaningful paint, ${name}, median`,
    value: median(samples),
    unit: 'ms',
    ...(name === 'accounts' ? {} : { bar: { atMost: FIRST_PAINT_MS } }),
    note: `slowest of ${runs} ${Math.round(maximum(samples))} ms`,
  }));
  return { figures, times };
}

async function measureList(
  browser: Browser,
  manager: ManagerProcess,
  rows: number,
  progress: (text: string) => void,
): Promise<{ readonly figures: readonly Figure[]; readonly frames: readonly number[] }> {
  const { page, close } = await openPage(browser);
  try {
    await signIn(page, manager);
    await page.goto(`${manager.url}/management.html${addressOf(PAGES.monitoring)}`);
    await page.locator('[data-row]').first().waitFor();
    await loadRows(page, rows, progress);
    const session = await page.context().newCDPSession(page);
    await countThreadTicks(session);
    const figures: Figure[] = [];
    const allFrames: number[] = [];
    let mostRows = 0;
    for (const { name, step } of SPEEDS) {
      const before = await mainThreadMs(session);
      const scrolled = await scrollFrames(page, { box: 'main', rows: '[data-row]', step, ms: 8_000 });
      const busy = (await mainThreadMs(session)) - before;
      const { frames } = scrolled;
      allFrames.push(...frames);
      mostRows = Math.max(mostRows, scrolled.mostRows);
      figures.push(
        {
          name: `frames dropped, scrolling ${rows.toLocaleString('en')} rows: ${name}`,
          value: 100 * droppedShare(frames),
          unit: '%',
          bar: { atMost: DROPPED_PERCENT },
          note: `${step} px a frame; 99 % of the frames within ${Math.round(quantile(frames, 0.99))} ms`,
        },
        {
          name: `processor time of a frame, mean: ${name}`,
          value: busy / Math.max(frames.length, 1),
          unit: 'ms',
          bar: { atMost: FRAME_MS },
          note: 'of the main thread of the page alone',
        },
      );
    }
    const heap = await heapMib(session);
    return {
      frames: allFrames,
      figures: [
        ...figures,
        { name: 'rows in the document, most', value: mostRows, unit: '', bar: { atMost: MOST_ROWS } },
        { name: 'heap with all rows', value: heap, unit: 'MiB', bar: { atMost: HEAP_MIB } },
      ],
    };
  } finally {
    await close();
  }
}

/** Scrolls to the end until so many rows are loaded. */
async function loadRows(page: Page, rows: number, progress: (text: string) => void): Promise<void> {
  for (let told = 0; ; ) {
    const text = (await page.locator('.live-head').textContent()) ?? '';
    const loaded = Number(/Loaded ([\d,]+)/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
    if (loaded >= rows) return;
    if (loaded >= told + 10_000) {
      told = loaded;
      progress(`  ${loaded.toLocaleString('en')} loaded`);
    }
    await page.evaluate(
      `document.querySelector('main').scrollTo({ top: document.querySelector('main').scrollHeight })`,
    );
    const before = `Loaded ${loaded.toLocaleString('en')} of`;
    await untilTrue(page, `!document.querySelector('.live-head').textContent.includes('${before}')`);
  }
}
