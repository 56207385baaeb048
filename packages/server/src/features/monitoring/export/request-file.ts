import type { EventCursor } from '../../../facts/kernels/top.ts';
import { PAGE_BYTES } from './page-bytes.ts';
import type { ExportPageArgs, ExportStart, RequestPage } from './queries/request-pages.ts';
import type { ExportQuery } from './request.ts';
import { failureLine, headOf } from './request-line.ts';

/** Answers of the analytics worker, or of a command with a connection of its own. */
export interface RequestPages {
  readonly startRequestExport: (query: ExportQuery, signal: AbortSignal) => Promise<ExportStart>;
  readonly requestExportPage: (args: ExportPageArgs, signal: AbortSignal) => Promise<RequestPage>;
}

/**
 * The bytes of the file, one page after the other; the next one is read only when this one was taken. A failure adds a line that
 * shows it, and is thrown after that.
 *
 * The bytes of a page are valid until the one after the next is requested, because an answer is read one piece ahead of what was
 * sent: then the buffer goes back for another page. New ones would be garbage that the runtime notices late.
 */
export async function* requestFile(
  pages: RequestPages,
  query: ExportQuery,
  start: ExportStart,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder();
  const short = { ...query, maskOrder: null };
  let rows = 0;
  let last: ArrayBuffer | null = null;
  let free: ArrayBuffer | null = null;
  try {
    const head = headOf(query.format);
    if (head !== '') yield encoder.encode(head);
    let cursor: EventCursor | null = null;
    while (rows < start.rows) {
      const buffer: ArrayBuffer | null = free;
      free = null;
      let page: RequestPage = await pages.requestExportPage({ query: short, start, cursor, buffer }, signal);
      if (page.isForgotten) {
        const again = page.lines.buffer.byteLength === PAGE_BYTES ? page.lines.buffer : null;
        page = await pages.requestExportPage({ query, start, cursor, buffer: again }, signal);
      }
      rows += page.rows;
      if (page.lines.length > 0) yield page.lines;
      free = last;
      // One that huge rows have made larger is not kept.
      last = page.lines.buffer.byteLength === PAGE_BYTES ? page.lines.buffer : null;
      if (page.next === null) break;
      cursor = page.next;
    }
    if (rows !== start.rows) throw new Error(`${rows} of ${start.rows} requests were found`);
  } catch (error) {
    if (!signal.aborted) yield encoder.encode(failureLine(query.format, { rows, of: start.rows }));
    throw error;
  }
}
