import type { Page } from 'playwright-core';

/** Counts rows of a list that come into the document and leave it again; returns what tells how many so far. */
export async function countDrawnInVain(page: Page, list: string): Promise<() => Promise<number>> {
  await page.evaluate(`
    (() => {
      const added = new Set();
      globalThis.drawnInVain = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes, removedNodes } of changes) {
          for (const row of addedNodes) added.add(row);
          for (const row of removedNodes) if (added.has(row)) globalThis.drawnInVain++;
        }
      }).observe(document.querySelector('${list}'), { childList: true });
    })();
  `);
  return () => page.evaluate<number>('globalThis.drawnInVain');
}
