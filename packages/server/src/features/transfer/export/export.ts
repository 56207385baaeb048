import type { EventKey } from './event-key.ts';
import type { EventReads } from './event-reads.ts';
import { PAGE_BYTES } from './page-size.ts';
import type { ExportBounds } from './queries/export-bounds.ts';
import type { ExportPage } from './queries/export-page.ts';

/** Pages in progress at the same time: one per reader, and one that is ready. */
const PAGES_AHEAD = 3;

/**
 * All current events as JSON lines, oldest first, up to the newest at the start. The reader workers read and serialize pages,
 * some ahead of the client. No statement or snapshot stays open in between.
 *
 * The bytes of a page are valid until the one after the next is requested, because an answer is read one piece ahead of what was sent:
 * then the buffer goes back to a reader. A new buffer for each page would be garbage that the runtime notices late, tens of megabytes of it.
 */
export async function* exportLines(
  reads: EventReads,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const range = await reads.run('exportRange', null, { signal });
  if (range.rows === 0) return;
  const { lastId } = range;
  const buffers: ArrayBuffer[] = [];
  let lastBuffer: ArrayBuffer | null = null;
  const ahead: PageAhead[] = [];
  let rows = 0;
  for await (const bounds of pageBounds(reads, lastId, signal)) {
    const page = readPage(bounds);
    // A failure is ignored when the client disconnects first; the awaiting code still gets the error.
    page.catch(() => {});
    ahead.push({ bounds, page });
    if (ahead.length === PAGES_AHEAD) yield* nextLines();
  }
  while (ahead.length > 0) yield* nextLines();
  if (rows !== range.rows) throw new Error(`export of ${range.rows} events found ${rows}`);

  function readPage(bounds: PageBounds): Promise<ExportPage> {
    const buffer = buffers.pop() ?? null;
    // Other requests go first; an export only uses idle time.
    return reads.run(
      'exportPage',
      { ...bounds, lastId, buffer },
      { signal, priority: 'background', transfer: buffer === null ? [] : [buffer] },
    );
  }

  async function* nextLines(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const next = ahead.shift();
    if (next === undefined) return;
    let page = await next.page;
    yield* linesOf(page);
    // Huge events fill a page early.
    while (page.fullAt !== null) {
      page = await readPage({ after: page.fullAt, through: next.bounds.through });
      yield* linesOf(page);
    }
  }

  function* linesOf({ lines, rows: count }: ExportPage): Generator<Uint8Array<ArrayBuffer>, void> {
    // One that a huge event has made larger is not kept.
    const buffer = lines.buffer.byteLength <= PAGE_BYTES ? lines.buffer : null;
    if (lines.length === 0) {
      if (buffer !== null) buffers.push(buffer);
      return;
    }
    rows += count;
    yield lines;
    if (lastBuffer !== null) buffers.push(lastBuffer);
    lastBuffer = buffer;
  }
}

interface PageAhead {
  readonly bounds: PageBounds;
  readonly page: Promise<ExportPage>;
}

interface PageBounds {
  readonly after: EventKey | null;
  readonly through: EventKey | null;
}

async function* pageBounds(reads: EventReads, lastId: number, signal: AbortSignal): AsyncGenerator<PageBounds, void> {
  let after: EventKey | null = null;
  for (let complete = false; !complete; ) {
    const bounds: ExportBounds = await reads.run('exportBounds', { after, lastId }, { signal });
    for (const through of bounds.keys) {
      yield { after, through };
      after = through;
    }
    complete = bounds.complete;
  }
  yield { after, through: null };
}
