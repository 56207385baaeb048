/** Longest part of a line in one row; a browser needs seconds to lay out a megabyte. */
const MAX_PART = 2_000;

export interface TextRow {
  readonly text: string;
  /** Its line continues in the next row. */
  readonly continued: boolean;
}

/** A text as rows: its lines, long ones in parts. `columns` = letters per line on screen, which parts fill; null = as many as it takes. */
export function textRows(text: string, columns: number | null = null): readonly TextRow[] {
  const part = columns === null || columns > MAX_PART ? MAX_PART : Math.floor(MAX_PART / columns) * columns;
  const rows: TextRow[] = [];
  for (const line of text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')) {
    let start = 0;
    while (line.length - start > part) {
      // Two halves of one letter stay together.
      const end = start + part - (/[\ud800-\udbff]/.test(line.charAt(start + part - 1)) ? 1 : 0);
      rows.push({ text: line.slice(start, end), continued: true });
      start = end;
    }
    rows.push({ text: line.slice(start), continued: false });
  }
  return rows;
}

/** Rows in which a text begins, in any case. */
export function findRows(rows: readonly TextRow[], text: string): readonly number[] {
  if (text === '') return [];
  const wanted = text.toLowerCase();
  return rows.flatMap((row, index) => {
    const next = row.continued ? (rows[index + 1]?.text.slice(0, text.length - 1) ?? '') : '';
    return `${row.text}${next}`.toLowerCase().includes(wanted) ? [index] : [];
  });
}
