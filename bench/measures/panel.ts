import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { HISTORY_END_MS } from '../../test/support/traffic.ts';
import { copyOf } from '../dataset/database.ts';
import {
  countThreadTicks,
  droppedShare,
  firstPaintMs,
  heapMib,
  load,
  mainThreadMs,
  openSignedIn,
  scrollFrames,
  watchFirstPaint,
} from '../lib/browser-page.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { maximum, median, quantile } from '../lib/statistics.ts';
import { atMost, declareMeasure, type FigureSpec, type Measured, type Site } from '../measure.ts';

const DAY_MS = 86_400_000;
/** The bars apply to this size. */
const EVENTS = 3_200_000;
const LISTED = 50_000;
const SCROLL_MS = 8_000;
const PATIENCE_MS = 60_000;
/**
 * px per frame. Rows can be read at three screens per second at most; a free-spinning wheel reaches seven screens per second, a
 * flung list far more.
 */
const SPEEDS = { 'looked through': 40, wheel: 120, flung: 400 } as const;

const RANGE = `range=custom&from_ms=${HISTORY_END_MS - 30 * DAY_MS}&to_ms=${HISTORY_END_MS}`;
const SUMS = '[data-stat="requests"]';
const ROW = '[data-row]';
/** What a page must show: its sums, its rows. */
const PAGES = {
  dashboard: { address: '#/dashboard', shows: [SUMS] },
  monitoring: { address: `#/monitoring?${RANGE}`, shows: [SUMS, ROW] },
  accounts: { address: `#/monitoring?${RANGE}&tab=accounts`, shows: [SUMS, ROW] },
} as const;

const paint = (page: string) => `first paint, ${page}`;
const dropped = (speed: string) => `frames dropped, ${speed}`;
const busy = (speed: string) => `processor time of a frame, ${speed}`;

export const panel = declareMeasure({
  name: 'panel',
  title: 'The panel in a browser',
  how: `Chromium without a graphics card on the same cores, ${EVENTS.toLocaleString('en')} events, server warm: the median time from the start of the navigation to the frame with sums and rows over 30 days; ${LISTED.toLocaleString('en')} loaded rows scrolled for 8 s as one looks through them (40 px a frame), by a free wheel (120) and flung (400), with the processor time of the page's main thread`,
  when: 'named',
  figures: {
    ...record(Object.keys(PAGES).map((page) => [paint(page), { unit: 'ms', bar: atMost(1_000) }])),
    ...record(Object.keys(SPEEDS).map((speed) => [dropped(speed), { unit: '%', bar: atMost(5) }])),
    ...record(Object.keys(SPEEDS).map((speed) => [busy(speed), { unit: 'ms', bar: atMost(1000 / 60) }])),
    'rows in the document, most': { unit: '', bar: atMost(60) },
    'heap with all rows': { unit: 'MiB', bar: atMost(250) },
  },
  async run(site) {
    using copy = copyOf(site.base.events < EVENTS ? await site.copies(EVENTS) : site.base);
    await using gateway = await startGateway();
    await using manager = await startManager(site.build, copy, { gateway });
    const browser = await launchBrowser({ optimised: true });
    try {
      site.progress('first paint');
      const paints = await measurePaints(site, browser, manager);
      site.progress(`${LISTED.toLocaleString('en')} rows`);
      return { figures: { ...paints, ...(await measureList(browser, manager)) } };
    } finally {
      await browser.close();
    }
  },
});

function record(entries: (readonly [string, FigureSpec])[]): Record<string, FigureSpec> {
  return Object.fromEntries(entries);
}

async function measurePaints(
  { plan }: Site,
  browser: Browser,
  manager: ManagerProcess,
): Promise<Record<string, Measured>> {
  const figures: Record<string, Measured> = {};
  for (const [name, { address, shows }] of Object.entries(PAGES)) {
    await using opened = await openSignedIn(browser, manager);
    const { page } = opened;
    await page.addInitScript(watchFirstPaint(shows));
    const samples: number[] = [];
    for (let run = 0; run <= plan.pageLoads; run++) {
      await load(page, manager, address);
      const ms = await firstPaintMs(page);
      // The first load also reads the columns from disk, which is measured elsewhere.
      if (run > 0) samples.push(ms);
    }
    figures[paint(name)] = { value: median(samples), note: `slowest ${Math.round(maximum(samples))} ms` };
  }
  return figures;
}

async function measureList(browser: Browser, manager: ManagerProcess): Promise<Record<string, Measured>> {
  await using opened = await openSignedIn(browser, manager);
  const { page } = opened;
  await load(page, manager, PAGES.monitoring.address);
  await page.locator(ROW).first().waitFor();
  await loadRows(page);
  const session = await page.context().newCDPSession(page);
  await countThreadTicks(session);
  const figures: Record<string, Measured> = {};
  const rows: number[] = [];
  for (const [speed, step] of Object.entries(SPEEDS)) {
    const before = await mainThreadMs(session);
    const { frames, mostRows } = await scrollFrames(page, { box: 'main', rows: ROW, step, ms: SCROLL_MS });
    const taken = (await mainThreadMs(session)) - before;
    rows.push(mostRows);
    const note = `99 % of the frames within ${Math.round(quantile(frames, 0.99))} ms`;
    figures[dropped(speed)] = { value: 100 * droppedShare(frames), note };
    figures[busy(speed)] = taken / Math.max(frames.length, 1);
  }
  return { ...figures, 'rows in the document, most': maximum(rows), 'heap with all rows': await heapMib(session) };
}

/** Scrolls to the end until enough rows are loaded, counted by the last row. */
async function loadRows(page: Page): Promise<void> {
  const last = `Math.max(0, ...[...document.querySelectorAll('main [aria-rowindex]')].map((row) => Number(row.ariaRowIndex)))`;
  let grewMs = performance.now();
  for (let rows = 0; rows < LISTED; ) {
    await page.evaluate(`document.querySelector('main').scrollTop = document.querySelector('main').scrollHeight`);
    await Bun.sleep(25);
    const now = await page.evaluate<number>(last);
    if (now > rows) grewMs = performance.now();
    rows = Math.max(rows, now);
    if (performance.now() - grewMs > PATIENCE_MS) throw new Error(`only ${rows} rows were loaded`);
  }
}
