import {
  append,
  type Break,
  extend,
  type LogBuffer,
  type LogPage,
  MAX_LINES,
  openBuffer,
  overlap,
} from './log-buffer.ts';

/** Lines of the first request. */
export const FIRST_LINES = 100;
/** Lines of one request for newer ones. */
export const PAGE_LINES = 1_000;
/** More newer lines than these are not loaded one by one. */
const MAX_PAGES = MAX_LINES / PAGE_LINES;

export interface LogQuestion {
  readonly limit: number;
  readonly cursor?: string;
  /** Unix seconds. */
  readonly after?: number;
}

export type AskLog = (question: LogQuestion) => Promise<LogPage>;

/** The buffer after one look at the gateway: opened, with newer lines, or with older ones. */
export async function nextBuffer(ask: AskLog, before: LogBuffer | null, older: boolean): Promise<LogBuffer> {
  // An empty log has neither a cursor nor a time.
  if (before === null || (before.cursor === '' && before.latest === 0)) return open(ask, null);
  if (older && canLoadOlder(before)) return loadOlder(ask, before);
  return before.cursor === '' ? followByTime(ask, before) : followByCursor(ask, before);
}

export const canLoadOlder = (buffer: LogBuffer): boolean =>
  !buffer.whole && !buffer.full && buffer.lineCount < MAX_LINES;

async function open(ask: AskLog, divider: Break | null, limit = FIRST_LINES): Promise<LogBuffer> {
  return openBuffer(await ask({ limit }), limit, divider);
}

/** The gateway only returns the end of its log, so older lines come with all newer ones: twice as many each time. */
async function loadOlder(ask: AskLog, before: LogBuffer): Promise<LogBuffer> {
  const limit = Math.min(MAX_LINES, before.lineCount + Math.max(FIRST_LINES, before.lineCount));
  const page = await ask({ limit });
  const longer = extend(before, page, limit);
  if (longer === null) return openBuffer(page, limit, 'restarted');
  return limit === MAX_LINES ? { ...longer, full: true } : longer;
}

async function followByCursor(ask: AskLog, before: LogBuffer): Promise<LogBuffer> {
  let buffer = before;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await ask({ cursor: buffer.cursor, limit: PAGE_LINES });
    if (page.reset) return openBuffer(page, PAGE_LINES, 'restarted');
    buffer = append(buffer, page);
    if (page.lines.length < PAGE_LINES) return buffer;
  }
  return open(ask, 'skipped');
}

/** Before v7.2.6. Lines of one second may be written in two looks, so the newest second is asked for again. */
async function followByTime(ask: AskLog, before: LogBuffer): Promise<LogBuffer> {
  const page = await ask({ after: before.latest - 1, limit: MAX_LINES });
  if (page.lineCount > page.lines.length) return open(ask, 'skipped');
  const known = overlap(before, page.lines);
  // The newest second is gone: the log was cleared or began again.
  if (known === 0) return open(ask, 'restarted');
  return append(before, page, page.lines.slice(known));
}
