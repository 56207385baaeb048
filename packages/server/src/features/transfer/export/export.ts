import type { EventKey } from './event-key.ts';
import type { EventReads } from './event-reads.ts';
import type { ExportBounds } from './queries/export-bounds.ts';
import type { ExportPage } from './queries/export-page.ts';

/** Pages in progress at the same time: one per reader, and one that is ready. */
const PAGES_AHEAD = 3;

/**
 * All current events as JSON lines, oldest first, up to the newest at the start. The reader workers read and serialize pages,
 * some ahead of the client. No statement or snapshot stays open in between.
 */
export async function* exportLines(
  reads: EventReads,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  // Other requests go first; an export only uses idle time.
  const options = { signal, priority: 'background' } as const;
  const range = await reads.run('exportRange', null, { signal });
  if (range.rows === 0) return;
  const { lastId } = range;
  const ahead: Promise<ExportPage>[] = [];
  let rows = 0;
  for await (const { after, through } of pageBounds(reads, lastId, signal)) {
    const page = reads.run('exportPage', { after, through, lastId }, options);
    // A failure is ignored when the client disconnects first; the awaiting code still gets the error.
    page.catch(() => {});
    ahead.push(page);
    if (ahead.length === PAGES_AHEAD) yield* nextLines();
  }
  while (ahead.length > 0) yield* nextLines();
  if (rows !== range.rows) throw new Error(`export of ${range.rows} events found ${rows}`);

  async function* nextLines(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const page = await ahead.shift();
    if (page === undefined) return;
    rows += page.rows;
    if (page.lines.length > 0) yield page.lines;
  }
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
