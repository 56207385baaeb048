import type { Page } from 'playwright-core';

const QUIET_MS = 300;
const POLL_MS = 50;

/** Watches the requests of a page; `settled` resolves to false when they did not finish in time. */
export function watchRequests(page: Page) {
  let open = 0;
  let changedAtMs = performance.now();
  const began = () => {
    open += 1;
    changedAtMs = performance.now();
  };
  const ended = () => {
    open = Math.max(open - 1, 0);
    changedAtMs = performance.now();
  };
  page.on('request', began);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return {
    begin(): void {
      open = 0;
      changedAtMs = performance.now();
    },
    async settled(patienceMs: number): Promise<boolean> {
      const deadlineMs = performance.now() + patienceMs;
      while (performance.now() < deadlineMs) {
        const quiet = open === 0 && performance.now() - changedAtMs > QUIET_MS;
        if (quiet && (await page.evaluate('document.querySelector(".skeleton") === null'))) return true;
        await Bun.sleep(POLL_MS);
      }
      return false;
    },
  };
}
