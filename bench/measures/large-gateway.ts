import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test/support/browser.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { openAtGateway } from '../../test/support/signed-in.ts';
import { TEST_UPSTREAM_KEY } from '../../test/support/test-gateway.ts';
import { largeConfiguration } from '../dataset/configuration.ts';
import { emptyDataFolder } from '../dataset/database.ts';
import { writeLog } from '../dataset/gateway-log.ts';
import { allHeapsMib, firstPaintMs, load, openSignedIn, untilTrue, watchFirstElement } from '../lib/browser-page.ts';
import { framesWhileTyping, type LongestFrames, watchFrames } from '../lib/frames.ts';
import { type Gateway, startGateway, startManager } from '../lib/processes.ts';
import { maximum, median } from '../lib/statistics.ts';
import { atMost, declareMeasure, type FigureSpec, type Measured, type Site } from '../measure.ts';

const ACCOUNTS = 500;
const YAML_BYTES = 2_000_000;
const LOG_BYTES = 50_000_000;
/** Sixty characters. */
const WRITTEN = ['request-re', 'try: 7 # a', ' person wr', 'ites here ', 'while it i', 's measured'];
const SEARCHED = ['responses', ' and mess'];

const EDITOR = '.cm-line';
const ROW = 'main [data-row]';
const SEARCH = 'main input[type="search"]';
/** Each page with its first content, and what is clicked before typing. */
const PAGES = {
  YAML: { address: '#/config?mode=source', shows: EDITOR, field: EDITOR, typed: WRITTEN },
  accounts: { address: '#/accounts', shows: ROW, field: SEARCH, typed: SEARCHED },
  log: { address: '#/logs', shows: ROW, field: SEARCH, typed: SEARCHED },
} as const;
const SETTINGS = { address: '#/config', shows: '.config-field input' };

const first = (page: string) => `first rows, ${page}`;
const frame = (page: string) => `frame, typing, ${page}`;
const still = (page: string) => `frame, nothing pressed, ${page}`;
const task = (page: string) => `processor time of a task, typing, ${page}`;
const heap = (page: string) => `heap, ${page}`;

export const largeGateway = declareMeasure({
  name: 'large-gateway',
  title: 'A large gateway',
  how: `pages in Chromium over a gateway with ${ACCOUNTS} accounts, a \`config.yaml\` of 2 MB in 80,000 lines and a log of 50 MB, of which the page loads 10,000 lines before anything is typed. First rows: from the start of the navigation. A frame: the longest of all loads, each in a new browser, while 60 characters are typed into the text or 18 into a search, in parts after each of which the page reads what was typed; beside it the longest while nothing is pressed for as long, and the longest task in processor time, which other programs do not change. First rows and heaps: medians`,
  when: 'named',
  figures: {
    ...record([...Object.keys(PAGES), 'settings'].map((page) => [first(page), { unit: 'ms', bar: atMost(1_000) }])),
    ...record([...Object.keys(PAGES), 'text area'].map((page) => [frame(page), { unit: 'ms', bar: atMost(50) }])),
    ...record([...Object.keys(PAGES), 'text area'].map((page) => [still(page), { unit: 'ms' }])),
    ...record([...Object.keys(PAGES), 'text area'].map((page) => [task(page), { unit: 'ms', bar: atMost(50) }])),
    ...record(Object.keys(PAGES).map((page) => [heap(page), { unit: 'MiB', bar: atMost(200) }])),
  },
  async run(site) {
    using folder = emptyDataFolder();
    await using gateway = await startGateway({
      authFiles: ACCOUNTS,
      configYaml: largeConfiguration(YAML_BYTES, TEST_UPSTREAM_KEY),
      panelFile: join(site.build.root, 'packages/panel/dist/management.html'),
    });
    writeLog(gateway, LOG_BYTES);
    await using manager = await startManager(site.build, folder, { gateway });
    const figures: Record<string, Measured> = {};
    const browser = await launchBrowser({ optimised: true });
    try {
      for (const [name, page] of Object.entries({ ...PAGES, settings: SETTINGS })) {
        site.progress(first(name));
        figures[first(name)] = await firstShown(site, browser, manager, page);
      }
    } finally {
      await browser.close();
    }
    for (const name of Object.keys(PAGES) as (keyof typeof PAGES)[]) {
      site.progress(frame(name));
      Object.assign(figures, await measureTyping(site, manager, name));
    }
    site.progress(frame('text area'));
    return { figures: { ...figures, ...(await measureTextArea(site, gateway)) } };
  },
});

function record(entries: (readonly [string, FigureSpec])[]): Record<string, FigureSpec> {
  return Object.fromEntries(entries);
}

async function firstShown(
  { plan }: Site,
  browser: Browser,
  manager: ManagerProcess,
  { address, shows }: { readonly address: string; readonly shows: string },
): Promise<Measured> {
  await using opened = await openSignedIn(browser, manager);
  await opened.page.addInitScript(watchFirstElement(shows));
  const samples: number[] = [];
  for (let run = 0; run <= plan.pageLoads; run++) {
    await load(opened.page, manager, address);
    const ms = await firstPaintMs(opened.page);
    // The first load compiles the page.
    if (run > 0) samples.push(ms);
  }
  return noted(samples);
}

/** In a browser of its own: what is left of a page before is cleared while one types into the next. */
async function inNewBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchBrowser({ optimised: true });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

async function measureTyping({ plan }: Site, manager: ManagerProcess, name: keyof typeof PAGES) {
  const { address, field, typed } = PAGES[name];
  const taken: LongestFrames[] = [];
  const heaps: number[] = [];
  for (let run = 0; run < plan.pageLoads; run++) {
    await inNewBrowser(async (browser) => {
      await using opened = await openSignedIn(browser, manager);
      const { page } = opened;
      await page.addInitScript(watchFrames);
      await load(page, manager, address);
      await page.locator(PAGES[name].shows).first().waitFor();
      if (name === 'log') await loadLines(page);
      await page.locator(field).first().click();
      if (name === 'YAML') await newFirstLine(page);
      await Bun.sleep(2_000);
      taken.push(await framesWhileTyping(browser, page, typed));
      heaps.push(await allHeapsMib(page));
    });
  }
  return { ...frames(name, taken), [heap(name)]: median(heaps) };
}

/** What is typed there is at first no setting, which makes an error of every line below. */
async function newFirstLine(page: Page): Promise<void> {
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
}

/** Scrolls to the start until no older lines come. */
async function loadLines(page: Page): Promise<void> {
  const count = `Number(document.querySelector('.log-table').ariaRowCount)`;
  await untilTrue(page, `document.querySelector('.log-box').scrollTop = 0, ${count} > 10_000`);
}

async function measureTextArea({ plan }: Site, gateway: Gateway) {
  const taken: LongestFrames[] = [];
  for (let run = 0; run < plan.pageLoads; run++) {
    await inNewBrowser(async (browser) => {
      const { page, close } = await openPage(browser);
      await page.addInitScript(watchFrames);
      await openAtGateway(page, gateway.url, PAGES.YAML.address.slice(1));
      await page.getByRole('button', { name: 'Show the text' }).click();
      await page.locator('textarea').click();
      await newFirstLine(page);
      await Bun.sleep(2_000);
      taken.push(await framesWhileTyping(browser, page, WRITTEN));
      await close();
    });
  }
  return frames('text area', taken);
}

function frames(name: string, taken: readonly LongestFrames[]): Record<string, Measured> {
  return {
    [frame(name)]: slowest(taken.map(({ typing }) => typing)),
    [still(name)]: slowest(taken.map((one) => one.still)),
    [task(name)]: slowest(taken.map((one) => one.task)),
  };
}

function noted(samples: readonly number[]): Measured {
  return { value: median(samples), note: `slowest ${Math.round(maximum(samples))} ms` };
}

function slowest(samples: readonly number[]): Measured {
  return { value: maximum(samples), note: `median ${Math.round(median(samples))} ms` };
}
