import { ApiError } from '../../../platform/api/errors.ts';
import { type LogEntry, toEntries } from './log-buffer.ts';
import { maskedLines } from './log-heights.ts';
import { startsEntry } from './log-line.ts';

/** One line of the list as JSON, with what follows it; or the end of an empty list. */
const NEXT = /\s*(?:("(?:[^"\\]|\\.)*")\s*([,\]])|\])/y;

/** Lines of an answer while it arrives: the whole log may be larger than memory. @throws ApiError where it has no whole list */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let text = '';
  let isInList = false;
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (!isInList) {
      const start = /"lines"\s*:\s*\[/.exec(text);
      if (start === null) continue;
      text = text.slice(start.index + start[0].length);
      isInList = true;
    }
    const lines: string[] = [];
    let done = 0;
    for (;;) {
      NEXT.lastIndex = done;
      const found = NEXT.exec(text);
      if (found === null) break;
      done = NEXT.lastIndex;
      const [, line, after] = found;
      if (line !== undefined) lines.push(JSON.parse(line) as string);
      if (after === ',') continue;
      yield lines;
      return;
    }
    text = text.slice(done);
    yield lines;
  }
  throw new ApiError('shape', 'the response is not a whole list', { path, atMs: Date.now() });
}

/** Lines of one entry at most: of another program's log none may start one. */
const MOST_LINES = 1_000;

/** Entries are complete once the next one starts. */
async function* entriesOf(pages: AsyncIterable<readonly string[]>): AsyncGenerator<readonly LogEntry[]> {
  let open: readonly string[] = [];
  for await (const page of pages) {
    const lines = [...open, ...page];
    const start = lines.findLastIndex(startsEntry);
    const last = lines.length - Math.max(start, 0) > MOST_LINES ? lines.length : start;
    open = last < 0 ? lines : lines.slice(last);
    if (last > 0) yield toEntries(lines.slice(0, last), 0);
  }
  yield toEntries(open, 0);
}

/** The log as a file, masked as on screen. Its parts leave the page's memory as they are made. */
export async function wholeLog(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  mask: (text: string) => string,
): Promise<readonly Blob[]> {
  const parts: Blob[] = [];
  for await (const entries of entriesOf(linesOf(chunks, path))) {
    const text = entries.map((entry) => `${maskedLines(entry, mask).join('\n')}\n`).join('');
    if (text !== '') parts.push(new Blob([text]));
    // The page stays responsive.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return parts;
}
