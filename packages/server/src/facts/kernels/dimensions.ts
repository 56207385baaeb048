import type { FactColumn } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { SumRows } from '../sums/rows.ts';

/** One dimension of a grouping. */
export interface Dimension {
  /** Part of the section's key. */
  readonly key: string;
  readonly columns: readonly FactColumn[];
  /** Codes of the selected rows within their chunk. */
  codes(rows: SelectedRows): DimensionCodes;
  /** Whether each stretch of time of these sums has one value. Always, if missing. */
  isWhole?(rows: SumRows): boolean;
}

export interface DimensionCodes {
  /** Codes are below this. */
  readonly count: number;
  readonly codes: Uint32Array;
  /**
   * The value of a code, the same in every chunk: the symbols of a tuple, or one number such as the start of a bucket.
   */
  valueOf(code: number): readonly number[];
  /** Text that identifies the value. */
  nameOf(code: number): string;
}

/** The tuples of some symbol columns; values are their symbol ids in the order of the columns. */
export function symbolDimension(columns: readonly FactColumn[]): Dimension {
  return {
    key: columns.join(),
    columns,
    codes(rows) {
      const { count, codes, symbols, nameOf } = rows.codes(columns);
      return { count, codes, valueOf: (code) => symbols.map((column) => column[code] ?? 0), nameOf };
    },
  };
}

/**
 * A dimension derived from the time of a row: bucket, local hour, weekday. Rows are nearly in order of time, so most
 * fall into the slot of the previous row.
 *
 * @param key names the mapping: zone and granularity
 * @param slotAt the stretch of time around `ms` with one value
 */
export function timeDimension(
  key: string,
  slotAt: (ms: number) => { readonly fromMs: number; readonly toMs: number; readonly value: number },
): Dimension {
  // Several sections of a scan ask for the same rows in turn.
  let last: { readonly rows: SelectedRows; readonly codes: DimensionCodes } | null = null;
  return {
    key,
    columns: ['timestamp_ms'],
    codes(rows) {
      if (last?.rows === rows) return last.codes;
      const times = rows.numbers('timestamp_ms');
      const codes = rows.workspace.words(`time:${key}`, rows.chunk.rowCount);
      const values: number[] = [];
      const codeOf = new Map<number, number>();
      let fromMs = 0;
      let toMs = 0;
      let code = 0;
      for (let index = 0; index < rows.count; index++) {
        const time = times[index] ?? 0;
        if (time < fromMs || time >= toMs) {
          const slot = slotAt(time);
          ({ fromMs, toMs } = slot);
          let known = codeOf.get(slot.value);
          if (known === undefined) {
            known = values.length;
            codeOf.set(slot.value, known);
            values.push(slot.value);
          }
          code = known;
        }
        codes[index] = code;
      }
      const made = {
        count: Math.max(values.length, 1),
        codes,
        valueOf: (at: number) => [values[at] ?? 0],
        nameOf: (at: number) => String(values[at] ?? 0),
      };
      last = { rows, codes: made };
      return made;
    },
    isWhole(rows) {
      const { widthMs } = rows.totals;
      const times = rows.numbers('timestamp_ms');
      let fromMs = 0;
      let toMs = 0;
      for (let index = 0; index < rows.count; index++) {
        const time = times[index] ?? 0;
        if (time < fromMs || time >= toMs) ({ fromMs, toMs } = slotAt(time));
        if (time + widthMs > toMs) return false;
      }
      return widthMs > 0;
    },
  };
}
