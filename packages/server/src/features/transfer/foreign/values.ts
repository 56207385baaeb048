/** One row of a source, with unchecked values. */
export type ForeignRow = Readonly<Record<string, unknown>>;

/** Reads cells of any type, and counts texts that had to be changed. */
export interface CellReader {
  /** '' for null. */
  text(row: ForeignRow, column: string): string;
  /** 0 for null and for a value that is no integer. */
  integer(row: ForeignRow, column: string): number;
  optionalInteger(row: ForeignRow, column: string): number | null;
  /** Counts the texts of a row that were too long to be read (`too_long`). */
  countTooLong(row: ForeignRow): void;
  /** Texts with invalid UTF-8 or NUL, and those that were left out. */
  readonly repairedTexts: number;
}

const INTEGER = /^[+-]?\d+$/;

export function createCellReader(): CellReader {
  let repairedTexts = 0;
  const decoder = new TextDecoder();

  function text(row: ForeignRow, column: string): string {
    const value = row[column];
    if (value === null || value === undefined) return '';
    if (typeof value === 'string') return repaired(value);
    return value instanceof Uint8Array ? repaired(decoder.decode(value)) : String(value);
  }

  /** The database already replaced invalid UTF-8 by U+FFFD. */
  function repaired(value: string): string {
    if (!/[\0\ufffd]/.test(value)) return value;
    repairedTexts += 1;
    return value.replaceAll('\0', '\ufffd');
  }

  function optionalInteger(row: ForeignRow, column: string): number | null {
    const value = row[column];
    if (value === null || value === undefined) return null;
    const number = typeof value === 'string' && INTEGER.test(value.trim()) ? Number(value) : value;
    if (typeof number !== 'number') return null;
    const whole = Math.trunc(number);
    return Number.isSafeInteger(whole) ? whole : null;
  }

  return {
    text,
    optionalInteger,
    integer: (row, column) => optionalInteger(row, column) ?? 0,
    countTooLong(row) {
      repairedTexts += optionalInteger(row, 'too_long') ?? 0;
    },
    get repairedTexts() {
      return repairedTexts;
    },
  };
}
