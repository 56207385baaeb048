/** Longest part of a line in one row; a browser needs seconds to lay out a megabyte. */
const MAX_PART = 2_000;

/** A text as rows: its lines, long ones in parts. */
export function textRows(text: string): readonly string[] {
  const rows: string[] = [];
  for (const line of text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')) {
    if (line.length <= MAX_PART) rows.push(line);
    else for (let start = 0; start < line.length; ) start = pushPart(rows, line, start);
  }
  return rows;
}

function pushPart(rows: string[], line: string, start: number): number {
  let end = Math.min(line.length, start + MAX_PART);
  // Two halves of one letter stay together.
  if (/[\ud800-\udbff]/.test(line[end - 1] ?? '')) end -= 1;
  rows.push(line.slice(start, end));
  return end;
}

/** Rows that contain a text, in any case. */
export function findRows(rows: readonly string[], text: string): readonly number[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  return rows.flatMap((row, index) => (row.toLowerCase().includes(wanted) ? [index] : []));
}
