import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { PanelPage } from '../lib/panel-pages.ts';
import { filled, foreignTexts, keyParts } from './pages.ts';
import type { Scene } from './scene.ts';
import { watchRequests } from './settle.ts';

export const WIDTHS = [1440, 1024, 390] as const;
export const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const HEIGHT = 900;
/** Longer pages are cut at this height. */
const MAX_HEIGHT = 2_400;
const CHECKS = readFileSync(new URL('./page-checks.js', import.meta.url), 'utf8').replace(/;?\s*$/, '');

export interface TakeOptions {
  readonly folder: string;
  readonly language: string;
  readonly widths: readonly number[];
  readonly themes: readonly Theme[];
  /** How long a page may wait for its answers, ms. */
  readonly patienceMs: number;
}

/** What `page-checks.js` returns. */
interface Findings {
  readonly overflow: number;
  readonly cut: readonly string[];
  readonly outside: readonly string[];
  readonly small: readonly string[];
  readonly untranslated: readonly string[];
  readonly odd: readonly string[];
}

export interface Picture {
  readonly name: string;
  /** Errors. */
  readonly faults: readonly string[];
  /** Findings to look at. */
  readonly remarks: readonly string[];
}

/** Takes a page in every width and theme. */
export async function takePage(
  browser: Browser,
  scene: Scene,
  page: PanelPage,
  options: TakeOptions,
  tell: (picture: Picture) => void,
): Promise<void> {
  const unbound = page.path.includes('{noUpstream}');
  const path = filled(page, { ...scene.values, ...(scene.unboundUrl === undefined ? {} : { noUpstream: '' }) });
  const url = unbound ? scene.unboundUrl : scene.manager.url;
  if (path === null || url === undefined) return;
  mkdirSync(options.folder, { recursive: true });
  const texts = { keyParts: await keyParts(), foreignTexts: await foreignTexts(options.language) };
  for (const width of options.widths) {
    const context = await browser.newContext({
      viewport: { width, height: HEIGHT },
      locale: options.language === 'en' ? 'en-GB' : options.language,
      colorScheme: options.themes[0] ?? 'light',
      reducedMotion: 'reduce',
    });
    await context.addInitScript(storage(url, scene.manager.adminKey, options.language, page.guest !== true));
    const tab = await context.newPage();
    const problems: string[] = [];
    tab.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`);
    });
    tab.on('pageerror', (error) => problems.push(`exception: ${error}`));
    const requests = watchRequests(tab);
    requests.begin();
    await tab.goto(`${url}/management.html#${path}`);
    for (const theme of options.themes) {
      await tab.emulateMedia({ colorScheme: theme });
      await tab.setViewportSize({ width, height: HEIGHT });
      const settled = await requests.settled(options.patienceMs);
      const findings = (await tab.evaluate(`(${CHECKS})(${JSON.stringify(texts)})`)) as Findings;
      await stretch(tab, width);
      // A higher window may show or load more.
      if (!(await requests.settled(options.patienceMs))) problems.push('not all answers are there');
      await stretch(tab, width);
      const name = `${page.name}-${width}-${theme}${options.language === 'en' ? '' : `-${options.language}`}`;
      await tab.screenshot({ path: join(options.folder, `${name}.png`), animations: 'disabled' });
      tell({ name, ...judged(findings, [...(settled ? [] : ['not all answers are there']), ...problems.splice(0)]) });
    }
    await context.close();
  }
}

function judged(found: Findings, problems: readonly string[]): Omit<Picture, 'name'> {
  return {
    faults: [
      ...problems,
      ...(found.overflow > 0 ? [`${found.overflow} px wider than the window`] : []),
      ...found.untranslated.map((text) => `untranslated: ${text}`),
      ...found.odd.map((text) => `odd: ${text}`),
    ],
    remarks: [
      ...found.cut.map((text) => `cut: ${text}`),
      ...found.outside.map((text) => `beyond its box: ${text}`),
      ...found.small.map((text) => `less than a finger high: ${text}`),
    ],
  };
}

/** The panel's browser storage: the sign-in of this tab and the preferences. */
function storage(url: string, key: string, language: string, signedIn: boolean): string {
  const session = JSON.stringify({ key, base: `${url}/`, mode: 'manager' });
  return `
    localStorage.setItem('mgrpanel:v1:prefs', ${JSON.stringify(JSON.stringify({ language, theme: 'auto' }))});
    ${signedIn ? `sessionStorage.setItem('mgrpanel:v1:session', ${JSON.stringify(session)});` : ''}`;
}

/** Makes the window as high as its scrolling content, so that the picture shows all of it; long tables are not extended. */
async function stretch(tab: Page, width: number): Promise<void> {
  const hidden = Number(
    await tab.evaluate(`Math.max(0, ...[...document.querySelectorAll('body *')]
      .filter((box) => /auto|scroll/.test(getComputedStyle(box).overflowY) && box.clientHeight > 200)
      .map((box) => box.scrollHeight - box.clientHeight))`),
  );
  const height = Math.min((tab.viewportSize()?.height ?? HEIGHT) + hidden, MAX_HEIGHT);
  if (height === tab.viewportSize()?.height) return;
  await tab.setViewportSize({ width, height });
  await tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await Bun.sleep(150);
}
