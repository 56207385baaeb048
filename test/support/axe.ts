import { readFileSync } from 'node:fs';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const MODAL = '[role="dialog"][aria-modal="true"]';

interface Rule {
  readonly id: string;
  readonly impact: string;
}

/** What axe-core defines in a page. A rule's impact is that of every violation of it. */
interface AxeWindow {
  readonly document: { querySelector(selector: string): object | null };
  readonly axe?: {
    readonly _audit: { readonly rules: readonly Rule[] };
    run(context: ElementContext, options: RunOptions): Promise<AxeResults>;
  };
}

export interface AxeOptions {
  /** Excluded selectors; each has its reason beside the call. */
  readonly exclude?: readonly string[];
  /** Only what a theme changes, on a page that was checked in the other one. */
  readonly onlyColors?: boolean;
}

/** Waits for color transitions to end: colors in between are not checked. Endless animations are not waited for. */
const untilAtRest = (page: Page) =>
  page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    .map(({ finished }) => finished.catch(() => undefined))).then(() => undefined)`);

/**
 * Serious or critical violations of WCAG 2.2 A and AA on the current page, one line per element: `expect(await
 * accessibilityProblems(page)).toEqual([])`. Of a page below a modal dialog only the dialog is checked: nothing else can be used.
 */
export async function accessibilityProblems(page: Page, options: AxeOptions = {}): Promise<string[]> {
  const { exclude = [], onlyColors = false } = options;
  // Through the debugger, because the page's policy forbids injected scripts. Once for a loaded page.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(SOURCE);
  await untilAtRest(page);
  return page.evaluate(
    async ({ modal, excluded, colors }) => {
      const { axe, document } = globalThis as unknown as AxeWindow;
      if (axe === undefined) throw new Error('axe-core is not in the page');
      const IMPACTS = ['serious', 'critical'];
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      // At once: a dialog may close between two calls.
      const include = document.querySelector(modal) === null ? 'html' : modal;
      const lesser = axe._audit.rules.filter(({ impact }) => !IMPACTS.includes(impact));
      const results = await axe.run(
        { include: [include], exclude: excluded },
        {
          resultTypes: ['violations'],
          ...(colors
            ? { runOnly: ['color-contrast', 'link-in-text-block'] }
            : {
                runOnly: { type: 'tag', values: tags },
                rules: Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }])),
              }),
        },
      );
      return results.violations
        .filter(({ impact }) => IMPACTS.includes(String(impact)))
        .flatMap(({ id, help, nodes }) =>
          nodes.map(
            ({ target, failureSummary = '' }) =>
              `${id}: ${help}: ${target.join(' ')} (${failureSummary.replaceAll(/\s+/g, ' ')})`,
          ),
        );
    },
    { modal: MODAL, excluded: [...exclude], colors: onlyColors },
  );
}

/** The same for a light page that follows the browser's theme, also after the theme was switched; it is light again behind it. */
export async function problemsInBothThemes(page: Page): Promise<string[]> {
  const problems = await accessibilityProblems(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  // The colors begin to change with the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const dark = await accessibilityProblems(page, { onlyColors: true });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...problems, ...dark.map((text) => `dark: ${text}`)];
}
