import type { Browser, CDPSession, Page } from 'playwright-core';
import { type OpenedPage, openPage } from '../../test/support/browser.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';

// Finds elements by roles and `data-` attributes only, so that the panels of two clones can be compared.

/** A signed-in page of a fresh profile. */
export async function openSignedIn(browser: Browser, manager: ManagerProcess): Promise<OpenedPage & AsyncDisposable> {
  const opened = await openPage(browser);
  await opened.page.goto(`${manager.url}/management.html#/dashboard`);
  const key = opened.page.locator('input[type="password"]');
  await key.fill(manager.adminKey);
  await opened.page.keyboard.press('Enter');
  await key.waitFor({ state: 'detached' });
  return Object.assign(opened, { [Symbol.asyncDispose]: opened.close });
}

/** Opens an address as a new document. */
export async function load(page: Page, manager: ManagerProcess, address: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${manager.url}/management.html${address}`);
}

/** True once the element shows a number. */
export function showsNumber(selector: string): string {
  return `/\\d/.test(document.querySelector(${JSON.stringify(selector)})?.textContent ?? '')`;
}

/** Marks the first frame in which each of the elements shows a number. */
export function watchFirstPaint(selectors: readonly string[]): string {
  return watchFirstTime(selectors.map(showsNumber).join(' && '));
}

/** Marks the first frame in which the element is there. */
export function watchFirstElement(selector: string): string {
  return watchFirstTime(`document.querySelector(${JSON.stringify(selector)}) !== null`);
}

/** Marks the first frame in which an expression is true. */
export function watchFirstTime(expression: string): string {
  return `
    (() => {
      const check = () => {
        if (!(${expression})) return requestAnimationFrame(check);
        // The requested frame draws it; the one after it is the first in which it is visible.
        requestAnimationFrame(() => { globalThis.firstPaintMs = performance.now(); });
      };
      requestAnimationFrame(check);
    })();
  `;
}

/** Waits for an expression to be true; through the debugger, because the page's policy forbids evaluating text. */
export async function untilTrue(page: Page, expression: string, timeoutMs = 60_000): Promise<void> {
  const until = performance.now() + timeoutMs;
  while ((await page.evaluate<unknown>(expression)) !== true) {
    if (performance.now() > until) throw new Error(`it never became true in the page: ${expression}`);
    await Bun.sleep(25);
  }
}

/** Records key events and long tasks reported by the browser. */
export const watchInput = `
  globalThis.keyDelays = [];
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name.startsWith('key')) globalThis.keyDelays.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longTasks.push(duration);
  }).observe({ type: 'longtask' });
`;

/** Times from a key to the next frame in ms; the browser does not report those below 16 ms. */
export function keyDelays(page: Page): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>('globalThis.keyDelays');
}

/** Tasks that blocked the page for more than 50 ms. */
export function longTasks(page: Page): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>('globalThis.longTasks');
}

/** ms from the start of the navigation to the frame with the expected content. */
export async function firstPaintMs(page: Page): Promise<number> {
  await untilTrue(page, 'globalThis.firstPaintMs !== undefined');
  return page.evaluate<number>('globalThis.firstPaintMs');
}

export interface ScrollResult {
  /** Times between two frames, ms. */
  readonly frames: readonly number[];
  readonly mostRows: number;
}

/** Scrolls a box by a fixed number of px per frame until its end or the time limit, and counts frames and rows. */
export async function scrollFrames(
  page: Page,
  options: { readonly box: string; readonly rows: string; readonly step: number; readonly ms: number },
): Promise<ScrollResult> {
  return page.evaluate<ScrollResult>(`
    new Promise((resolve) => {
      const { box, rows, step, ms } = ${JSON.stringify(options)};
      const scroller = document.querySelector(box);
      const frames = [];
      let mostRows = 0;
      let last = 0;
      let direction = 1;
      const startedMs = performance.now();
      const frame = (now) => {
        if (last > 0) frames.push(now - last);
        last = now;
        mostRows = Math.max(mostRows, document.querySelectorAll(rows).length);
        if (now - startedMs > ms) return resolve({ frames, mostRows });
        const before = scroller.scrollTop;
        scroller.scrollTop = before + direction * step;
        if (scroller.scrollTop === before) direction = -direction;
        requestAnimationFrame(frame);
      };
      scroller.scrollTop = 0;
      requestAnimationFrame(frame);
    })
  `);
}

/** Share of frames that were not drawn in time. */
export function droppedShare(frames: readonly number[], frameMs = 1000 / 60): number {
  let dropped = 0;
  for (const time of frames) dropped += Math.max(0, Math.round(time / frameMs) - 1);
  return frames.length === 0 ? 0 : dropped / (frames.length + dropped);
}

/** Memory of the page's scripts after garbage collection, MiB. */
export async function heapMib(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** The same with that of its workers. */
export async function allHeapsMib(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const used = [heapMib(session)];
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') used.push(workerHeapMib(session, sessionId));
  });
  // The workers of the page are told before it is answered.
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false });
  const all = await Promise.all(used);
  await session.detach();
  return all.reduce((sum, mib) => sum + mib, 0);
}

function workerHeapMib(session: CDPSession, sessionId: string): Promise<number> {
  const methods = ['HeapProfiler.enable', 'HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'];
  return new Promise((resolve) => {
    session.on('Target.receivedMessageFromTarget', (received) => {
      const { id, result } = JSON.parse(received.message);
      if (received.sessionId === sessionId && id === methods.length - 1) resolve(result.usedSize / 2 ** 20);
    });
    for (const [id, method] of methods.entries())
      void session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
  });
}

/** Processor time of the page's main thread in ms: independent of other load on the machine. */
export async function mainThreadMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

/** From here on durations are processor time. */
export async function countThreadTicks(session: CDPSession): Promise<void> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
}
