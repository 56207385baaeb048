import type { Page } from 'playwright-core';
import { maximum } from './statistics.ts';

const KEY_PAUSE_MS = 90;
/** Long enough for what was typed to be read. */
const PART_PAUSE_MS = 700;

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

export interface LongestFrames {
  readonly typing: number;
  /** Nothing was pressed for as long. */
  readonly still: number;
}

/** The longest frames, ms, first with nothing pressed and then while the parts are typed where the cursor is. */
export async function framesWhileTyping(page: Page, parts: readonly string[]): Promise<LongestFrames> {
  const keys = parts.join('').length;
  await takeFrames(page);
  await Bun.sleep(keys * KEY_PAUSE_MS + parts.length * PART_PAUSE_MS);
  const still = maximum(await takeFrames(page));
  for (const part of parts) {
    await page.keyboard.type(part, { delay: KEY_PAUSE_MS });
    await Bun.sleep(PART_PAUSE_MS);
  }
  return { still, typing: maximum(await takeFrames(page)) };
}

/** Times between the frames since the last call, ms. */
function takeFrames(page: Page): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>('globalThis.frameTimes.splice(0)');
}
