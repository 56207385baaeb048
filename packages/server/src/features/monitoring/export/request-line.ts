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
  if (format === 'jsonl') return `${JSON.stringify({ ...values, ...accountingOf(row) })}\n`;
  return `${CSV_COLUMNS.map((name) => csvField(values[name])).join(',')}\r\n`;
}

/**
 * How the counts of a row are to be read, so that an import of the file bills what was billed. They are normalized: without this a count of a
 * provider that reports cache tokens beside the input would get them a second time.
 */
function accountingOf(row: EventRow): Readonly<Record<string, unknown>> {
  const { input_tokens, output_tokens, cached_tokens, cache_read_tokens, cache_creation_tokens } = row;
  const explained = cache_read_tokens + cache_creation_tokens;
  return {
    cache_input_mode: 'included_in_input',
    // A row has the part beyond the other two, an event the whole.
    ...(cached_tokens > 0 ? { cache_tokens: cached_tokens + explained } : {}),
    normalized_uncached_input_tokens:
      row.uncached_input_tokens ?? Math.max(input_tokens - cached_tokens - explained, 0),
    normalized_total_input_tokens: input_tokens,
    normalized_cache_read_tokens: cache_read_tokens + cached_tokens,
    normalized_cache_creation_tokens: cache_creation_tokens,
    billable_output_tokens: row.billable_output_tokens ?? output_tokens,
  };
}

/** The last line of a file that lacks rows, also for a person who opens it in a spreadsheet. */
export function failureLine(format: ExportFormat, failure: { readonly rows: number; readonly of: number }): string {
  const { rows, of } = failure;
  if (format === 'jsonl') return `${JSON.stringify({ export_failed: true, rows, of })}\n`;
  return `${csvField(`EXPORT FAILED: this file has ${rows} of ${of} requests`)}\r\n`;
}
