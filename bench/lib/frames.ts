import type { Browser, Page } from 'playwright-core';
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
  /** Processor time of the longest task of the page meanwhile, ms: other programs do not count. */
  readonly task: number;
  /** Nothing was pressed for as long. */
  readonly still: number;
}

/** The longest frames, ms, first with nothing pressed and then while the parts are typed where the cursor is. */
export async function framesWhileTyping(
  browser: Browser,
  page: Page,
  parts: readonly string[],
): Promise<LongestFrames> {
  const keys = parts.join('').length;
  await takeFrames(page);
  await Bun.sleep(keys * KEY_PAUSE_MS + parts.length * PART_PAUSE_MS);
  const still = maximum(await takeFrames(page));
  const endTasks = await recordTasks(browser);
  for (const part of parts) {
    await page.keyboard.type(part, { delay: KEY_PAUSE_MS });
    await Bun.sleep(PART_PAUSE_MS);
  }
  const typing = maximum(await takeFrames(page));
  return { still, typing, task: maximum(await endTasks()) };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time, µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Returns what ends it and gives the processor times of the tasks of all pages, ms. */
async function recordTasks(browser: Browser): Promise<() => Promise<readonly number[]>> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise<unknown>((resolve) => session.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories: ['toplevel'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  return async () => {
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
    const isPage = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain';
    const pages = new Set(events.filter(isPage).map(thread));
    return events.filter((event) => pages.has(thread(event))).map(({ tdur = 0 }) => tdur / 1_000);
  };
}

/** Times between the frames since the last call, ms. */
function takeFrames(page: Page): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>('globalThis.frameTimes.splice(0)');
}
