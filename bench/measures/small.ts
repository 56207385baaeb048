import type { Page } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { HISTORY_END_MS, trafficAccounts } from '../../test/support/traffic.ts';
import { copyOf } from '../dataset/database.ts';
import { firstPaintMs, load, openSignedIn, showsNumber, watchFirstTime } from '../lib/browser-page.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { liveEvents, startPublishing } from '../lib/publishing.ts';
import { smallMachine } from '../lib/small-machine.ts';
import { quantile } from '../lib/statistics.ts';
import { atMost, declareMeasure } from '../measure.ts';
import { askRounds, prepareQuestions, warmUp } from '../panel/asking.ts';
import { sampleDetails, viewFigures, viewValues } from '../panel/samples.ts';

const MIB = 2 ** 20;
const DAY_MS = 86_400_000;
const MEMORY_MIB = 512;
const EVENTS_PER_SECOND = 20;

const RANGE = `custom&from_ms=${HISTORY_END_MS - 30 * DAY_MS}&to_ms=${HISTORY_END_MS + DAY_MS}`;
/** The first numbers of a page: sums, or rows of its list. */
const NUMBERS = `(${showsNumber('[data-stat]')} || ${showsNumber('[data-row]')})`;
/** In this order; the panel stays on the last one. */
const PAGES = [
  `#/monitoring?range=${RANGE}`,
  ...['accounts', 'keys', 'models', 'failures'].map((tab) => `#/monitoring?range=${RANGE}&tab=${tab}`),
  `#/usage-analytics?time_range=${RANGE}`,
  ...['trends', 'models', 'apiKeys', 'credentials'].map((tab) => `#/usage-analytics?time_range=${RANGE}&tab=${tab}`),
  '#/accounts',
  '#/model-prices',
  '#/dashboard',
];

export const small = declareMeasure({
  name: 'small',
  title: 'A small machine',
  how: `one core and ${MEMORY_MIB} MiB for the manager, pages of its files included; ${EVENTS_PER_SECOND} events/s come in, and a panel in a browser (on the other core) has opened every page once, with 30 days each, and stays on the dashboard. Then the questions of \`queries\``,
  when: 'named',
  figures: {
    'first numbers of a page, slowest': { unit: 'ms', bar: atMost(1_000) },
    ...viewFigures('again', 500),
    ...viewFigures('new', 500),
    'publishing to commit, p99': { unit: 'ms' },
    'highest memory': { unit: 'MiB' },
    'memory at its limit': { unit: 'times' },
    'killed for want of memory': { unit: 'times', bar: atMost(0) },
  },
  async run({ base, build, plan, progress }) {
    using machine = smallMachine(MEMORY_MIB);
    using data = copyOf(base);
    const questions = await prepareQuestions(build, data);
    await using gateway = await startGateway();
    await using manager = await startManager(machine.limit(build), data, { gateway });
    const startedMs = performance.now();
    const now = () => Math.floor(HISTORY_END_MS + performance.now() - startedMs);
    const events = liveEvents(trafficAccounts(), now);
    const publishing = startPublishing({ gateway, data, rate: EVENTS_PER_SECOND, events });
    const browser = await launchBrowser({ optimised: true });
    try {
      await using opened = await openSignedIn(browser, manager);
      const pages = await firstNumbers(opened.page, manager, progress);
      progress(`${questions.length} questions`);
      await warmUp(manager, questions);
      const asked = { seconds: plan.querySeconds, polls: plan.queryPolls };
      const { fresh, again } = await askRounds(manager, questions, asked);
      await publishing.finish();
      const slowest = pages.reduce((most, page) => (page.ms > most.ms ? page : most));
      return {
        figures: {
          'first numbers of a page, slowest': { value: slowest.ms, note: slowest.address.replace(RANGE, '30d') },
          ...viewValues('again', again),
          ...viewValues('new', fresh),
          'publishing to commit, p99': quantile(publishing.latencies, 0.99),
          'highest memory': manager.peakResidentBytes() / MIB,
          'memory at its limit': machine.atLimit(),
          'killed for want of memory': machine.kills(),
        },
        details: { pages, fresh: sampleDetails(fresh), again: sampleDetails(again) },
      };
    } finally {
      await browser.close();
    }
  },
});

/** The time of each page from the start of its navigation to the frame with its first numbers, ms. */
async function firstNumbers(page: Page, manager: ManagerProcess, progress: (text: string) => void) {
  await page.addInitScript(watchFirstTime(NUMBERS));
  const pages: { readonly address: string; readonly ms: number }[] = [];
  for (const address of PAGES) {
    progress(address.replace(RANGE, '30d'));
    await load(page, manager, address);
    pages.push({ address, ms: await firstPaintMs(page) });
  }
  return pages;
}
