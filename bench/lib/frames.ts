import type { Page } from 'playwright-core';

/** Records the times between two frames. */
export const watchFrames = `
  (() => {
    globalThis.frameTimes = [];
    let last = 0;
    const frame = (now) => {
      if (last > 0) globalThis.frameTimes.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })();
`;

/** Times between the frames since the last call, ms. */
export function takeFrames(page: Page): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>('globalThis.frameTimes.splice(0)');
}
