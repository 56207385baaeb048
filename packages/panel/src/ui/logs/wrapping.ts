import { shown } from '../../platform/format/shown.ts';

/** Characters of a line on screen; copies and files have all of them. */
const MAX_CHARACTERS = 4_000;
const TAB = '    ';

/** A line as it is drawn: data, in its written direction, of bounded length. */
export const drawnLine = (line: string): string => shown(line.replaceAll('\t', TAB), MAX_CHARACTERS);

/** Letters twice as wide as a Latin one in a monospaced font, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\ud800-\udbff]/g;
const ASCII = /^[\x20-\x7e]*$/;

/** Width of a drawn line in Latin letters. */
export const columnsOf = (line: string): number =>
  ASCII.test(line) ? line.length : line.length + (line.match(WIDE)?.length ?? 0);

/** Rows that a drawn line takes when it breaks after `columns` letters, wherever that is. */
export function rowsOf(line: string, columns: number): number {
  const width = columnsOf(line);
  if (width <= columns) return 1;
  // A wide letter that does not fit leaves a column free.
  return Math.ceil(width / (width === line.length ? columns : Math.max(columns - 1, 1)));
}

/** Height of a row, and space beside it, px: as in `logs.css`. */
export const LOG_LINE_HEIGHT = 18;
export const LOG_SIDE = 12;
