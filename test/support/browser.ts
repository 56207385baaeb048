import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { installedChromium } from '../../scripts/lib/chromium.ts';

const ARTEFACTS = process.env.MANAGER_TEST_ARTEFACTS ?? join(import.meta.dir, '..', '..', 'test-artefacts');

/** Every test loads the panel anew and leaves it soon: code that only its optimised form would repay. */
const INTERPRETED = '--no-opt --no-maglev --no-sparkplug';

export function launchBrowser(): Promise<Browser> {
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
      `--js-flags=${INTERPRETED}`,
    ],
  });
}

export interface OpenedPage {
  readonly page: Page;
  /** Console errors and uncaught exceptions so far. */
  readonly problems: string[];
  close(): Promise<void>;
}

/** A fresh profile with one page. `expected` lists failed requests that a test provokes. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions & { readonly expected?: RegExp } = {},
): Promise<OpenedPage> {
  const { expected, ...contextOptions } = options;
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    ...contextOptions,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return { page, problems, close: () => context.close() };
}

/** Saves a picture of the page as a test artefact, with `MANAGER_TEST_PICTURES=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.MANAGER_TEST_PICTURES !== '1') return;
  const folder = join(ARTEFACTS, 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
