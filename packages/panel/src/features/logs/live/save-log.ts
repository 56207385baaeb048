import { exportFileName, saveFile } from '../../../ui/table/export.ts';
import type { LogEntry } from './log-buffer.ts';
import { maskedLines } from './log-heights.ts';

/** Entries that are masked at once: the page stays responsive. */
const AT_ONCE = 200;

/** Saves entries as a text file, masked as on screen. */
export async function saveLog(entries: readonly LogEntry[], mask: (text: string) => string): Promise<void> {
  const parts: string[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    for (const entry of entries.slice(from, from + AT_ONCE)) parts.push(maskedLines(entry, mask).join('\n'));
    await new Promise((resolve) => setTimeout(resolve));
  }
  saveFile(`${exportFileName('gateway-log', Date.now())}.log`, 'text/plain;charset=utf-8', `${parts.join('\n')}\n`);
}
