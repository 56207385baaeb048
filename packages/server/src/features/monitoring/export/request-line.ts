import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { CSV_COLUMNS, type ExportedRow, type ExportFormat } from '@manager/core/contract/monitoring/request-export';
import { csvField } from '@manager/core/csv/csv-field';
import type { Masker } from '@manager/core/masking/mask';
import { maskEvent } from '@manager/core/masking/mask-event';
import type { PriceBook } from '@manager/core/pricing/price-book';
import { rowCost } from '@manager/core/pricing/row-cost';
import { isoWithOffset } from '@manager/core/time/iso';
import type { Zone } from '@manager/core/time/zones';

export interface LineOptions {
  readonly format: ExportFormat;
  readonly zone: Zone;
  readonly book: PriceBook;
  readonly masker: Masker;
}

/** What the file begins with. */
export const headOf = (format: ExportFormat): string => (format === 'csv' ? `${CSV_COLUMNS.join(',')}\r\n` : '');

/** One request as a line of the file, with its end. The cost is that of the real names. */
export function requestLine(row: EventRow, { format, zone, book, masker }: LineOptions): string {
  const cost = rowCost(book, row);
  const added: ExportedRow = {
    time: isoWithOffset(row.timestamp_ms, zone.offsetAt(row.timestamp_ms)),
    cost_usd: cost,
    priced: cost !== null,
  };
  const values: Readonly<Record<string, unknown>> = { ...(masker.on ? maskEvent(row, masker) : row), ...added };
  if (format === 'jsonl') return `${JSON.stringify(values)}\n`;
  return `${CSV_COLUMNS.map((name) => csvField(values[name])).join(',')}\r\n`;
}

/** The last line of a file that lacks rows, also for a person who opens it in a spreadsheet. */
export function failureLine(format: ExportFormat, failure: { readonly rows: number; readonly of: number }): string {
  const { rows, of } = failure;
  if (format === 'jsonl') return `${JSON.stringify({ export_failed: true, rows, of })}\n`;
  return `${csvField(`EXPORT FAILED: this file has ${rows} of ${of} requests`)}\r\n`;
}
