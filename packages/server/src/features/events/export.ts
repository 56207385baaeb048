import type { EventKey } from './event-key.ts';
import type { EventReads } from './event-reads.ts';
import type { ExportPage } from './queries/export-page.ts';

/**
 * All current events as JSON lines, oldest first, up to the newest of this moment. Each page is read and written into bytes
 * by a reader worker; while one is on its way to the client, the next is prepared. No statement or snapshot stays open.
 */
export async function* exportLines(
  reads: EventReads,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const range = await reads.run('exportRange', null, { signal });
  if (range.rows === 0) return;
  let rows = 0;
  let ahead: Promise<ExportPage> | null = fetchPage(null);
  while (ahead !== null) {
    const page: ExportPage = await ahead;
    rows += page.rows;
    ahead = page.next === null ? null : fetchPage(page.next);
    if (page.lines.length > 0) yield page.lines;
  }
  if (rows !== range.rows) throw new Error(`export of ${range.rows} events found ${rows}`);

  function fetchPage(after: EventKey | null): Promise<ExportPage> {
    const page = reads.run('exportPage', { after, lastId: range.lastId }, { signal });
    // It fails unseen when the client leaves before it is asked for; who awaits it still gets the error.
    page.catch(() => {});
    return page;
  }
}
