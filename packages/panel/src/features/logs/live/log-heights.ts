import { drawnLine, LOG_LINE_HEIGHT, rowsOf } from '../../../ui/logs/wrapping.ts';
import type { LogEntry } from './log-buffer.ts';

/** Lines of one entry on screen; copies and files have all of them. */
const MAX_SHOWN_LINES = 200;
/** px above and below the text, with the line below. */
const PADDING = 7;

const masks = new WeakMap<(text: string) => string, WeakMap<LogEntry, readonly string[]>>();

/** Lines of an entry as they are drawn. Masked together, because a secret may have several lines; once per entry. */
export function drawnLines(entry: LogEntry, mask: (text: string) => string): readonly string[] {
  const known = masks.get(mask) ?? new WeakMap<LogEntry, readonly string[]>();
  masks.set(mask, known);
  const before = known.get(entry);
  if (before !== undefined) return before;
  const lines = maskedLines(entry, mask).slice(0, MAX_SHOWN_LINES).map(drawnLine);
  known.set(entry, lines);
  return lines;
}

/** All lines of an entry, as they are copied. */
export const maskedLines = (entry: LogEntry, mask: (text: string) => string): readonly string[] =>
  mask(entry.lines.join('\n')).split('\n');

/** Height of an entry as text, px. `columns` = letters in a row; null = lines do not break. */
export function textHeight(lines: readonly string[], columns: number | null): number {
  let rows = 0;
  for (const line of lines) rows += columns === null ? 1 : rowsOf(line, columns);
  return rows * LOG_LINE_HEIGHT + PADDING;
}

/** Height of an entry in columns, px: one row, and its other lines when they are open. */
export const gridHeight = (entry: LogEntry, open: boolean, rowHeight: number): number =>
  open ? rowHeight + Math.min(entry.lines.length - 1, MAX_SHOWN_LINES - 1) * LOG_LINE_HEIGHT + PADDING : rowHeight;

/** Position of each row, px, and last the end of all. */
export function startsOf(heights: readonly number[]): Float64Array {
  const starts = new Float64Array(heights.length + 1);
  for (const [index, height] of heights.entries()) starts[index + 1] = (starts[index] ?? 0) + height;
  return starts;
}

/** Index of the row at a position. */
export function rowAt(starts: Float64Array, position: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}
