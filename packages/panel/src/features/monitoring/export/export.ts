import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import type { Masker } from '../../../platform/format/mask.ts';
import { maskEvent } from '../../../platform/requests/event-view.ts';
import { csvField } from '../../../ui/table/export.ts';

/** Columns of the CSV, in order; wire names, so that a file can be read without this panel. */
const CSV_COLUMNS: readonly (keyof EventRow)[] = [
  'timestamp_ms',
  'event_hash',
  'request_id',
  'failed',
  'fail_status_code',
  'model',
  'requested_model',
  'resolved_model',
  'auth_provider_snapshot',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_file_snapshot',
  'auth_index',
  'api_key_hash',
  'endpoint',
  'method',
  'path',
  'reasoning_effort',
  'service_tier',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'cache_write_1h_tokens',
  'reasoning_tokens',
  'total_tokens',
  'latency_ms',
  'ttft_ms',
  'fail_summary',
];

function plain(event: EventRow, masker: Masker): Record<string, unknown> {
  return masker.on ? maskEvent(event, masker) : { ...event };
}

export function toCsv(events: readonly EventRow[], masker: Masker): string {
  const lines = [['time', ...CSV_COLUMNS].join(',')];
  for (const event of events) {
    const row = plain(event, masker);
    lines.push(
      [new Date(event.timestamp_ms).toISOString(), ...CSV_COLUMNS.map((name) => csvField(row[name]))].join(','),
    );
  }
  return `${lines.join('\r\n')}\r\n`;
}

export function toJson(events: readonly EventRow[], masker: Masker): string {
  return `${JSON.stringify(
    events.map((event) => plain(event, masker)),
    null,
    1,
  )}\n`;
}

/** One event per line. */
export function toJsonLines(events: readonly EventRow[], masker: Masker): string {
  return events.map((event) => `${JSON.stringify(plain(event, masker))}\n`).join('');
}
