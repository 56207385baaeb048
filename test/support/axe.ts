import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe-core defines in a page. */
interface AxeWindow {
  readonly axe?: { run(context: { exclude: string[] }, options: RunOptions): Promise<AxeResults> };
}

export interface AxeOptions {
  /** Excluded selectors; each has its reason beside the call. */
  readonly exclude?: readonly string[];
}

/** Waits for color transitions to end: colors in between are not checked. Endless animations are not waited for. */
const untilAtRest = (page: Page) =>
  page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    .map(({ finished }) => finished.catch(() => undefined))).then(() => undefined)`);

/**
 * Serious or critical violations of WCAG 2.2 A and AA on the current page, one line per element: `expect(await
 * accessibilityProblems(page)).toEqual([])`.
 */
export async function accessibilityProblems(page: Page, { exclude = [] }: AxeOptions = {}): Promise<string[]> {
  // Through the debugger, because the page's policy forbids injected scripts.
  await page.evaluate(SOURCE);
  await untilAtRest(page);
  const violations = await page.evaluate(
    async (excluded) => {
      const { axe } = globalThis as AxeWindow;
      if (axe === undefined) throw new Error('axe-core is not in the page');
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const results = await axe.run(
        { exclude: excluded },
        { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] },
      );
      return results.violations.map(({ id, impact, help, nodes }) => ({
        id,
        impact,
        help,
        targets: nodes.map(
          (node) => `${node.target.join(' ')} (${node.failureSummary?.replaceAll(/\s+/g, ' ') ?? ''})`,
        ),
      }));
    },
    [...exclude],
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, targets }) => targets.map((target) => `${id}: ${help}: ${target}`));
}
