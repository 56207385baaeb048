import { parseJson } from '@manager/core/json/json';
import { maskSource } from '@manager/core/redaction/redact';
import type { UsageEvent } from '@manager/core/usage/event';
import { readExportedRecord } from '@manager/core/usage/exported-record';
import { isAcceptableHash } from '@manager/core/usage/identity';
import { prepareForInsert } from '@manager/core/usage/insert';
import { reaccount } from '@manager/core/usage/reaccount';
import { readInstant } from '@manager/core/usage/timestamp';
import { sha256Hex } from '../../../platform/sha256.ts';
import { COLUMNS_A } from './event-rows.ts';
import type { CellReader, ForeignRow } from './values.ts';

export type MappedRow =
  | { readonly kind: 'event'; readonly event: UsageEvent; readonly recounted: boolean }
  /** `reason` repeats no value of the row. */
  | { readonly kind: 'not_mapped'; readonly reason: string };

const BUCKETS = [
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
] as const;

const NUMBERS = COLUMNS_A.numbers.filter((name) => !(BUCKETS as readonly string[]).includes(name));

/**
 * A row of format A is read like an export line, with its identity, original item and failure text. Its input buckets are not
 * trusted: they are recalculated from the reported tokens, or from the breakdown of the original.
 */
export function eventOfA(row: ForeignRow, cells: CellReader, nowMs: number): MappedRow {
  const record: Record<string, unknown> = {};
  for (const name of COLUMNS_A.texts) {
    const text = cells.text(row, name);
    if (text !== '') record[name] = text;
  }
  for (const name of NUMBERS) {
    const value = row[name];
    if (value !== null && value !== undefined) record[name] = typeof value === 'bigint' ? Number(value) : value;
  }
  const hash = String(record.event_hash ?? '').trim();
  if (!isAcceptableHash(hash))
    return { kind: 'not_mapped', reason: 'event_hash: empty, too long or with control characters' };
  if (cells.integer(row, 'timestamp_ms') <= 0 && readInstant(record.timestamp) === null) {
    return { kind: 'not_mapped', reason: 'timestamp: missing or not readable' };
  }
  record.response_metadata = parseJson(String(record.response_metadata_json ?? ''));
  const read = readExportedRecord(record, hash, { nowMs, sha256Hex });
  const { event } = prepareForInsert(
    withHeaderColumns(reaccount({ ...read, source: maskSource(read.source) }), row, cells),
  );
  const recounted = BUCKETS.some((name) => {
    const stored = cells.optionalInteger(row, name);
    return stored !== null && stored !== event[name];
  });
  return { kind: 'event', event, recounted };
}

/** Columns that are missing in the metadata object of older rows. */
function withHeaderColumns(event: UsageEvent, row: ForeignRow, cells: CellReader): UsageEvent {
  if (event.response_metadata_json !== '') return event;
  const percent = row.header_quota_used_percent;
  const recoverAtMs = cells.integer(row, 'header_quota_recover_at_ms');
  return {
    ...event,
    header_quota_recover_at_ms: recoverAtMs > 0 ? recoverAtMs : null,
    header_quota_used_percent: typeof percent === 'number' && Number.isFinite(percent) ? percent : null,
    header_quota_plan_type: cells.text(row, 'header_quota_plan_type'),
    header_error_kind: cells.text(row, 'header_error_kind'),
    header_error_code: cells.text(row, 'header_error_code'),
    header_trace_id: cells.text(row, 'header_trace_id'),
  };
}
