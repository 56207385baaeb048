import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
  type ViewportSize,
} from 'playwright-core';
import { installedChromium } from '../../scripts/lib/chromium.ts';
import { isListed, pageOf } from './page-endpoints.ts';

const ARTEFACTS = process.env.MANAGER_TEST_ARTEFACTS ?? join(import.meta.dir, '..', '..', 'test-artefacts');

/** Every test loads the panel anew and leaves it soon: code that only its optimised form would repay. */
const BARELY_COMPILED = '--no-opt --no-maglev';

const DESKTOP: ViewportSize = { width: 1440, height: 900 };

/** Pages of all managers and gateways of a file share one renderer, which compiles the panel once for each address. */
const ONE_RENDERER = '--process-per-site';

/** `optimised`: the panel runs as at a person's, which is for measurements. */
export function launchBrowser({ optimised = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: installedChromium() ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ONE_RENDERER,
      ...(optimised ? [] : [`--js-flags=${BARELY_COMPILED}`]),
    ],
  });
}

export interface OpenedPage {
  readonly page: Page;
  /** Console errors and uncaught exceptions so far. */
  readonly problems: string[];
  close(): Promise<void>;
}

interface Profile {
  readonly context: BrowserContext;
  /** Keeps the renderer alive while no test has a page. */
  readonly parked: Page;
}

/** Emptied profiles that the next page takes, by their options. */
const idleProfiles = new WeakMap<Browser, Map<string, Profile[]>>();

export interface PageOptions extends Omit<BrowserContextOptions, 'viewport'> {
  readonly viewport?: ViewportSize;
  /** Failed requests that the test provokes. */
  readonly expected?: RegExp;
  /** The page has its own clock, which its profile keeps. */
  readonly ownClock?: boolean;
}

/** A page in an empty profile. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  const { expected, ownClock, viewport = DESKTOP, colorScheme = 'light', ...contextOptions } = options;
  const idle = idleProfilesOf(browser, JSON.stringify(contextOptions));
  const profile = idle.pop() ?? (await newProfile(browser, contextOptions));
  const { context } = profile;
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  if (ownClock === true) await page.clock.install();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  watchCalls(page, problems);
  return {
    page,
    problems,
    async close() {
      if (ownClock === true) return context.close();
      await empty(profile);
      idle.push(profile);
    },
  };
}

/** A request that the table does not list for the page, nor for the one before it, is a problem. */
function watchCalls(page: Page, problems: string[]): void {
  let current: string | null = null;
  let before: string | null = null;
  page.on('request', (request) => {
    // Frames have plugins' pages.
    if (request.frame() !== page.mainFrame() || !page.url().includes('management.html')) return;
    const shown = pageOf(page.url());
    if (shown !== current) [before, current] = [current, shown];
    const { pathname } = new URL(request.url());
    if ([current, before].some((one) => one !== null && isListed(one, pathname))) return;
    if (current !== null) problems.push(`${current} sends ${request.method()} ${pathname}`);
  });
}

/** Requests of a page that have begun since, and not ended. */
export function requestsUnderWay(page: Page): ReadonlySet<Request> {
  const underWay = new Set<Request>();
  const end = (request: Request) => void underWay.delete(request);
  page.on('request', (request) => underWay.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return underWay;
}

function idleProfilesOf(browser: Browser, options: string): Profile[] {
  const all = idleProfiles.get(browser) ?? new Map<string, Profile[]>();
  idleProfiles.set(browser, all);
  const found = all.get(options) ?? [];
  all.set(options, found);
  return found;
}

async function newProfile(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const parked = await context.newPage();
  // Of the same site as every server, whose port does not count.
  await parked.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await parked.goto('http://127.0.0.1/');
  return { context, parked };
}

/** Closes all pages but the parked one, and forgets what they stored. */
async function empty({ context, parked }: Profile): Promise<void> {
  const opened = context.pages().filter((page) => page !== parked);
  const origins = new Set(opened.map((page) => new URL(page.url()).origin).filter((origin) => origin !== 'null'));
  for (const page of opened) await page.close();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  const debug = await context.newCDPSession(parked);
  for (const origin of origins) await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await debug.detach();
}

/**
 * Presses a switch, checkbox or radio button where it is drawn, because its input is transparent and lies below. Waits
 * until nothing covers it, such as a dialog that fades out; a forced click does not wait.
 */
export const press = (input: Locator): Promise<void> => input.locator('..').click();

/** Saves a picture of the page as a test artefact, with `MANAGER_TEST_PICTURES=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.MANAGER_TEST_PICTURES !== '1') return;
  const folder = join(ARTEFACTS, 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** How many pixels the page is wider than its window, for windows of these widths, from the loaded one on. */
export async function sidewaysScroll(page: Page, widths: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    found.push(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    );
  }
  return found;
}
