import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../test/support/browser.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { openAtGateway } from '../../test/support/signed-in.ts';
import { TEST_UPSTREAM_KEY } from '../../test/support/test-gateway.ts';
import { largeConfiguration } from '../dataset/configuration.ts';
import { emptyDataFolder } from '../dataset/database.ts';
import { firstPaintMs, heapMib, load, openSignedIn, untilTrue } from '../lib/browser-page.ts';
import { takeFrames, watchFrames } from '../lib/frames.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { maximum, median } from '../lib/statistics.ts';
import { atMost, declareMeasure, type Measured, type Site } from '../measure.ts';

const BYTES = 2_000_000;
/** Sixty characters; the pauses are long enough for the text to be read in between. */
const TYPED = ['request-re', 'try: 7 # a', ' person wr', 'ites here ', 'while it i', 's measured'];
const KEY_PAUSE_MS = 90;
const READ_PAUSE_MS = 700;

const EDITOR = '.cm-line';
const FIELD = 'input[name="port"], .config-field input';

export const configuration = declareMeasure({
  name: 'configuration',
  title: 'A configuration of 2 MB',
  how: 'the configuration page in Chromium over a gateway whose `config.yaml` has 80,000 lines; medians of all loads, from the start of the navigation. Frames: the longest of 60 typed characters, in pieces of 10 after each of which the text is read; beside it the longest while nothing is pressed as long',
  when: 'named',
  figures: {
    'text in the editor': { unit: 'ms', bar: atMost(1_000) },
    settings: { unit: 'ms', bar: atMost(1_000) },
    'frame, typing': { unit: 'ms', bar: atMost(50) },
    'frame, nothing pressed': { unit: 'ms' },
    'frame, typing in the text area': { unit: 'ms' },
    'heap with the editor': { unit: 'MiB', bar: atMost(200) },
  },
  async run(site) {
    using folder = emptyDataFolder();
    await using gateway = await startGateway({
      authFiles: 12,
      configYaml: largeConfiguration(BYTES, TEST_UPSTREAM_KEY),
      panelFile: join(site.build.root, 'packages/panel/dist/management.html'),
    });
    await using manager = await startManager(site.build, folder, { gateway });
    const browser = await launchBrowser({ optimised: true });
    try {
      site.progress('first text and settings');
      const shown = {
        'text in the editor': await firstShown(site, browser, manager, '#/config?mode=source', EDITOR),
        settings: await firstShown(site, browser, manager, '#/config', FIELD),
      };
      site.progress('typing');
      const typing = await measureTyping(site, browser, manager);
      site.progress('typing at a gateway alone');
      return { figures: { ...shown, ...typing, ...(await measureTextArea(site, browser, gateway)) } };
    } finally {
      await browser.close();
    }
  },
});

const watchFor = (selector: string) => `
  (() => {
    const check = () => {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(check);
      requestAnimationFrame(() => { globalThis.firstPaintMs = performance.now(); });
    };
    requestAnimationFrame(check);
  })();
`;

async function firstShown(
  { plan }: Site,
  browser: Browser,
  manager: ManagerProcess,
  address: string,
  selector: string,
): Promise<Measured> {
  await using opened = await openSignedIn(browser, manager);
  await opened.page.addInitScript(watchFor(selector));
  const samples: number[] = [];
  for (let run = 0; run <= plan.pageLoads; run++) {
    await load(opened.page, manager, address);
    const ms = await firstPaintMs(opened.page);
    // The first load compiles the page.
    if (run > 0) samples.push(ms);
  }
  return noted(samples);
}

async function measureTyping({ plan }: Site, browser: Browser, manager: ManagerProcess) {
  await using opened = await openSignedIn(browser, manager);
  const { page } = opened;
  await page.addInitScript(watchFrames);
  const session = await page.context().newCDPSession(page);
  const typing: number[] = [];
  const still: number[] = [];
  for (let run = 0; run < plan.pageLoads; run++) {
    await load(page, manager, '#/config?mode=source');
    await page.locator(EDITOR).first().click();
    const taken = await typeAndRest(page);
    typing.push(taken.typing);
    still.push(taken.still);
  }
  return {
    'frame, typing': noted(typing),
    'frame, nothing pressed': noted(still),
    'heap with the editor': await heapMib(session),
  };
}

async function measureTextArea({ plan }: Site, browser: Browser, gateway: { readonly url: string }) {
  const { page, close } = await openPage(browser);
  try {
    await page.addInitScript(watchFrames);
    const typing: number[] = [];
    for (let run = 0; run < plan.pageLoads; run++) {
      await page.goto('about:blank');
      await openAtGateway(page, gateway.url, '/config?mode=source');
      await page.getByRole('button', { name: 'Show the text' }).click();
      await page.locator('textarea').click();
      typing.push((await typeAndRest(page)).typing);
    }
    return { 'frame, typing in the text area': noted(typing) };
  } finally {
    await close();
  }
}

/** The longest frames while typing at the top, and while nothing is pressed for as long. */
async function typeAndRest(page: Page): Promise<{ readonly typing: number; readonly still: number }> {
  await page.keyboard.press('Control+Home');
  await Bun.sleep(2_000);
  await takeFrames(page);
  await Bun.sleep(TYPED.length * (TYPED[0]?.length ?? 0) * KEY_PAUSE_MS + TYPED.length * READ_PAUSE_MS);
  const still = maximum(await takeFrames(page));
  for (const part of TYPED) {
    await page.keyboard.type(part, { delay: KEY_PAUSE_MS });
    await Bun.sleep(READ_PAUSE_MS);
  }
  const typing = maximum(await takeFrames(page));
  await untilTrue(page, `document.querySelector('.config-bar') !== null`);
  return { typing, still };
}

function noted(samples: readonly number[]): Measured {
  return { value: median(samples), note: `slowest ${Math.round(maximum(samples))} ms` };
}
