import type { Client } from '../../../platform/api/client.ts';
import { exportFileName, saveFile } from '../../../ui/table/export.ts';
import { LOG_PATH, openLog } from '../logs-api.ts';
import type { LogEntry } from './log-buffer.ts';
import { maskedLines } from './log-heights.ts';
import { wholeLog } from './whole-log.ts';

/** Entries that are masked at once: the page stays responsive. */
const AT_ONCE = 200;

/** Saves entries as a text file, masked as on screen. */
export async function saveLog(entries: readonly LogEntry[], mask: (text: string) => string): Promise<void> {
  const parts: string[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    for (const entry of entries.slice(from, from + AT_ONCE)) parts.push(maskedLines(entry, mask).join('\n'));
    await new Promise((resolve) => setTimeout(resolve));
  }
  saveLogFile(`${parts.join('\n')}\n`);
}

/** Saves the gateway's whole log, which is larger than what is loaded, while it arrives. */
export async function saveWholeLog(client: Client, mask: (text: string) => string): Promise<void> {
  saveLogFile(...(await wholeLog(chunksOf(await openLog(client)), LOG_PATH, mask)));
}

/** Not every browser can iterate a body. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (read?.value === undefined) return;
    yield read.value;
  }
}

function saveLogFile(...parts: readonly BlobPart[]): void {
  saveFile(`${exportFileName('gateway-log', Date.now())}.log`, 'text/plain;charset=utf-8', ...parts);
}
